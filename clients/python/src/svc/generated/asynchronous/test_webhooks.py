# Generated from the contract by clients/generate/generate.ts; do not edit.
from __future__ import annotations

from typing import Optional

from ..._calls import Options, given
from ..._resource import AsyncResource, async_raw
from ..results import Event
from ..words import EventType


class AsyncTestWebhooks(AsyncResource):
    """`test.webhooks` of `AsyncClient`."""

    @property
    def with_raw_response(self) -> AsyncTestWebhooksWithRawResponse:
        """The same methods; each returns its result together with the response."""
        return AsyncTestWebhooksWithRawResponse(AsyncTestWebhooks(self._caller, raw=True))

    async def trigger(
        self,
        *,
        type: EventType,
        webhook_endpoint: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Event:
        """Write an event of any type about a made-up resource, and deliver it.

        The event is listed and delivered like any other; its resource answers 404. With
        webhook_endpoint only that endpoint receives it, whatever its subscriptions. At most
        60 per minute. Also 429 while deliveries are a minute behind.

        Scope: test:manage.

        Raises:
            EndpointDisabledError
        """
        return await self._request(
            Event,
            "POST",
            "/v1/test/webhooks/trigger",
            body=given({"type": type, "webhook_endpoint": webhook_endpoint}),
            options=Options(
                idempotency_key=idempotency_key,
                timeout=timeout,
                max_retries=max_retries,
                organization=organization,
            ),
        )


class AsyncTestWebhooksWithRawResponse:
    """The methods of `AsyncTestWebhooks`, with their responses."""

    def __init__(self, test_webhooks: AsyncTestWebhooks) -> None:
        self.trigger = async_raw(test_webhooks.trigger)
