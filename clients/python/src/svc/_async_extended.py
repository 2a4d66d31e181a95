"""`AsyncClient` methods that make several API calls."""

from __future__ import annotations

import asyncio
import time
from datetime import datetime
from typing import IO, Any, AsyncIterator, Iterable, Optional, Union

from ._errors import APIError, TimeoutError
from ._events import AsyncEventStream, Moment
from ._extended import Both, BothConsents, Upload, Waiting, export_call
from ._options import CallOptions, WaitOptions, WriteOptions, checked
from ._pages import AsyncPage
from ._streams import AsyncStream
from ._typing import Unpack
from .generated.asynchronous import cases, consents, events, exports, files, realtime
from .generated.results import Case, Event, File
from .generated.words import CaseStatus, EventType, FileMime


class AsyncCases(cases.AsyncCases):
    async def wait_for(
        self,
        case_id: str,
        *,
        status: Union[CaseStatus, Iterable[CaseStatus]],
        timeout: float = 60.0,
        **options: Unpack[WaitOptions],
    ) -> Case:
        """Like `cases.wait_for` on `Client`."""
        waiting = Waiting(status, timeout, options)
        for asked, pause in waiting.questions():
            try:
                case = await self.get(case_id, **asked)
            except TimeoutError as error:
                if not waiting.ended_by(error):
                    raise
                raise waiting.failure() from error
            if waiting.is_over(case):
                return case
            await asyncio.sleep(pause)
        raise waiting.failure()


class AsyncConsents(consents.AsyncConsents):
    async def record_both(
        self,
        patient_id: str,
        *,
        telehealth: str,
        privacy: str,
        accepted_at: Optional[Union[datetime, str]] = None,
        **options: Unpack[WriteOptions],
    ) -> BothConsents:
        """Like `consents.record_both` on `Client`."""
        both = Both({"accepted_at": accepted_at}, options, self._caller.settings.options)
        with both:
            return BothConsents(
                await self.record(patient_id, **both.of("telehealth", telehealth)),
                await self.record(patient_id, **both.of("privacy", privacy)),
            )


class AsyncEvents(events.AsyncEvents):
    def iterate(
        self,
        *,
        since: Optional[Moment] = None,
        types: Optional[Iterable[EventType]] = None,
        include_resource: Optional[bool] = None,
        poll_seconds: float = 5.0,
        **options: Unpack[CallOptions],
    ) -> AsyncEventStream:
        """Like `events.iterate` on `Client`. Use `async for`."""

        async def fetch(**query: Any) -> AsyncPage[Event]:
            return await self.list(include_resource=include_resource, **query, **options)

        session = self._caller.settings.session
        return AsyncEventStream(fetch, session, since, types, poll_seconds)


class AsyncExports(exports.AsyncExports):
    def stream(
        self,
        export_id: str,
        *,
        if_none_match: Optional[str] = None,
        **options: Unpack[CallOptions],
    ) -> AsyncStream:
        """Like `exports.stream` on `Client`. Use `async with` and `await file.save(path)`."""
        return AsyncStream(self._caller, export_call(export_id, if_none_match, checked(options)))


class AsyncFiles(files.AsyncFiles):
    async def upload(
        self,
        *,
        patient: str,
        kind: str,
        filename: str,
        mime: FileMime,
        body: Union[bytes, IO[bytes]],
        case: Optional[str] = None,
        **options: Unpack[WriteOptions],
    ) -> File:
        """Like `files.upload` on `Client`."""
        file = {"patient": patient, "kind": kind, "filename": filename, "mime": mime, "case": case}
        upload = Upload(file, body, options, self._caller.settings.options)
        with upload:
            reserved = await self.with_raw_response.create(**upload.reserve())
            url, headers = reserved.data.upload_url, reserved.data.upload_headers
            try:
                await self._caller.upload(url, headers, upload.content, upload.put())
            except APIError as error:
                upload.refused(reserved, error)
            return await self.confirm(reserved.data.id, **upload.confirm())


class AsyncRealtime(realtime.AsyncRealtime):
    def subscribe(
        self,
        *,
        since: Optional[Moment] = None,
        types: Optional[Iterable[EventType]] = None,
        **options: Unpack[CallOptions],
    ) -> AsyncIterator[Event]:
        """Yields events as they happen, each once and in order, even across lost connections.

        Use `async for event in svc.realtime.subscribe()`. The iterator requests tokens, reconnects,
        and reads missed events from the list. If the server is unavailable, it keeps trying.

        Args:
            since: Start after this time. Default: with the next event.
            types: Yield only these types.

        Raises:
            APIError: The API refused a request.
            SvcError: The server closed the channel permanently.
        """
        from ._async_transport import AsyncHttpTransport
        from ._realtime import Subscription

        caller: Any = self._caller
        # Custom transports can't open WebSockets.
        own = caller.transport
        transport = own if hasattr(own, "connect") else AsyncHttpTransport()
        wanted = None if types is None else frozenset(types)
        source = Source(self, events.AsyncEvents(caller), options)
        base_url = caller.settings.address()
        return Subscription(source, transport, base_url, since, wanted).events()


class Source:
    """The API calls that a subscription makes."""

    def __init__(self, own: AsyncRealtime, listed: events.AsyncEvents, options: Any) -> None:
        self._own = own
        self._listed = listed
        self._options = options

    async def create_token(self) -> Any:
        return await self._own.create_token(**self._options)

    def list_events(self, **query: Any) -> Any:
        return self._listed.list(**query, **self._options)

    def server_time(self) -> float:
        now = time.time()
        at: Optional[float] = self._own._caller.settings.session.server_time(now)
        return now if at is None else at
