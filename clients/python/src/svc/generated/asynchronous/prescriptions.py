# Generated from the contract by clients/generate/generate.ts; do not edit.
from __future__ import annotations

from typing import Optional

from ..._calls import Options, given
from ..._pages import AsyncPage
from ..._resource import AsyncResource, async_raw
from ..results import Prescription


class AsyncPrescriptions(AsyncResource):
    """`prescriptions` of `AsyncClient`."""

    @property
    def with_raw_response(self) -> AsyncPrescriptionsWithRawResponse:
        """The same methods; each returns its result together with the response."""
        return AsyncPrescriptionsWithRawResponse(AsyncPrescriptions(self._caller, raw=True))

    def list(
        self,
        case_id: str,
        *,
        limit: Optional[int] = None,
        starting_after: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> AsyncPage[Prescription]:
        """List a case's prescriptions.

        Scope: cases:read.

        Args:
            limit: Items per page. Default: `20`.
            starting_after: The id of the last item you received. It works even after that item
                was deleted.

        Raises:
            NotFoundError
        """
        return self._page(
            Prescription,
            "/v1/cases/{id}/prescriptions",
            cursor="id",
            ids={"id": case_id},
            query=given({"limit": limit, "starting_after": starting_after}),
            options=Options(timeout=timeout, max_retries=max_retries, organization=organization),
        )

    async def get(
        self,
        prescription_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Prescription:
        """Read a prescription.

        Scope: cases:read.

        Raises:
            NotFoundError
        """
        return await self._request(
            Prescription,
            "GET",
            "/v1/prescriptions/{id}",
            ids={"id": prescription_id},
            options=Options(timeout=timeout, max_retries=max_retries, organization=organization),
        )


class AsyncPrescriptionsWithRawResponse:
    """The methods of `AsyncPrescriptions`, with their responses."""

    def __init__(self, prescriptions: AsyncPrescriptions) -> None:
        self.list = async_raw(prescriptions.list)
        self.get = async_raw(prescriptions.get)
