# Generated from the contract by clients/generate/generate.ts; do not edit.
from __future__ import annotations

from typing import Optional

from ..._calls import Options
from ..._resource import AsyncCaller, AsyncResource, async_raw
from ..results import SandboxReset
from .test_autopilot import AsyncTestAutopilot
from .test_cases import AsyncTestCases
from .test_visits import AsyncTestVisits
from .test_webhooks import AsyncTestWebhooks


class AsyncTest(AsyncResource):
    """`test` of `AsyncClient`."""

    def __init__(self, caller: AsyncCaller, raw: bool = False) -> None:
        super().__init__(caller, raw)
        self.cases = AsyncTestCases(caller)
        self.visits = AsyncTestVisits(caller)
        self.webhooks = AsyncTestWebhooks(caller)
        self.autopilot = AsyncTestAutopilot(caller)

    @property
    def with_raw_response(self) -> AsyncTestWithRawResponse:
        """The same methods; each returns its result together with the response."""
        return AsyncTestWithRawResponse(AsyncTest(self._caller, raw=True))

    async def reset(
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
        return await self._request(
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


class AsyncTestWithRawResponse:
    """The methods of `AsyncTest`, with their responses."""

    def __init__(self, test: AsyncTest) -> None:
        self.reset = async_raw(test.reset)
