# Generated from the contract by clients/generate/generate.ts; do not edit.
from __future__ import annotations

from typing import Optional

from ..._answers import Download
from ..._calls import Options
from ..._resource import AsyncResource, async_raw
from ..results import Export, ExportBundle


class AsyncExports(AsyncResource):
    """`exports` of `AsyncClient`."""

    @property
    def with_raw_response(self) -> AsyncExportsWithRawResponse:
        """The same methods; each returns its result together with the response."""
        return AsyncExportsWithRawResponse(AsyncExports(self._caller, raw=True))

    async def create(
        self,
        patient_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Export:
        """Export a part of the record of a patient.

        The bundle has the patient, consents, cases, files, prescriptions and orders; it has
        no messages, visits or charges. In test mode the job is pending and completes within
        about a second: poll it. In live mode the response is completed already. A new export
        does not change older ones.

        Scope: patients:read.

        Raises:
            NotFoundError
        """
        return await self._request(
            Export,
            "POST",
            "/v1/patients/{id}/exports",
            ids={"id": patient_id},
            options=Options(
                idempotency_key=idempotency_key,
                timeout=timeout,
                max_retries=max_retries,
                organization=organization,
            ),
        )

    async def get_for_patient(
        self,
        patient_id: str,
        export_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Export:
        """Read one of a patient's export jobs.

        Scope: patients:read.

        Raises:
            NotFoundError
        """
        return await self._request(
            Export,
            "GET",
            "/v1/patients/{id}/exports/{job}",
            ids={"id": patient_id, "job": export_id},
            options=Options(timeout=timeout, max_retries=max_retries, organization=organization),
        )

    async def get(
        self,
        export_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Export:
        """Read an export job by its own id.

        Scope: patients:read.

        Raises:
            NotFoundError
        """
        return await self._request(
            Export,
            "GET",
            "/v1/exports/{id}",
            ids={"id": export_id},
            options=Options(timeout=timeout, max_retries=max_retries, organization=organization),
        )

    async def download(
        self,
        export_id: str,
        *,
        if_none_match: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Download[ExportBundle]:
        """Download the bundle as a file.

        Every download of one export has the same bytes and the same ETag: with it in
        If-None-Match, the answer is 304 without a body.

        Scope: patients:read.

        Args:
            if_none_match: The etag of an earlier download: when nothing has changed, content is
                empty and is_unchanged True.

        Raises:
            NotFoundError
            ExportNotReadyError
            GoneError
        """
        return await self._download(
            ExportBundle,
            "GET",
            "/v1/exports/{id}/download",
            ids={"id": export_id},
            if_none_match=if_none_match,
            options=Options(timeout=timeout, max_retries=max_retries, organization=organization),
        )


class AsyncExportsWithRawResponse:
    """The methods of `AsyncExports`, with their responses."""

    def __init__(self, exports: AsyncExports) -> None:
        self.create = async_raw(exports.create)
        self.get_for_patient = async_raw(exports.get_for_patient)
        self.get = async_raw(exports.get)
        self.download = async_raw(exports.download)
