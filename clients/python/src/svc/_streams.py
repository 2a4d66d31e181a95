"""Downloads that are read in parts, so a whole file is never in memory."""

from __future__ import annotations

import os
import time
from typing import Any, AsyncIterator, Dict, Generator, Iterator, Optional, Union

from ._attempts import connection_error
from ._calls import Answer, Call
from ._http import TransportError, TransportTimeout

Path = Union[str, "os.PathLike[str]"]


class _AnyStream:
    def __init__(self, caller: Any, call: Call) -> None:
        self._caller = caller
        self._call = call._replace(options=call.options.over(caller.settings.options))
        total = self._call.options.total_timeout
        self._ends = float("inf") if total is None else time.monotonic() + total
        self._answer: Optional[Answer] = None

    @property
    def _response(self) -> Any:
        if self._answer is None:
            raise RuntimeError("Use it in a with statement.")
        return self._answer.response

    @property
    def headers(self) -> Dict[str, str]:
        """Headers, with lowercase names."""
        found: Dict[str, str] = self._response.headers
        return found

    @property
    def request_id(self) -> Optional[str]:
        return self.headers.get("request-id")

    @property
    def etag(self) -> Optional[str]:
        return self.headers.get("etag")

    @property
    def is_unchanged(self) -> bool:
        """Whether the file still matches `if_none_match`. If so, there are no parts."""
        return bool(self._response.status == 304)

    def close(self) -> None:
        """Discards unread parts and closes their connection."""
        close = getattr(self._answer and self._answer.response, "close", None)
        if close is not None:
            close()

    def _failure(self, failure: TransportError) -> Exception:
        return connection_error(failure, self._call, 1, None)

    def _check_time(self) -> None:
        if time.monotonic() > self._ends:
            total = self._call.options.total_timeout
            raise self._failure(TransportTimeout(f"the total timeout of {total:g} s has passed"))


class Stream(_AnyStream):
    """A download from `Client`: a context manager, and an iterator over its parts."""

    def __init__(self, caller: Any, call: Call) -> None:
        super().__init__(caller, call)
        self._answer = caller.call(self._call, is_stream=True)

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __iter__(self) -> Iterator[bytes]:
        try:
            for part in getattr(self._response, "parts", None) or (self._response.body,):
                self._check_time()
                if part:
                    yield part
        except TransportError as failure:
            raise self._failure(failure) from failure
        finally:
            self.close()

    def save(self, path: Path) -> None:
        """Writes the download to a file, one part at a time."""
        with open(path, "wb") as file:
            for part in self:
                file.write(part)


class AsyncStream(_AnyStream):
    """A download from `AsyncClient`: an async context manager and iterator over its parts."""

    async def _open(self) -> AsyncStream:
        if self._answer is None:
            self._answer = await self._caller.call(self._call, is_stream=True)
        return self

    def __await__(self) -> Generator[Any, None, AsyncStream]:
        return self._open().__await__()

    async def __aenter__(self) -> AsyncStream:
        return await self._open()

    async def __aexit__(self, *_: Any) -> None:
        self.close()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        await self._open()
        parts = getattr(self._response, "parts", None)
        try:
            if parts is None:
                if self._response.body:
                    yield self._response.body
                return
            async for part in parts:
                self._check_time()
                yield part
        except TransportError as failure:
            raise self._failure(failure) from failure
        finally:
            self.close()

    async def save(self, path: Path) -> None:
        """Writes the download to a file, one part at a time."""
        with open(path, "wb") as file:
            async for part in self:
                file.write(part)
