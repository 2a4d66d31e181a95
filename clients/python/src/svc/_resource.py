"""Base classes of the generated resources, whose methods make one API call each."""

from __future__ import annotations

from typing import (
    Any,
    List,
    Mapping,
    Protocol,
    Type,
    TypeVar,
)

from ._answers import Download, RawResponse, result_of
from ._calls import Answer, Call
from ._options import checked
from ._pages import AsyncPage, Listing, Page
from ._settings import Settings

T = TypeVar("T")
Given = Mapping[str, Any]


class Caller(Protocol):
    """The parts of a client that its resources use."""

    settings: Settings

    def call(self, call: Call, is_stream: bool = False) -> Answer: ...

    def upload(self, url: str, headers: Mapping[str, str], body: bytes, call: Call) -> Answer: ...


class AsyncCaller(Protocol):
    """Like `Caller`, for `AsyncClient`."""

    settings: Settings

    async def call(self, call: Call, is_stream: bool = False) -> Answer: ...

    async def upload(
        self, url: str, headers: Mapping[str, str], body: bytes, call: Call
    ) -> Answer: ...


def _listing(returns: Any, path: str, cursor: str, options: Given, more: Any) -> Listing:
    return Listing(Call("GET", path, returns, "list", options=checked(options), **more), cursor)


class Resource:
    """The base class of `Client`'s resources."""

    def __init__(self, caller: Caller, raw: bool = False) -> None:
        self._caller = caller
        self._raw = raw

    def _finish(self, call: Call) -> Any:
        answer = self._caller.call(call)
        result = result_of(call, answer)
        return RawResponse(result, answer) if self._raw else result

    def _request(self, returns: Type[T], method: str, path: str, options: Given, **more: Any) -> T:
        call = Call(method, path, returns, options=checked(options), **more)
        result: T = self._finish(call)
        return result

    def _items(
        self, returns: Type[T], method: str, path: str, options: Given, **more: Any
    ) -> List[T]:
        call = Call(method, path, returns, "list", options=checked(options), **more)
        result: List[T] = self._finish(call)
        return result

    def _download(
        self, returns: Type[T], method: str, path: str, options: Given, **more: Any
    ) -> Download[T]:
        call = Call(method, path, returns, "download", options=checked(options), **more)
        result: Download[T] = self._finish(call)
        return result

    def _page(
        self, returns: Type[T], path: str, cursor: str, options: Given, **more: Any
    ) -> Page[T]:
        listing = _listing(returns, path, cursor, options, more)
        if not self._raw:
            return Page(listing, self._caller.call)
        answer = self._caller.call(listing.call)
        page: Page[T] = Page(listing, self._caller.call, answer)
        wrapped: Any = RawResponse(page, answer)
        result: Page[T] = wrapped
        return result


class AsyncResource:
    """The base class of `AsyncClient`'s resources."""

    def __init__(self, caller: AsyncCaller, raw: bool = False) -> None:
        self._caller = caller
        self._raw = raw

    async def _finish(self, call: Call) -> Any:
        answer = await self._caller.call(call)
        result = result_of(call, answer)
        return RawResponse(result, answer) if self._raw else result

    async def _request(
        self, returns: Type[T], method: str, path: str, options: Given, **more: Any
    ) -> T:
        call = Call(method, path, returns, options=checked(options), **more)
        result: T = await self._finish(call)
        return result

    async def _items(
        self, returns: Type[T], method: str, path: str, options: Given, **more: Any
    ) -> List[T]:
        call = Call(method, path, returns, "list", options=checked(options), **more)
        result: List[T] = await self._finish(call)
        return result

    async def _download(
        self, returns: Type[T], method: str, path: str, options: Given, **more: Any
    ) -> Download[T]:
        call = Call(method, path, returns, "download", options=checked(options), **more)
        result: Download[T] = await self._finish(call)
        return result

    def _page(
        self, returns: Type[T], path: str, cursor: str, options: Given, **more: Any
    ) -> AsyncPage[T]:
        listing = _listing(returns, path, cursor, options, more)
        if not self._raw:
            return AsyncPage(listing, self._caller.call)
        wrapped: Any = self._raw_page(listing)
        result: AsyncPage[T] = wrapped
        return result

    async def _raw_page(self, listing: Listing) -> RawResponse[AsyncPage[Any]]:
        answer = await self._caller.call(listing.call)
        return RawResponse(AsyncPage[Any](listing, self._caller.call, answer), answer)


class WithRawResponse:
    """Forwards to a resource created with raw=True.

    Subclasses declare its methods for type checkers.
    """

    def __init__(self, resource: Any) -> None:
        self.__resource = resource

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.__resource, name)
