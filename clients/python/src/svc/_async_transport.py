"""HTTP/1.1 for `AsyncClient`: asyncio streams with connections that are kept."""

from __future__ import annotations

import asyncio
import ssl
import time
from typing import Dict, List, NamedTuple, Optional, Protocol, Tuple

from ._transport import (
    IDLE_SECONDS,
    HttpRequest,
    HttpResponse,
    Origin,
    TransportError,
    TransportTimeout,
    origin_of,
    target_of,
)

LINE_BYTES = 65536
"""Of a line of the head of an answer."""


class AsyncTransport(Protocol):
    """As `Transport`, for `AsyncClient`."""

    async def send(self, request: HttpRequest, timeout: float) -> HttpResponse: ...

    async def close(self) -> None: ...


class _Connection(NamedTuple):
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    loop: asyncio.AbstractEventLoop
    since: float


class AsyncHttpTransport:
    """Used by any number of tasks at once; each call has a connection of its own."""

    def __init__(self, context: Optional[ssl.SSLContext] = None) -> None:
        self._context = context
        self._kept: Dict[Origin, List[_Connection]] = {}

    async def send(self, request: HttpRequest, timeout: float) -> HttpResponse:
        try:
            return await asyncio.wait_for(self._send(request), timeout)
        except asyncio.TimeoutError as failure:
            raise TransportTimeout(f"no answer within {timeout:g} s") from _bare(failure)
        except asyncio.IncompleteReadError as failure:
            raise TransportError("the answer ended early") from _bare(failure)
        except (OSError, ValueError, asyncio.LimitOverrunError) as failure:
            raise TransportError(str(failure) or type(failure).__name__) from _bare(failure)

    async def close(self) -> None:
        kept = [one for each in self._kept.values() for one in each]
        self._kept.clear()
        for one in kept:
            # What belongs to a loop that has ended can no longer be closed, and is gone with it.
            if not one.loop.is_closed():
                one.writer.close()

    async def _send(self, request: HttpRequest) -> HttpResponse:
        origin = origin_of(request.url)
        connection = self._take(origin) or await self._open(origin)
        try:
            connection.writer.write(_head(request, origin) + (request.body or b""))
            await connection.writer.drain()
            answer, closes = await _read_answer(connection.reader, request.method)
        except BaseException:
            connection.writer.close()
            raise
        if closes:
            connection.writer.close()
        else:
            kept = connection._replace(since=time.monotonic())
            self._kept.setdefault(origin, []).append(kept)
        return answer

    async def _open(self, origin: Origin) -> _Connection:
        scheme, host, port = origin
        context: Optional[ssl.SSLContext] = None
        if scheme == "https":
            self._context = context = self._context or ssl.create_default_context()
        reader, writer = await asyncio.open_connection(
            host, port or (443 if context else 80), ssl=context, limit=LINE_BYTES
        )
        return _Connection(reader, writer, asyncio.get_running_loop(), time.monotonic())

    def _take(self, origin: Origin) -> Optional[_Connection]:
        loop = asyncio.get_running_loop()
        kept = [one for one in self._kept.pop(origin, []) if not one.loop.is_closed()]
        # A connection belongs to the event loop that opened it.
        others = [one for one in kept if one.loop is not loop]
        own = [one for one in kept if one.loop is loop]
        found: Optional[_Connection] = None
        while own and found is None:
            one = own.pop()
            is_open = not one.reader.at_eof() and not one.writer.is_closing()
            if is_open and time.monotonic() - one.since < IDLE_SECONDS:
                found = one
            else:
                one.writer.close()
        self._kept[origin] = others + own
        return found


def _bare(failure: BaseException) -> BaseException:
    """Without the frames of asyncio, which hold bodies: error reports show what frames hold."""
    failure.__context__ = failure.__cause__ = None
    return failure.with_traceback(None)


def _head(request: HttpRequest, origin: Origin) -> bytes:
    _, host, port = origin
    name = f"[{host}]" if ":" in host else host
    headers = {"Host": name if port is None else f"{name}:{port}", **request.headers}
    if request.body is not None or request.method != "GET":
        headers["Content-Length"] = str(len(request.body or b""))
    lines = [f"{request.method} {target_of(request.url)} HTTP/1.1"]
    lines += [f"{header}: {value}" for header, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


async def _read_answer(reader: asyncio.StreamReader, method: str) -> Tuple[HttpResponse, bool]:
    while True:
        version, status, headers = await _read_head(reader)
        if status >= 200:
            break
    closes = headers.get("connection", "").lower() == "close" or version == "HTTP/1.0"
    if status in (204, 304) or method == "HEAD":
        return HttpResponse(status, headers, b""), closes
    if "chunked" in headers.get("transfer-encoding", "").lower():
        return HttpResponse(status, headers, await _read_chunks(reader)), closes
    if "content-length" in headers:
        body = await reader.readexactly(int(headers["content-length"]))
        return HttpResponse(status, headers, body), closes
    return HttpResponse(status, headers, await reader.read()), True


async def _read_head(reader: asyncio.StreamReader) -> Tuple[str, int, Dict[str, str]]:
    first = await reader.readline()
    if not first:
        raise OSError("the connection was closed before the answer")
    parts = first.decode("latin-1").split(None, 2)
    if len(parts) < 2 or not parts[0].startswith("HTTP/1.") or not parts[1].isdigit():
        raise ValueError("the answer is not HTTP/1.1")
    headers: Dict[str, str] = {}
    while True:
        line = await reader.readline()
        if not line.endswith(b"\n"):
            raise OSError("the answer ended early")
        text = line.decode("latin-1").rstrip("\r\n")
        if not text:
            return parts[0], int(parts[1]), headers
        name, _, value = text.partition(":")
        headers[name.strip().lower()] = value.strip()


async def _read_chunks(reader: asyncio.StreamReader) -> bytes:
    parts: List[bytes] = []
    while True:
        size = int((await reader.readline()).split(b";")[0], 16)
        if size == 0:
            while (await reader.readline()).strip():
                pass
            return b"".join(parts)
        parts.append(await reader.readexactly(size))
        await reader.readexactly(2)
