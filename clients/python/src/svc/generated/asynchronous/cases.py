# Generated from the contract by clients/generate/generate.ts; do not edit.
from __future__ import annotations

from datetime import datetime
from typing import Optional, Sequence, Union

from ..._calls import Options, given
from ..._pages import AsyncPage
from ..._resource import AsyncResource, async_raw
from ..parameters import AnswerParams, AnswerToClinicianParams, RequestedMedicationParams
from ..results import Case, Event
from ..words import CaseStatus


class AsyncCases(AsyncResource):
    """`cases` of `AsyncClient`."""

    @property
    def with_raw_response(self) -> AsyncCasesWithRawResponse:
        """The same methods; each returns its result together with the response."""
        return AsyncCasesWithRawResponse(AsyncCases(self._caller, raw=True))

    async def create(
        self,
        *,
        patient: str,
        requested_medications: Sequence[RequestedMedicationParams],
        consent_ids: Optional[Sequence[str]] = None,
        answers: Optional[Sequence[AnswerParams]] = None,
        hold: Optional[bool] = None,
        files: Optional[Sequence[str]] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Case:
        """File a case.

        Its status is queued, or received when hold is true, so that files can be attached
        first.

        Scope: cases:write. Events: case.queued.v1, case.received.v1.

        Args:
            requested_medications: Each medication once. Omitted values come from the catalog.
            consent_ids: Must hold the patient's current telehealth and current privacy consent.
                Default: `[]`.
            answers: Default: `[]`.
            hold: Default: `False`.
            files: This patient's attached files that belong to no case yet. Must be empty in
                live mode. Default: `[]`.

        Raises:
            ConsentRequiredError
        """
        return await self._request(
            Case,
            "POST",
            "/v1/cases",
            body=given(
                {
                    "patient": patient,
                    "consent_ids": consent_ids,
                    "requested_medications": requested_medications,
                    "answers": answers,
                    "hold": hold,
                    "files": files,
                }
            ),
            options=Options(
                idempotency_key=idempotency_key,
                timeout=timeout,
                max_retries=max_retries,
                organization=organization,
            ),
        )

    def list(
        self,
        *,
        limit: Optional[int] = None,
        starting_after: Optional[str] = None,
        status: Optional[CaseStatus] = None,
        patient: Optional[str] = None,
        created_after: Optional[Union[datetime, str]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> AsyncPage[Case]:
        """List cases.

        Scope: cases:read.

        Args:
            limit: Items per page. Default: `20`.
            starting_after: The id of the last item you received. It works even after that item
                was deleted.
            created_after: Strictly after.
        """
        return self._page(
            Case,
            "/v1/cases",
            cursor="id",
            query=given(
                {
                    "limit": limit,
                    "starting_after": starting_after,
                    "status": status,
                    "patient": patient,
                    "created_after": created_after,
                }
            ),
            options=Options(timeout=timeout, max_retries=max_retries, organization=organization),
        )

    async def get(
        self,
        case_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Case:
        """Read a case.

        Scope: cases:read.

        Raises:
            NotFoundError
        """
        return await self._request(
            Case,
            "GET",
            "/v1/cases/{id}",
            ids={"id": case_id},
            options=Options(timeout=timeout, max_retries=max_retries, organization=organization),
        )

    async def release(
        self,
        case_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Case:
        """Release a held case to the clinic.

        Scope: cases:write. Events: case.queued.v1.

        Raises:
            NotFoundError
            InvalidTransitionError
        """
        return await self._request(
            Case,
            "POST",
            "/v1/cases/{id}/release",
            ids={"id": case_id},
            options=Options(
                idempotency_key=idempotency_key,
                timeout=timeout,
                max_retries=max_retries,
                organization=organization,
            ),
        )

    async def cancel(
        self,
        case_id: str,
        *,
        reason: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Case:
        """Cancel a case for a reason of your own: a duplicate, an unpaid order, a mistake.

        Refused while a clinician reviews the case. The patient can still withdraw it.

        Scope: cases:write. Events: case.cancelled.v1.

        Raises:
            NotFoundError
            InvalidTransitionError
        """
        return await self._request(
            Case,
            "POST",
            "/v1/cases/{id}/cancel",
            ids={"id": case_id},
            body=given({"reason": reason}),
            options=Options(
                idempotency_key=idempotency_key,
                timeout=timeout,
                max_retries=max_retries,
                organization=organization,
            ),
        )

    async def withdraw(
        self,
        case_id: str,
        *,
        reason: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Case:
        """Withdraw a case because the patient no longer wants the consult.

        Scope: cases:write. Events: case.withdrawn.v1.

        Raises:
            NotFoundError
            InvalidTransitionError
        """
        return await self._request(
            Case,
            "POST",
            "/v1/cases/{id}/withdraw",
            ids={"id": case_id},
            body=given({"reason": reason}),
            options=Options(
                idempotency_key=idempotency_key,
                timeout=timeout,
                max_retries=max_retries,
                organization=organization,
            ),
        )

    async def answer(
        self,
        case_id: str,
        *,
        answers: Sequence[AnswerToClinicianParams],
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Case:
        """Answer the open question and return the case to the clinician.

        Omitted values are taken from the question. The thread gets one entry with the
        answers, truncated to 5,000 characters; the case keeps each answer in full, up to 200
        in all.

        Scope: cases:write. Events: case.in_review.v1, case.message_created.v1.

        Raises:
            NotFoundError
            InvalidTransitionError
        """
        return await self._request(
            Case,
            "POST",
            "/v1/cases/{id}/answers",
            ids={"id": case_id},
            body=given({"answers": answers}),
            options=Options(
                idempotency_key=idempotency_key,
                timeout=timeout,
                max_retries=max_retries,
                organization=organization,
            ),
        )

    def events(
        self,
        case_id: str,
        *,
        limit: Optional[int] = None,
        starting_after: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> AsyncPage[Event]:
        """List the events of one case.

        Scope: cases:read.

        Args:
            limit: Items per page. Default: `20`.
            starting_after: The id of the last item you received. It works even after that item
                was deleted.

        Raises:
            NotFoundError
        """
        return self._page(
            Event,
            "/v1/cases/{id}/events",
            cursor="id",
            ids={"id": case_id},
            query=given({"limit": limit, "starting_after": starting_after}),
            options=Options(timeout=timeout, max_retries=max_retries, organization=organization),
        )


class AsyncCasesWithRawResponse:
    """The methods of `AsyncCases`, with their responses."""

    def __init__(self, cases: AsyncCases) -> None:
        self.create = async_raw(cases.create)
        self.list = async_raw(cases.list)
        self.get = async_raw(cases.get)
        self.release = async_raw(cases.release)
        self.cancel = async_raw(cases.cancel)
        self.withdraw = async_raw(cases.withdraw)
        self.answer = async_raw(cases.answer)
        self.events = async_raw(cases.events)
