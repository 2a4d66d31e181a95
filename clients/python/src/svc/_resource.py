"""What the methods of a resource have in common: each makes one call."""

from __future__ import annotations

from typing import (
    TYPE_CHECKING,
    Any,
    Awaitable,
    Callable,
    List,
    Mapping,
    Optional,
    Protocol,
    Type,
    TypeVar,
)

from ._answers import Download, RawResponse, raw_response, result_of
from ._calls import Answer, Call, Options
from ._pages import AsyncPage, Listing, Page
from ._settings import Settings

if TYPE_CHECKING:
    from typing_extensions import ParamSpec

    P = ParamSpec("P")

T = TypeVar("T")
R = TypeVar("R")

_NONE: Mapping[str, Any] = {}


class Caller(Protocol):
    """A client, as its resources know it."""

    settings: Settings

    def call(self, call: Call) -> Answer: ...

    def upload(self, url: str, headers: Mapping[str, str], body: bytes, call: Call) -> Answer: ...


class AsyncCaller(Protocol):
    """As `Caller`, for `AsyncClient`."""

    settings: Settings

    async def call(self, call: Call) -> Answer: ...

    async def upload(
        self, url: str, headers: Mapping[str, str], body: bytes, call: Call
    ) -> Answer: ...


class Resource:
    """Methods of `Client`."""

    def __init__(self, caller: Caller, raw: bool = False) -> None:
        self._caller = caller
        self._raw = raw

    def _finish(self, call: Call) -> Any:
        answer = self._caller.call(call)
        result = result_of(call, answer)
        return raw_response(result, answer) if self._raw else result

    def _request(
        self,
        returns: Type[T],
        method: str,
        path: str,
        *,
        ids: Mapping[str, str] = _NONE,
        query: Mapping[str, Any] = _NONE,
        body: Optional[Mapping[str, Any]] = None,
        options: Options,
    ) -> T:
        result: T = self._finish(Call(method, path, returns, "resource", ids, query, body, options))
        return result

    def _items(
        self,
        returns: Type[T],
        method: str,
        path: str,
        *,
        ids: Mapping[str, str] = _NONE,
        body: Optional[Mapping[str, Any]] = None,
        options: Options,
    ) -> List[T]:
        result: List[T] = self._finish(
            Call(method, path, returns, "list", ids, _NONE, body, options)
        )
        return result

    def _download(
        self,
        returns: Type[T],
        method: str,
        path: str,
        *,
        ids: Mapping[str, str],
        if_none_match: Optional[str],
        options: Options,
    ) -> Download[T]:
        call = Call(method, path, returns, "download", ids, _NONE, None, options, if_none_match)
        result: Download[T] = self._finish(call)
        return result

    def _page(
        self,
        returns: Type[T],
        path: str,
        *,
        cursor: str,
        ids: Mapping[str, str] = _NONE,
        query: Mapping[str, Any] = _NONE,
        options: Options,
    ) -> Page[T]:
        call = Call("GET", path, returns, "list", ids, query, None, options)
        listing = Listing(call, cursor)
        if not self._raw:
            return Page(listing, self._caller.call)
        answer = self._caller.call(call)
        page: Page[T] = Page(listing, self._caller.call, answer)
        wrapped: Any = raw_response(page, answer)
        result: Page[T] = wrapped
        return result


class AsyncResource:
    """Methods of `AsyncClient`."""

    def __init__(self, caller: AsyncCaller, raw: bool = False) -> None:
        self._caller = caller
        self._raw = raw

    async def _finish(self, call: Call) -> Any:
        answer = await self._caller.call(call)
        result = result_of(call, answer)
        return raw_response(result, answer) if self._raw else result

    async def _request(
        self,
        returns: Type[T],
        method: str,
        path: str,
        *,
        ids: Mapping[str, str] = _NONE,
        query: Mapping[str, Any] = _NONE,
        body: Optional[Mapping[str, Any]] = None,
        options: Options,
    ) -> T:
        call = Call(method, path, returns, "resource", ids, query, body, options)
        result: T = await self._finish(call)
        return result

    async def _items(
        self,
        returns: Type[T],
        method: str,
        path: str,
        *,
        ids: Mapping[str, str] = _NONE,
        body: Optional[Mapping[str, Any]] = None,
        options: Options,
    ) -> List[T]:
        call = Call(method, path, returns, "list", ids, _NONE, body, options)
        result: List[T] = await self._finish(call)
        return result

    async def _download(
        self,
        returns: Type[T],
        method: str,
        path: str,
        *,
        ids: Mapping[str, str],
        if_none_match: Optional[str],
        options: Options,
    ) -> Download[T]:
        call = Call(method, path, returns, "download", ids, _NONE, None, options, if_none_match)
        result: Download[T] = await self._finish(call)
        return result

    def _page(
        self,
        returns: Type[T],
        path: str,
        *,
        cursor: str,
        ids: Mapping[str, str] = _NONE,
        query: Mapping[str, Any] = _NONE,
        options: Options,
    ) -> AsyncPage[T]:
        call = Call("GET", path, returns, "list", ids, query, None, options)
        listing = Listing(call, cursor)
        if not self._raw:
            return AsyncPage(listing, self._caller.call)
        wrapped: Any = self._raw_page(listing)
        result: AsyncPage[T] = wrapped
        return result

    async def _raw_page(self, listing: Listing) -> RawResponse[AsyncPage[Any]]:
        answer = await self._caller.call(listing.call)
        return raw_response(AsyncPage[Any](listing, self._caller.call, answer), answer)


# A resource made with raw=True hands its responses over; these only say so to a type checker.


def raw(method: Callable[P, R]) -> Callable[P, RawResponse[R]]:
    wrapped: Any = method
    result: Callable[P, RawResponse[R]] = wrapped
    return result


def async_raw(method: Callable[P, Awaitable[R]]) -> Callable[P, Awaitable[RawResponse[R]]]:
    wrapped: Any = method
    result: Callable[P, Awaitable[RawResponse[R]]] = wrapped
    return result
