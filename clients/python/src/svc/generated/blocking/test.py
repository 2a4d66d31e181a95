# Generated from the contract by clients/generate/generate.ts; do not edit.
from __future__ import annotations

from typing import Optional

from ..._calls import Options
from ..._resource import Caller, Resource, raw
from ..results import SandboxReset
from .test_autopilot import TestAutopilot
from .test_cases import TestCases
from .test_visits import TestVisits
from .test_webhooks import TestWebhooks


class Test(Resource):
    """`test` of `Client`."""

    def __init__(self, caller: Caller, raw: bool = False) -> None:
        super().__init__(caller, raw)
        self.cases = TestCases(caller)
        self.visits = TestVisits(caller)
        self.webhooks = TestWebhooks(caller)
        self.autopilot = TestAutopilot(caller)

    @property
    def with_raw_response(self) -> TestWithRawResponse:
        """The same methods; each returns its result together with the response."""
        return TestWithRawResponse(Test(self._caller, raw=True))

    def reset(
        self,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> SandboxReset:
        """Empty the sandbox.

        Deletes all sandbox data of the integration at once, and turns autopilot off.
        Credentials and webhook endpoints are kept. Deletions write no events, and earlier
        positions (`since`, `starting_after`) stay valid, unless the clock of the sandbox had
        been advanced.

        Scope: test:manage.
        """
        return self._request(
            SandboxReset,
            "POST",
            "/v1/test/reset",
            options=Options(
                idempotency_key=idempotency_key,
                timeout=timeout,
                max_retries=max_retries,
                organization=organization,
            ),
        )


class TestWithRawResponse:
    """The methods of `Test`, with their responses."""

    def __init__(self, test: Test) -> None:
        self.reset = raw(test.reset)
