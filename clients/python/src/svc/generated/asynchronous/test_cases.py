# Generated from the contract by clients/generate/generate.ts; do not edit.
from __future__ import annotations

from typing import Optional, Sequence

from ..._calls import Options, given
from ..._resource import AsyncResource, async_raw
from ..parameters import PlanLineParams, TrackingParams
from ..results import Case, Message
from ..words import Decision, QuestionTarget


class AsyncTestCases(AsyncResource):
    """`test.cases` of `AsyncClient`."""

    @property
    def with_raw_response(self) -> AsyncTestCasesWithRawResponse:
        """The same methods; each returns its result together with the response."""
        return AsyncTestCasesWithRawResponse(AsyncTestCases(self._caller, raw=True))

    async def decide(
        self,
        case_id: str,
        *,
        decision: Decision,
        plan: Optional[Sequence[PlanLineParams]] = None,
        reason: Optional[str] = None,
        target: Optional[QuestionTarget] = None,
        question: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Case:
        """Simulate the clinician's decision.

        The case passes through in_review first, which sends its own event.

        Scope: test:manage. Events: case.in_review.v1, case.approved.v1,
        prescription.created.v1, order.created.v1, case.declined.v1,
        case.waiting_on_patient.v1, case.waiting_on_integration.v1, case.question_asked.v1.

        Args:
            plan: Only with approve. Default: what was requested. Omitted values, dispensable
                included, come from the catalog.
            reason: Required with decline, refused otherwise.
            target: Required with needs_info, refused otherwise.
            question: Required with needs_info, refused otherwise.

        Raises:
            NotFoundError
            InvalidTransitionError
        """
        return await self._request(
            Case,
            "POST",
            "/v1/test/cases/{id}/decision",
            ids={"id": case_id},
            body=given(
                {
                    "decision": decision,
                    "plan": plan,
                    "reason": reason,
                    "target": target,
                    "question": question,
                }
            ),
            options=Options(
                idempotency_key=idempotency_key,
                timeout=timeout,
                max_retries=max_retries,
                organization=organization,
            ),
        )

    async def clinician_message(
        self,
        case_id: str,
        *,
        body: str,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Message:
        """Simulate the clinician's reply on the thread.

        Scope: test:manage. Events: case.message_created.v1.

        Raises:
            NotFoundError
            InvalidTransitionError
        """
        return await self._request(
            Message,
            "POST",
            "/v1/test/cases/{id}/clinician_message",
            ids={"id": case_id},
            body=given({"body": body}),
            options=Options(
                idempotency_key=idempotency_key,
                timeout=timeout,
                max_retries=max_retries,
                organization=organization,
            ),
        )

    async def ship(
        self,
        case_id: str,
        *,
        tracking: Optional[TrackingParams] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Case:
        """Simulate the pharmacy shipping a case's orders.

        Ships every order that can be shipped, all or none. An order that is created or
        blocked passes through at_pharmacy first, which sends its own event.

        Scope: test:manage. Events: order.at_pharmacy.v1, order.shipped.v1,
        prescription.updated.v1.

        Args:
            tracking: One parcel, set on each order.

        Raises:
            NotFoundError
            InvalidTransitionError
        """
        return await self._request(
            Case,
            "POST",
            "/v1/test/cases/{id}/ship",
            ids={"id": case_id},
            body=given({"tracking": tracking}),
            options=Options(
                idempotency_key=idempotency_key,
                timeout=timeout,
                max_retries=max_retries,
                organization=organization,
            ),
        )

    async def deliver(
        self,
        case_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Case:
        """Simulate the delivery of a case's orders.

        Scope: test:manage. Events: order.delivered.v1.

        Raises:
            NotFoundError
            InvalidTransitionError
        """
        return await self._request(
            Case,
            "POST",
            "/v1/test/cases/{id}/deliver",
            ids={"id": case_id},
            options=Options(
                idempotency_key=idempotency_key,
                timeout=timeout,
                max_retries=max_retries,
                organization=organization,
            ),
        )

    async def block(
        self,
        case_id: str,
        *,
        reason: str,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Case:
        """Simulate the pharmacy blocking a case's orders.

        Ship resumes a blocked order.

        Scope: test:manage. Events: order.blocked.v1.

        Raises:
            NotFoundError
            InvalidTransitionError
        """
        return await self._request(
            Case,
            "POST",
            "/v1/test/cases/{id}/block",
            ids={"id": case_id},
            body=given({"reason": reason}),
            options=Options(
                idempotency_key=idempotency_key,
                timeout=timeout,
                max_retries=max_retries,
                organization=organization,
            ),
        )

    async def fail(
        self,
        case_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Case:
        """Simulate the permanent failure of a case's orders.

        Scope: test:manage. Events: order.failed.v1, prescription.updated.v1.

        Raises:
            NotFoundError
            InvalidTransitionError
        """
        return await self._request(
            Case,
            "POST",
            "/v1/test/cases/{id}/fail",
            ids={"id": case_id},
            options=Options(
                idempotency_key=idempotency_key,
                timeout=timeout,
                max_retries=max_retries,
                organization=organization,
            ),
        )


class AsyncTestCasesWithRawResponse:
    """The methods of `AsyncTestCases`, with their responses."""

    def __init__(self, test_cases: AsyncTestCases) -> None:
        self.decide = async_raw(test_cases.decide)
        self.clinician_message = async_raw(test_cases.clinician_message)
        self.ship = async_raw(test_cases.ship)
        self.deliver = async_raw(test_cases.deliver)
        self.block = async_raw(test_cases.block)
        self.fail = async_raw(test_cases.fail)
