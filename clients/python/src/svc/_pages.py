"""Lists, which yield pages or items."""

from __future__ import annotations

import itertools
from typing import (
    Any,
    AsyncIterator,
    Awaitable,
    Callable,
    Generator,
    Generic,
    Iterator,
    List,
    NamedTuple,
    Optional,
    TypeVar,
)

from ._calls import Answer, Call, given
from ._errors import SvcError
from ._model import read_items
from .generated.contract import PAGE_MAX

T = TypeVar("T")


class Listing(NamedTuple):
    """A list call that starts at a given page."""

    call: Call
    cursor: str
    """The item field to pass as `starting_after`."""

    def after(self, item_id: str) -> Listing:
        return self._replace(call=self._with(starting_after=item_id))

    def sized(self, count: int = PAGE_MAX) -> Listing:
        """Sets the page size to read `count` items in few requests, unless the caller set one."""
        if self.call.query.get("limit") is not None:
            return self
        return self._replace(call=self._with(limit=min(count, PAGE_MAX)))

    def _with(self, **query: Any) -> Call:
        return self.call._replace(query=given({**self.call.query, **query}))


class _Loaded(Generic[T]):
    def __init__(self, listing: Listing, answer: Answer) -> None:
        body = answer.json()
        rows = body["data"]
        self.data: List[T] = read_items(listing.call.returns, rows)
        self.last_id: Optional[str] = rows[-1][listing.cursor] if rows else None
        self.has_more: bool = bool(body["has_more"]) and self.last_id is not None
        self.request_id: Optional[str] = answer.response.headers.get("request-id")


class _AnyPage(Generic[T]):
    """The base class of both clients' pages."""

    def __init__(self, listing: Listing, answer: Optional[Answer]) -> None:
        self._listing = listing
        self._loaded: Optional[_Loaded[T]] = None if answer is None else _Loaded(listing, answer)

    def _page(self) -> _Loaded[T]:
        if self._loaded is None:
            raise SvcError("This page has not been loaded: await it first.")
        return self._loaded

    @property
    def data(self) -> List[T]:
        """This page's items."""
        return self._page().data

    @property
    def has_more(self) -> bool:
        """Whether another page follows."""
        return self._page().has_more

    @property
    def request_id(self) -> Optional[str]:
        """The response's request ID."""
        return self._page().request_id

    def _next_listing(self) -> Optional[Listing]:
        page = self._page()
        if not page.has_more or page.last_id is None:
            return None
        return self._listing.after(page.last_id)

    def __repr__(self) -> str:
        items = "not loaded" if self._loaded is None else f"{len(self._loaded.data)} items"
        return f"{type(self).__name__}({items})"


class Page(_AnyPage[T]):
    """A list from `Client`, requested on first use.

    Iteration yields every item, page by page. `data` and `has_more` describe one page.
    """

    def __init__(
        self, listing: Listing, run: Callable[[Call], Answer], answer: Optional[Answer] = None
    ) -> None:
        super().__init__(listing, answer)
        self._run = run

    def _page(self) -> _Loaded[T]:
        return self._load(self._listing)

    def _load(self, listing: Listing) -> _Loaded[T]:
        if self._loaded is None:
            self._listing = listing
            self._loaded = _Loaded(listing, self._run(listing.call))
        return self._loaded

    def next(self) -> Optional[Page[T]]:
        """The next page; None after the last one."""
        listing = self._next_listing()
        return None if listing is None else Page(listing, self._run)

    def pages(self) -> Iterator[Page[T]]:
        """Yields this page and every later page."""
        page: Optional[Page[T]] = self
        last: Optional[str] = None
        while page is not None:
            try:
                last = page._load(page._listing.sized()).last_id or last
            except SvcError as error:
                error.last_id = last
                raise
            yield page
            page = page.next()

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page.data

    def to_list(self, max: int) -> List[T]:
        """Returns up to `max` items.

        `max` has no default, so you can't read a whole list by accident.
        """
        if max <= 0:
            return []
        self._load(self._listing.sized(max))
        return list(itertools.islice(self, max))

    async def aiter(self) -> AsyncIterator[T]:
        """Yields every item, for asynchronous code. Requests run in a thread."""
        import asyncio

        loop = asyncio.get_running_loop()
        pages = self.pages()
        while True:
            page: Optional[Page[T]] = await loop.run_in_executor(None, _next_or_none, pages)
            if page is None:
                return
            for item in page.data:
                yield item

    def __aiter__(self) -> AsyncIterator[T]:
        return self.aiter()


class AsyncPage(_AnyPage[T]):
    """A list from `AsyncClient`.

    `await` it for the first page, or use `async for` to get every item.
    """

    def __init__(
        self,
        listing: Listing,
        run: Callable[[Call], Awaitable[Answer]],
        answer: Optional[Answer] = None,
    ) -> None:
        super().__init__(listing, answer)
        self._run = run

    def __await__(self) -> Generator[Any, None, AsyncPage[T]]:
        return self._loaded_page(self._listing).__await__()

    async def _loaded_page(self, listing: Listing) -> AsyncPage[T]:
        if self._loaded is None:
            self._listing = listing
            self._loaded = _Loaded(listing, await self._run(listing.call))
        return self

    async def next(self) -> Optional[AsyncPage[T]]:
        """The next page; None after the last one."""
        listing = self._next_listing()
        return None if listing is None else await AsyncPage[T](listing, self._run)

    async def pages(self) -> AsyncIterator[AsyncPage[T]]:
        """Yields this page and every later page."""
        page: AsyncPage[T] = self
        last: Optional[str] = None
        while True:
            try:
                await page._loaded_page(page._listing.sized())
            except SvcError as error:
                error.last_id = last
                raise
            last = page._page().last_id or last
            yield page
            listing = page._next_listing()
            if listing is None:
                return
            page = AsyncPage(listing, self._run)

    async def aiter(self) -> AsyncIterator[T]:
        """Yields every item, like `async for` over the list itself."""
        async for page in self.pages():
            for item in page.data:
                yield item

    def __aiter__(self) -> AsyncIterator[T]:
        return self.aiter()

    async def to_list(self, max: int) -> List[T]:
        """Returns up to `max` items.

        `max` has no default, so you can't read a whole list by accident.
        """
        items: List[T] = []
        if max <= 0:
            return items
        await self._loaded_page(self._listing.sized(max))
        async for item in self:
            items.append(item)
            if len(items) == max:
                break
        return items


def _next_or_none(pages: Iterator[Page[T]]) -> Optional[Page[T]]:
    return next(pages, None)
