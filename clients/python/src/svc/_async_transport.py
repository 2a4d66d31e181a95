"""HTTP for `AsyncClient`, using asyncio. Keeps a connection pool for each event loop."""

from __future__ import annotations

import asyncio
import os
import ssl
import time
from typing import (
    Any,
    AsyncIterator,
    Awaitable,
    Callable,
    Dict,
    List,
    NamedTuple,
    Optional,
    Protocol,
    Tuple,
    TypeVar,
)

from ._http import (
    IDLE_SECONDS,
    Head,
    HttpRequest,
    HttpResponse,
    Incoming,
    Open,
    Origin,
    Secure,
    Step,
    Steps,
    Write,
    connect,
    one,
    origin_of,
    receive,
    write,
)
from ._proxy import ProxySetting, proxy_for
from ._transport import failed, is_quiet

T = TypeVar("T")

HELD_BYTES = 1_048_576
"""Reading pauses when more than this many bytes are unread."""


class AsyncTransport(Protocol):
    """The interface of `AsyncClient`'s transports."""

    async def send(self, request: HttpRequest, timeout: float) -> HttpResponse: ...

    async def close(self) -> None: ...


class _Link(asyncio.Protocol):
    """One connection, which buffers received bytes until they are read."""

    def __init__(self, context: Optional[ssl.SSLContext]) -> None:
        self.context = context
        self.loop = asyncio.get_running_loop()
        self.since = 0.0
        self._transport: Any = None
        self._arrived = bytearray()
        self._is_over = False
        self._failure: Optional[Exception] = None
        self._waiter: Optional[asyncio.Future[None]] = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._arrived += data
        if len(self._arrived) > HELD_BYTES:
            self._transport.pause_reading()
        self._wake()

    def eof_received(self) -> bool:
        self._is_over = True
        self._wake()
        return False

    def connection_lost(self, exc: Optional[Exception]) -> None:
        self._is_over = True
        self._failure = exc
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def run(self, steps: Steps[T]) -> T:
        step: Optional[Step] = None
        try:
            step = next(steps)
            while True:
                step = steps.send(await self._do(step))
        except StopIteration as end:
            result: T = end.value
            return result
        except asyncio.CancelledError:
            self.close()
            raise
        except BaseException as failure:
            self.close()
            failed(failure, 0, step)

    async def _do(self, step: Step) -> bytes:
        if isinstance(step, Open):
            await self.loop.create_connection(lambda: self, step.host, step.port)
        elif isinstance(step, Secure):
            if self.context is None:
                self.context = ssl.create_default_context()
            self._transport = await self.loop.start_tls(
                self._transport, self, self.context, server_hostname=step.host
            )
        elif isinstance(step, Write):
            self._transport.write(step.content)
        else:
            return await self._read()
        return b""

    async def _read(self) -> bytes:
        while not self._arrived and not self._is_over:
            self._waiter = self.loop.create_future()
            await self._waiter
        if not self._arrived and self._failure is not None:
            raise self._failure
        content = bytes(self._arrived)
        self._arrived.clear()
        if len(content) > HELD_BYTES and not self._is_over:
            self._transport.resume_reading()
        return content

    def is_quiet(self) -> bool:
        if self._arrived or self._is_over or self._transport.is_closing():
            return False
        sock = self._transport.get_extra_info("socket")
        return sock is None or is_quiet(sock)

    def close(self) -> None:
        if self._transport is None or self.loop.is_closed():
            return
        try:
            is_own = asyncio.get_running_loop() is self.loop
        except RuntimeError:
            is_own = False
        if is_own:
            self._transport.close()
        else:
            self.loop.call_soon_threadsafe(self._transport.close)


class AsyncStreamed(NamedTuple):
    """A response whose body hasn't arrived yet."""

    status: int
    headers: Dict[str, str]
    parts: AsyncIterator[bytes]
    close: Callable[[], None]


_inherited: List[Any] = []
"""Connections inherited from a fork, kept here because closing them would disturb the parent."""


class AsyncHttpTransport:
    """The built-in transport of `AsyncClient`.

    Tasks can share it; each call uses its own connection.

    Args:
        context: Certificates to trust. Default: the system's, or `SSL_CERT_FILE`.
        proxy: A proxy URL, or False for none. Default: `HTTPS_PROXY` and `NO_PROXY`.
    """

    def __init__(
        self, context: Optional[ssl.SSLContext] = None, proxy: ProxySetting = None
    ) -> None:
        self._context = context
        self._proxy: ProxySetting = proxy
        self._process = os.getpid()
        self._kept: Dict[Origin, List[_Link]] = {}

    async def send(self, request: HttpRequest, timeout: float) -> HttpResponse:
        return await _within(timeout, self._send(request))

    async def _send(self, request: HttpRequest) -> HttpResponse:
        link, origin, incoming = await self._begin(request)
        head, body = await link.run(receive(incoming))
        self._keep(origin, link, incoming)
        return HttpResponse(head.status, head.headers, body)

    async def open(self, request: HttpRequest, timeout: float) -> AsyncStreamed:
        """Returns once the response headers arrive.

        `timeout` also applies to each part of the body.
        """

        async def begin() -> Tuple[_Link, Origin, Incoming, Head]:
            link, origin, incoming = await self._begin(request)
            return link, origin, incoming, await link.run(incoming.head())

        link, origin, incoming, head = await _within(timeout, begin())

        async def parts() -> AsyncIterator[bytes]:
            while True:
                part = await _within(timeout, link.run(incoming.part()))
                if not part:
                    break
                yield part
            self._keep(origin, link, incoming)

        def close() -> None:
            if not incoming.is_over:
                link.close()

        return AsyncStreamed(head.status, head.headers, parts(), close)

    async def close(self) -> None:
        kept = [link for each in self._kept.values() for link in each]
        self._kept.clear()
        for link in kept:
            # If the connection's loop has closed, so has the connection, and `close` does nothing.
            link.close()

    async def connect(self, url: str) -> Tuple[_Link, Origin]:
        """Opens a separate connection, for a WebSocket."""
        origin = origin_of(url, proxy_for(url, self._proxy))
        return await self._connect(origin), origin

    async def _connect(self, origin: Origin) -> _Link:
        if self._context is None and origin.scheme == "https":
            self._context = ssl.create_default_context()
        link = _Link(self._context)
        await link.run(connect(origin))
        return link

    async def _begin(self, request: HttpRequest) -> Tuple[_Link, Origin, Incoming]:
        origin = origin_of(request.url, proxy_for(request.url, self._proxy))
        link = self._take(origin) or await self._connect(origin)
        await link.run(one(write(request, origin)))
        return link, origin, Incoming(request.method)

    def _take(self, origin: Origin) -> Optional[_Link]:
        if self._process != os.getpid():
            _inherited.append(self._kept)
            self._process, self._kept = os.getpid(), {}
        loop = asyncio.get_running_loop()
        kept = [link for link in self._kept.pop(origin, []) if not link.loop.is_closed()]
        # A connection belongs to the event loop that opened it.
        others = [link for link in kept if link.loop is not loop]
        own = [link for link in kept if link.loop is loop]
        found: Optional[_Link] = None
        while own and found is None:
            link = own.pop()
            if time.monotonic() - link.since < IDLE_SECONDS and link.is_quiet():
                found = link
            else:
                link.close()
        self._kept[origin] = others + own
        return found

    def _keep(self, origin: Origin, link: _Link, incoming: Incoming) -> None:
        if not incoming.may_reuse():
            return link.close()
        link.since = time.monotonic()
        self._kept.setdefault(origin, []).append(link)


async def _within(timeout: float, work: Awaitable[T]) -> T:
    """Waits up to `timeout` seconds. Errors omit stack frames, which contain bodies."""
    try:
        return await asyncio.wait_for(work, None if timeout == float("inf") else timeout)
    except asyncio.TimeoutError as failure:
        failed(failure, timeout, None)
