"""Polls for events without missing any."""

from __future__ import annotations

import time
from datetime import datetime, timezone
from typing import (
    Any,
    AsyncIterator,
    Awaitable,
    Callable,
    Dict,
    FrozenSet,
    Iterable,
    Iterator,
    List,
    Optional,
    Union,
)

from ._pages import AsyncPage, Page
from ._settings import Session
from .generated.contract import PAGE_MAX
from .generated.results import Event

Moment = Union[datetime, str]


class _AnyStream:
    """The base class of event streams.

    Without `since`, a stream starts at its creation time by the server's clock, because this
    machine's clock may differ. Every response includes the server's time.
    """

    def __init__(
        self,
        fetch: Callable[..., Any],
        session: Session,
        since: Optional[Moment],
        types: Optional[Iterable[str]],
        seconds: float,
    ) -> None:
        self.cursor: Optional[Moment] = since
        """The `created_at` of the last event read, including events that `types` excludes. Store
        it, and pass it as `since` after a restart. None until the first response unless `since`
        was passed."""
        self._fetch = fetch
        self._session = session
        self._made = time.time()
        self._types: Optional[FrozenSet[str]] = None if types is None else frozenset(types)
        self._seconds = seconds

    def _query(self) -> Dict[str, Any]:
        only = list(self._types or ())
        return {"limit": PAGE_MAX, "type": only[0] if len(only) == 1 else None}

    def _first_query(self) -> Optional[Dict[str, Any]]:
        """A query that gets the server's time. None if an earlier response included it."""
        if self._session.server_time(self._made) is not None:
            return None
        return {"since": datetime.fromtimestamp(self._made, timezone.utc), "limit": 1}

    def _begin(self) -> None:
        at = self._session.server_time(self._made)
        self.cursor = datetime.fromtimestamp(self._made if at is None else at, timezone.utc)

    def _takes(self, event: Event) -> bool:
        self.cursor = event.created_at
        return self._types is None or event.type in self._types


class EventStream(_AnyStream):
    """Polls for events and yields them, without end. To resume later, store `cursor`."""

    _fetch: Callable[..., Page[Event]]

    def __iter__(self) -> Iterator[Event]:
        if self.cursor is None:
            query = self._first_query()
            if query is not None:
                self._fetch(**query).data  # noqa: B018
            self._begin()
        while True:
            page = self._fetch(since=self.cursor, **self._query())
            for event in page.data:
                if self._takes(event):
                    yield event
            if not page.has_more:
                time.sleep(self._seconds)


class AsyncEventStream(_AnyStream):
    """Polls for events and yields them, without end. To resume later, store `cursor`."""

    _fetch: Callable[..., Awaitable[AsyncPage[Event]]]

    async def __aiter__(self) -> AsyncIterator[Event]:
        import asyncio

        if self.cursor is None:
            query = self._first_query()
            if query is not None:
                await self._fetch(**query)
            self._begin()
        while True:
            page = await self._fetch(since=self.cursor, **self._query())
            for event in page.data:
                if self._takes(event):
                    yield event
            if not page.has_more:
                await asyncio.sleep(self._seconds)


def listed(values: Union[str, Iterable[str]]) -> List[str]:
    return [values] if isinstance(values, str) else list(values)
