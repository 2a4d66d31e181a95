"""A WebSocket client (RFC 6455) that uses `AsyncHttpTransport`'s connections."""

from __future__ import annotations

import asyncio
import os
from typing import Any, NamedTuple, Optional, Sequence, Tuple, Union
from urllib.parse import urlsplit

from ._http import HttpRequest, Incoming, Origin, Read, Steps, TransportError, Write, one, write

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
FRAME_BYTES_MAX = 16_777_216


def _arriving() -> Steps[bytes]:
    return (yield Read())


class Closed(NamedTuple):
    """A closed connection's code and reason."""

    code: int
    reason: str


def handshake(url: str, protocols: Sequence[str], origin: Origin) -> Steps[bytes]:
    """Performs the handshake. Returns the bytes that arrived after it."""
    from binascii import b2a_base64

    parts = urlsplit(url)
    headers = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": b2a_base64(os.urandom(16), newline=False).decode(),
    }
    if protocols:
        headers["Sec-WebSocket-Protocol"] = ", ".join(protocols)
    yield write(HttpRequest("GET", parts.geturl(), headers, None), origin)
    head, arrived = yield from Incoming("GET").upgraded()
    if head.status != 101:
        raise TransportError(f"the realtime channel responded with {head.status}")
    return arrived


def frame(opcode: int, content: bytes) -> bytes:
    """A frame with masked content, as RFC 6455 requires of clients."""
    mask = os.urandom(4)
    size = len(content)
    length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
    masked = bytes(byte ^ mask[at % 4] for at, byte in enumerate(content))
    return bytes([0x80 | opcode]) + length + mask + masked


class Socket:
    """One connection. A task reads it, so a timeout in `next` loses no data."""

    def __init__(self, link: Any, arrived: bytes) -> None:
        self._link = link
        self._arrived = bytearray(arrived)
        self._messages: asyncio.Queue[Union[str, Closed]] = asyncio.Queue()
        self._reader = asyncio.ensure_future(self._read())

    async def next(self, timeout: float) -> Union[str, Closed, None]:
        """The next text message, or `Closed`; None after `timeout` seconds."""
        try:
            return await asyncio.wait_for(self._messages.get(), timeout)
        except asyncio.TimeoutError:
            return None

    async def send(self, text: str) -> None:
        await self._link.run(one(Write(frame(TEXT, text.encode()))))

    async def ping(self) -> None:
        await self._link.run(one(Write(frame(PING, b""))))

    def close(self) -> None:
        self._reader.cancel()
        self._link.close()

    async def _read(self) -> None:
        end = Closed(1006, "the connection was lost")
        try:
            text = b""
            while True:
                is_last, opcode, content = await self._frame()
                if opcode == CLOSE:
                    code = int.from_bytes(content[:2], "big") if len(content) > 1 else 1005
                    end = Closed(code, content[2:].decode("utf-8", "replace"))
                    break
                if opcode == PING:
                    await self._link.run(one(Write(frame(PONG, content))))
                elif opcode == PONG:
                    self._messages.put_nowait("")
                else:
                    text += content
                    if is_last:
                        self._messages.put_nowait(text.decode("utf-8"))
                        text = b""
        except (TransportError, OSError, ValueError):
            pass
        self._messages.put_nowait(end)
        self._link.close()

    async def _frame(self) -> Tuple[bool, int, bytes]:
        first, second = await self._take(2)
        size = second & 0x7F
        if size > 125:
            size = int.from_bytes(await self._take(2 if size == 126 else 8), "big")
        if size > FRAME_BYTES_MAX:
            raise ValueError("the frame is too large")
        return bool(first & 0x80), first & 0x0F, await self._take(size)

    async def _take(self, size: int) -> bytes:
        while len(self._arrived) < size:
            part = await self._link.run(_arriving())
            if not part:
                raise TransportError("the connection has ended")
            self._arrived += part
        content = bytes(self._arrived[:size])
        del self._arrived[:size]
        return content


async def open_socket(
    transport: Any, url: str, protocols: Sequence[str], timeout: Optional[float]
) -> Socket:
    async def begin() -> Socket:
        link, origin = await transport.connect(url)
        return Socket(link, await link.run(handshake(url, protocols, origin)))

    return await asyncio.wait_for(begin(), timeout)
