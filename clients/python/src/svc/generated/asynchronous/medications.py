# Generated from the contract by clients/generate/generate.ts; do not edit.
from __future__ import annotations

from typing import Optional

from ..._calls import Options, given
from ..._pages import AsyncPage
from ..._resource import AsyncResource, async_raw
from ..results import Medication


class AsyncMedications(AsyncResource):
    """`medications` of `AsyncClient`."""

    @property
    def with_raw_response(self) -> AsyncMedicationsWithRawResponse:
        """The same methods; each returns its result together with the response."""
        return AsyncMedicationsWithRawResponse(AsyncMedications(self._caller, raw=True))

    def list(
        self,
        *,
        limit: Optional[int] = None,
        starting_after: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> AsyncPage[Medication]:
        """List the medications that may be requested.

        In live mode those that the clinic dispenses.

        Scope: organization:read.

        Args:
            limit: Items per page. Default: `20`.
            starting_after: The id of the last item you received. It works even after that item
                was deleted.
        """
        return self._page(
            Medication,
            "/v1/medications",
            cursor="medication_id",
            query=given({"limit": limit, "starting_after": starting_after}),
            options=Options(timeout=timeout, max_retries=max_retries, organization=organization),
        )

    async def get(
        self,
        medication_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Medication:
        """Read one medication.

        Scope: organization:read.

        Raises:
            NotFoundError
        """
        return await self._request(
            Medication,
            "GET",
            "/v1/medications/{medication_id}",
            ids={"medication_id": medication_id},
            options=Options(timeout=timeout, max_retries=max_retries, organization=organization),
        )


class AsyncMedicationsWithRawResponse:
    """The methods of `AsyncMedications`, with their responses."""

    def __init__(self, medications: AsyncMedications) -> None:
        self.list = async_raw(medications.list)
        self.get = async_raw(medications.get)
