"""Delivers events as they happen, each once and in order, even across lost connections."""

from __future__ import annotations

import asyncio
import json
import random
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, AsyncIterator, Dict, FrozenSet, Optional
from urllib.parse import urlencode

from ._errors import APIError, ConnectionError, SvcError, is_refusal
from ._events import Moment
from ._http import TransportError
from ._model import read_value
from ._websocket import Closed, Socket, open_socket
from .generated.contract import PAGE_MAX, REALTIME_PATH, REALTIME_PROTOCOL
from .generated.results import RealtimeToken, any_event

if TYPE_CHECKING:
    from .generated.results import Event

FINAL_CODES = frozenset({1008, 4002, 4003})
"""Close codes after which reconnecting would fail too."""
RENEWED_CODES = frozenset({1000, 4001})
RENEW_BEFORE_SECONDS = 600.0
SILENCE_SECONDS = 60.0
ANSWER_SECONDS = 10.0
CONNECT_SECONDS = 15.0
PAUSE_MAX_SECONDS = 5.0
REMEMBERED_MAX = 1000

ATTACH, ATTACHED, MESSAGE = 10, 11, 15
"""Action numbers in Ably's protocol."""


def is_of_ably(token: str) -> bool:
    """Ably key names look like `<app>.<key>`; the API's are `test` and `live`."""
    from base64 import urlsafe_b64decode

    head = token.split(".")[0]
    return "." in str(json.loads(urlsafe_b64decode(head + "=" * (-len(head) % 4))).get("kid"))


class Subscription:
    """An endless iteration over events, which reconnects by itself."""

    def __init__(
        self,
        api: Any,
        transport: Any,
        base_url: str,
        since: Optional[Moment],
        types: Optional[FrozenSet[str]],
    ) -> None:
        self._api = api
        self._transport = transport
        self._base_url = base_url
        self._position: Optional[Dict[str, Any]] = None if since is None else {"since": since}
        self._types = types
        self._seen: Dict[str, None] = {}
        self._failures = 0
        """Connections since the last one that began to deliver events."""

    async def events(self) -> AsyncIterator[Event]:
        while True:
            self._failures += 1
            socket: Optional[Socket] = None
            try:
                token = await self._api.create_token()
                socket = await self._connect(token)
                async for event in self._connected(socket, token):
                    yield event
                if self._failures == 0:
                    continue
            except APIError as error:
                if is_refusal(error):
                    raise
            except (ConnectionError, TransportError, OSError, asyncio.TimeoutError):
                pass
            finally:
                if socket is not None:
                    socket.close()
            longest = min(PAUSE_MAX_SECONDS, 0.5 * 2.0**self._failures)
            await asyncio.sleep(longest * (0.5 + random.random() / 2))

    async def _connect(self, token: RealtimeToken) -> Socket:
        text = token.token
        if not is_of_ably(text):
            protocols = (REALTIME_PROTOCOL, f"bearer.{text}")
            url = f"{self._base_url}{REALTIME_PATH}"
            return await open_socket(self._transport, url, protocols, CONNECT_SECONDS)
        query = urlencode({"accessToken": text, "format": "json", "v": "2"})
        url = f"https://realtime.ably.io/?{query}"
        socket = await open_socket(self._transport, url, (), CONNECT_SECONDS)
        await socket.send(json.dumps({"action": ATTACH, "channel": token.channel}))
        return socket

    async def _connected(self, socket: Socket, token: RealtimeToken) -> AsyncIterator[Event]:
        """Runs until the connection closes or its token is about to expire."""
        ends = token.expires_at.timestamp() - RENEW_BEFORE_SECONDS
        while True:
            left = ends - self._api.server_time()
            if left <= 0:
                return
            message = await socket.next(min(SILENCE_SECONDS, left))
            if message is None:
                # A connection may die unnoticed, for example while the machine sleeps.
                await socket.ping()
                message = await socket.next(ANSWER_SECONDS)
            if message is None:
                raise TransportError("the connection is silent")
            if isinstance(message, Closed):
                if message.code in FINAL_CODES:
                    said = f"{message.code} {message.reason}"
                    raise SvcError(f"the realtime channel was closed: {said}")
                if message.code in RENEWED_CODES:
                    return
                raise TransportError(message.reason)
            async for event in self._read(message):
                yield event

    async def _read(self, text: str) -> AsyncIterator[Event]:
        if not text:
            return
        found = json.loads(text)
        if found.get("name") == "hello":
            async for event in self._missed(found["data"].get("latest_event_id")):
                yield event
            self._failures = 0
        elif found.get("action") == ATTACHED:
            async for event in self._missed(None):
                yield event
            self._failures = 0
        elif found.get("action") == MESSAGE:
            for one in found.get("messages", []):
                data = one["data"]
                new = self._new(json.loads(data) if isinstance(data, str) else data)
                if new is not None:
                    yield new
        elif "name" in found:
            new = self._new(found["data"])
            if new is not None:
                yield new

    async def _missed(self, latest: Optional[str]) -> AsyncIterator[Event]:
        """Yields the events missed since the last one.

        The first connection starts with the next event.
        """
        if self._position is None:
            now = datetime.fromtimestamp(self._api.server_time(), timezone.utc)
            self._position = {"starting_after": latest} if latest else {"since": now}
            return
        if latest is not None and self._position.get("starting_after") == latest:
            return
        async for event in self._api.list_events(limit=PAGE_MAX, **self._position):
            if self._note(event):
                yield event

    def _new(self, data: Dict[str, Any]) -> Optional[Event]:
        event: Event = read_value(any_event, data)
        return event if self._note(event) else None

    def _note(self, event: Event) -> bool:
        """Records an event. Returns whether it is of a wanted type and hasn't arrived before."""
        self._position = {"starting_after": event.id}
        if event.id in self._seen:
            return False
        self._seen[event.id] = None
        if len(self._seen) > REMEMBERED_MAX:
            del self._seen[next(iter(self._seen))]
        return self._types is None or event.type in self._types
