# Generated from the contract by clients/generate/generate.ts; do not edit.
from __future__ import annotations

from typing import Optional

from ..._calls import Options
from ..._resource import AsyncResource, async_raw
from ..results import RealtimeToken


class AsyncRealtime(AsyncResource):
    """`realtime` of `AsyncClient`."""

    @property
    def with_raw_response(self) -> AsyncRealtimeWithRawResponse:
        """The same methods; each returns its result together with the response."""
        return AsyncRealtimeWithRawResponse(AsyncRealtime(self._caller, raw=True))

    async def create_token(
        self,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> RealtimeToken:
        """Create a token that subscribes to the events of one organization.

        The name of each message is the event type, and its body is that of `GET
        /v1/events/{id}`. Messages are notifications and can be missed: read `GET /v1/events`
        after every connect. Tokens cannot publish.

        Scope: realtime:subscribe.
        """
        return await self._request(
            RealtimeToken,
            "POST",
            "/v1/realtime/tokens",
            options=Options(
                idempotency_key=idempotency_key,
                timeout=timeout,
                max_retries=max_retries,
                organization=organization,
            ),
        )


class AsyncRealtimeWithRawResponse:
    """The methods of `AsyncRealtime`, with their responses."""

    def __init__(self, realtime: AsyncRealtime) -> None:
        self.create_token = async_raw(realtime.create_token)
