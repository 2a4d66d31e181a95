# Generated from the contract by clients/generate/generate.ts; do not edit.
from __future__ import annotations

from datetime import datetime
from typing import Optional, Union

from ..._calls import Options, given
from ..._pages import AsyncPage
from ..._resource import AsyncResource, async_raw
from ..results import Consent
from ..words import ConsentKind


class AsyncConsents(AsyncResource):
    """`consents` of `AsyncClient`."""

    @property
    def with_raw_response(self) -> AsyncConsentsWithRawResponse:
        """The same methods; each returns its result together with the response."""
        return AsyncConsentsWithRawResponse(AsyncConsents(self._caller, raw=True))

    async def record(
        self,
        patient_id: str,
        *,
        kind: ConsentKind,
        version: str,
        accepted_at: Optional[Union[datetime, str]] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Consent:
        """Record the patient's consent to one document.

        The newest consent of a kind is current; the one before it is superseded.

        Scope: patients:write. Events: consent.recorded.v1.

        Args:
            version: The version of the document the patient saw.

        Raises:
            NotFoundError
        """
        return await self._request(
            Consent,
            "POST",
            "/v1/patients/{id}/consents",
            ids={"id": patient_id},
            body=given({"kind": kind, "version": version, "accepted_at": accepted_at}),
            options=Options(
                idempotency_key=idempotency_key,
                timeout=timeout,
                max_retries=max_retries,
                organization=organization,
            ),
        )

    def list(
        self,
        patient_id: str,
        *,
        limit: Optional[int] = None,
        starting_after: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> AsyncPage[Consent]:
        """List a patient's consents.

        Scope: patients:read.

        Args:
            limit: Items per page. Default: `20`.
            starting_after: The id of the last item you received. It works even after that item
                was deleted.

        Raises:
            NotFoundError
        """
        return self._page(
            Consent,
            "/v1/patients/{id}/consents",
            cursor="id",
            ids={"id": patient_id},
            query=given({"limit": limit, "starting_after": starting_after}),
            options=Options(timeout=timeout, max_retries=max_retries, organization=organization),
        )


class AsyncConsentsWithRawResponse:
    """The methods of `AsyncConsents`, with their responses."""

    def __init__(self, consents: AsyncConsents) -> None:
        self.record = async_raw(consents.record)
        self.list = async_raw(consents.list)
