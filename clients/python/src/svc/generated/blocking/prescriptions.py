# Generated from the contract by clients/generate/generate.ts; do not edit.
from __future__ import annotations

from typing import Optional

from ..._calls import Options, given
from ..._pages import Page
from ..._resource import Resource, raw
from ..results import Prescription


class Prescriptions(Resource):
    """`prescriptions` of `Client`."""

    @property
    def with_raw_response(self) -> PrescriptionsWithRawResponse:
        """The same methods; each returns its result together with the response."""
        return PrescriptionsWithRawResponse(Prescriptions(self._caller, raw=True))

    def list(
        self,
        case_id: str,
        *,
        limit: Optional[int] = None,
        starting_after: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Page[Prescription]:
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

    def get(
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
        return self._request(
            Prescription,
            "GET",
            "/v1/prescriptions/{id}",
            ids={"id": prescription_id},
            options=Options(timeout=timeout, max_retries=max_retries, organization=organization),
        )


class PrescriptionsWithRawResponse:
    """The methods of `Prescriptions`, with their responses."""

    def __init__(self, prescriptions: Prescriptions) -> None:
        self.list = raw(prescriptions.list)
        self.get = raw(prescriptions.get)
