# Generated from the contract by clients/generate/generate.ts; do not edit.
from __future__ import annotations

from datetime import datetime
from typing import List, Optional, Union

from ..._calls import Options, given
from ..._pages import AsyncPage
from ..._resource import AsyncResource, async_raw
from ..results import Delivery, Event
from ..words import EventType


class AsyncEvents(AsyncResource):
    """`events` of `AsyncClient`."""

    @property
    def with_raw_response(self) -> AsyncEventsWithRawResponse:
        """The same methods; each returns its result together with the response."""
        return AsyncEventsWithRawResponse(AsyncEvents(self._caller, raw=True))

    def list(
        self,
        *,
        limit: Optional[int] = None,
        starting_after: Optional[str] = None,
        since: Optional[Union[datetime, str]] = None,
        type: Optional[EventType] = None,
        include_resource: Optional[bool] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> AsyncPage[Event]:
        """Poll the event stream.

        Store the created_at of the last event you processed and send it as since: no event
        is missed or repeated.

        Scope: events:read.

        Args:
            limit: Items per page. Default: `20`.
            starting_after: The id of the last item you received. It works even after that item
                was deleted.
            since: Strictly after.
            include_resource: Default: `False`.
        """
        return self._page(
            Event,
            "/v1/events",
            cursor="id",
            query=given(
                {
                    "limit": limit,
                    "starting_after": starting_after,
                    "since": since,
                    "type": type,
                    "include_resource": include_resource,
                }
            ),
            options=Options(timeout=timeout, max_retries=max_retries, organization=organization),
        )

    async def get(
        self,
        event_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Event:
        """Read an event.

        Scope: events:read.

        Raises:
            NotFoundError
        """
        return await self._request(
            Event,
            "GET",
            "/v1/events/{id}",
            ids={"id": event_id},
            options=Options(timeout=timeout, max_retries=max_retries, organization=organization),
        )

    async def redeliver(
        self,
        event_id: str,
        *,
        webhook_endpoint: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> List[Delivery]:
        """Send an event again.

        Sends it to every enabled endpoint that subscribes to its type, or only to
        webhook_endpoint, whatever its subscriptions. The event keeps its id, so that
        receivers can recognize it. At most 60 per minute. Also 429 while deliveries are a
        minute behind.

        Scope: webhooks:manage.

        Raises:
            NotFoundError
            EndpointDisabledError
        """
        return await self._items(
            Delivery,
            "POST",
            "/v1/events/{id}/redeliver",
            ids={"id": event_id},
            body=given({"webhook_endpoint": webhook_endpoint}),
            options=Options(
                idempotency_key=idempotency_key,
                timeout=timeout,
                max_retries=max_retries,
                organization=organization,
            ),
        )


class AsyncEventsWithRawResponse:
    """The methods of `AsyncEvents`, with their responses."""

    def __init__(self, events: AsyncEvents) -> None:
        self.list = async_raw(events.list)
        self.get = async_raw(events.get)
        self.redeliver = async_raw(events.redeliver)
