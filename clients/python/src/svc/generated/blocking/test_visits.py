# Generated from the contract by clients/generate/generate.ts; do not edit.
from __future__ import annotations

from typing import Optional

from ..._calls import Options
from ..._resource import Resource, raw
from ..results import Visit


class TestVisits(Resource):
    """`test.visits` of `Client`."""

    @property
    def with_raw_response(self) -> TestVisitsWithRawResponse:
        """The same methods; each returns its result together with the response."""
        return TestVisitsWithRawResponse(TestVisits(self._caller, raw=True))

    def start(
        self,
        visit_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Visit:
        """Simulate the clinician starting the visit.

        It can be called at any time, also before starts_at.

        Scope: test:manage. Events: visit.started.v1.

        Raises:
            NotFoundError
            InvalidTransitionError
        """
        return self._request(
            Visit,
            "POST",
            "/v1/test/visits/{id}/start",
            ids={"id": visit_id},
            options=Options(
                idempotency_key=idempotency_key,
                timeout=timeout,
                max_retries=max_retries,
                organization=organization,
            ),
        )

    def complete(
        self,
        visit_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Visit:
        """Simulate the end of a started visit.

        It creates a `video_visit` charge; no other operation creates charges. In test mode
        the charge is only in its event, not in usage or an invoice.

        Scope: test:manage. Events: visit.completed.v1, charge.created.v1.

        Raises:
            NotFoundError
            InvalidTransitionError
        """
        return self._request(
            Visit,
            "POST",
            "/v1/test/visits/{id}/complete",
            ids={"id": visit_id},
            options=Options(
                idempotency_key=idempotency_key,
                timeout=timeout,
                max_retries=max_retries,
                organization=organization,
            ),
        )

    def no_show(
        self,
        visit_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Visit:
        """Simulate a patient who does not show up.

        It creates no charge.

        Scope: test:manage. Events: visit.no_show.v1.

        Raises:
            NotFoundError
            InvalidTransitionError
        """
        return self._request(
            Visit,
            "POST",
            "/v1/test/visits/{id}/no_show",
            ids={"id": visit_id},
            options=Options(
                idempotency_key=idempotency_key,
                timeout=timeout,
                max_retries=max_retries,
                organization=organization,
            ),
        )


class TestVisitsWithRawResponse:
    """The methods of `TestVisits`, with their responses."""

    def __init__(self, test_visits: TestVisits) -> None:
        self.start = raw(test_visits.start)
        self.complete = raw(test_visits.complete)
        self.no_show = raw(test_visits.no_show)
