# Generated from the contract by clients/generate/generate.ts; do not edit.
from __future__ import annotations

from typing import Optional, Union

from ..._calls import Options, given
from ..._given import NOT_GIVEN, NotGiven
from ..._resource import Resource, raw
from ..results import Autopilot


class TestAutopilot(Resource):
    """`test.autopilot` of `Client`."""

    @property
    def with_raw_response(self) -> TestAutopilotWithRawResponse:
        """The same methods; each returns its result together with the response."""
        return TestAutopilotWithRawResponse(TestAutopilot(self._caller, raw=True))

    def get(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Autopilot:
        """Read the sandbox's timers.

        Scope: test:manage.
        """
        return self._request(
            Autopilot,
            "GET",
            "/v1/test/autopilot",
            options=Options(timeout=timeout, max_retries=max_retries, organization=organization),
        )

    def update(
        self,
        *,
        approve_after_s: Union[Optional[int], NotGiven] = NOT_GIVEN,
        ship_after_s: Union[Optional[int], NotGiven] = NOT_GIVEN,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Autopilot:
        """Set the sandbox's timers.

        An omitted timer is unchanged; null turns one off. New values apply to waiting cases
        and orders from the next full minute.

        Scope: test:manage.

        Args:
            approve_after_s: Seconds from a case entering queued or in_review to its approval.
                null turns it off. None clears it.
            ship_after_s: Seconds from an order's last change to its shipping, then to its
                delivery. null turns it off. None clears it.
        """
        return self._request(
            Autopilot,
            "PATCH",
            "/v1/test/autopilot",
            body=given(
                {"approve_after_s": approve_after_s, "ship_after_s": ship_after_s},
                clears=(
                    "approve_after_s",
                    "ship_after_s",
                ),
            ),
            options=Options(
                idempotency_key=idempotency_key,
                timeout=timeout,
                max_retries=max_retries,
                organization=organization,
            ),
        )


class TestAutopilotWithRawResponse:
    """The methods of `TestAutopilot`, with their responses."""

    def __init__(self, test_autopilot: TestAutopilot) -> None:
        self.get = raw(test_autopilot.get)
        self.update = raw(test_autopilot.update)
