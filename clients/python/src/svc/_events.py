"""Reading events by asking again and again, without missing one."""

from __future__ import annotations

import asyncio
import time
from datetime import datetime, timezone
from typing import (
    AsyncIterator,
    Awaitable,
    Callable,
    FrozenSet,
    Iterable,
    Iterator,
    List,
    Optional,
    Union,
)

from ._pages import AsyncPage, Page
from .generated.results import Event

Moment = Union[datetime, str]


class _AnyStream:
    def __init__(
        self, since: Optional[Moment], types: Optional[Iterable[str]], seconds: float
    ) -> None:
        self.cursor: Moment = datetime.now(timezone.utc) if since is None else since
        """The `created_at` of the last event. Store it, and pass it as `since` after a restart."""
        self._types: Optional[FrozenSet[str]] = None if types is None else frozenset(types)
        self._seconds = seconds

    def _takes(self, event: Event) -> bool:
        self.cursor = event.created_at
        return self._types is None or event.type in self._types


class EventStream(_AnyStream):
    """Events as they happen; it does not end. Between requests without events it waits."""

    def __init__(
        self,
        fetch: Callable[[Moment], Page[Event]],
        since: Optional[Moment],
        types: Optional[Iterable[str]],
        seconds: float,
    ) -> None:
        super().__init__(since, types, seconds)
        self._fetch = fetch

    def __iter__(self) -> Iterator[Event]:
        while True:
            page = self._fetch(self.cursor)
            for event in page.data:
                if self._takes(event):
                    yield event
            if not page.has_more:
                time.sleep(self._seconds)


class AsyncEventStream(_AnyStream):
    """Events as they happen; it does not end. Between requests without events it waits."""

    def __init__(
        self,
        fetch: Callable[[Moment], Awaitable[AsyncPage[Event]]],
        since: Optional[Moment],
        types: Optional[Iterable[str]],
        seconds: float,
    ) -> None:
        super().__init__(since, types, seconds)
        self._fetch = fetch

    async def __aiter__(self) -> AsyncIterator[Event]:
        while True:
            page = await self._fetch(self.cursor)
            for event in page.data:
                if self._takes(event):
                    yield event
            if not page.has_more:
                await asyncio.sleep(self._seconds)


def pauses(timeout: float) -> Iterator[float]:
    """Growing pauses, in seconds, that together take no longer than the timeout."""
    ends = time.monotonic() + timeout
    pause = 1.0
    while True:
        remaining = ends - time.monotonic()
        if remaining <= 0:
            return
        yield min(pause, remaining)
        pause = min(pause * 1.5, 10.0)


def listed(values: Union[str, Iterable[str]]) -> List[str]:
    return [values] if isinstance(values, str) else list(values)
