"""The asyncio client, with the same methods as `Client`."""

from __future__ import annotations

import asyncio
import inspect
from typing import (
    TYPE_CHECKING,
    Any,
    Awaitable,
    Callable,
    Mapping,
    Optional,
    Tuple,
    Type,
    TypeVar,
    Union,
)

from ._answers import RawResponse, raw_call
from ._async_transport import AsyncHttpTransport, AsyncTransport
from ._attempts import perform, put
from ._calls import Answer, Call, Forget, Send, Sleep, Step, Steps
from ._client import Base
from ._errors import APIError
from ._http import HttpRequest, HttpResponse, TransportError
from ._options import CallOptions, Options, WriteOptions, checked, client_options
from ._proxy import ProxySetting
from ._settings import (
    KeptToken,
    ResponseInfo,
    Secret,
    Secrets,
    Session,
    Settings,
    check_mode,
)
from ._tokens import fetch_token
from ._typing import Unpack
from .generated.async_namespaces import AsyncResources
from .generated.contract import API_VERSION, MAX_RETRIES, TIMEOUT_SECONDS
from .webhooks import Webhooks

if TYPE_CHECKING:
    from types import TracebackType

    from ._options import CallOptions, WriteOptions
    from ._typing import Unpack

C = TypeVar("C", bound="AsyncClient")

AsyncTokenSource = Union[str, Callable[[], Union[str, Awaitable[str]]]]
AsyncNext = Callable[[HttpRequest], Awaitable[HttpResponse]]
AsyncMiddleware = Callable[[HttpRequest, AsyncNext], Awaitable[HttpResponse]]


class AsyncioCaller:
    """Runs a call's steps."""

    def __init__(
        self,
        settings: Settings,
        transport: AsyncTransport,
        middleware: Optional[AsyncMiddleware],
    ) -> None:
        self.settings = settings
        self.transport = transport
        self._middleware = middleware
        self._lock: Optional[Tuple[asyncio.AbstractEventLoop, asyncio.Lock]] = None

    def with_options(self, options: Options) -> AsyncioCaller:
        settings = self.settings.with_options(options)
        return AsyncioCaller(settings, self.transport, self._middleware)

    async def call(self, call: Call, is_stream: bool = False) -> Answer:
        return await self._run(perform(call, self.settings, is_stream))

    async def upload(self, url: str, headers: Mapping[str, str], body: bytes, call: Call) -> Answer:
        return await self._run(put(url, headers, body, call, self.settings))

    async def token(self, refused: Optional[str] = None, timeout: float = TIMEOUT_SECONDS) -> str:
        """Returns the credential's token. Requests a new one if the current token is `refused`."""
        credential = self.settings.credential()
        if "client" in credential:
            token: str = await self._client_token(credential["client"], refused, timeout)
        else:
            source = credential["token"]
            found: Any = source() if callable(source) else source
            token = Secret(await found if inspect.isawaitable(found) else found)
        check_mode(token, self.settings.expect_mode)
        self.settings.session.used = token
        return token

    async def _client_token(self, client: Any, refused: Optional[str], timeout: float) -> str:
        session = self.settings.session
        async with self._lock_of_loop():
            kept = session.kept
            if kept is None or not kept.is_fresh() or kept.token == refused:
                kept = session.kept = await self._fetch(client, timeout)
            return kept.token

    def _lock_of_loop(self) -> asyncio.Lock:
        # An asyncio lock belongs to one event loop, and a client may outlive that loop.
        loop = asyncio.get_running_loop()
        if self._lock is None or self._lock[0] is not loop:
            self._lock = (loop, asyncio.Lock())
        return self._lock[1]

    async def _fetch(self, client: Any, timeout: float) -> KeptToken:
        steps = fetch_token(client, self.settings)
        try:
            request = next(steps)
            while True:
                request = steps.send(await self.transport.send(request, timeout))
        except StopIteration as done:
            kept: KeptToken = done.value
            return kept

    async def _run(self, steps: Steps) -> Answer:
        try:
            step = next(steps)
            while True:
                try:
                    done = await self._do(step)
                except (TransportError, APIError) as failure:
                    step = steps.throw(failure)
                else:
                    step = steps.send(done)
        except StopIteration as end:
            answer: Answer = end.value
            return answer

    async def _do(self, step: Step) -> Any:
        if isinstance(step, Send):
            return await self._send(step)
        if isinstance(step, Sleep):
            return await asyncio.sleep(step.seconds)
        if isinstance(step, Forget):
            return await self.transport.close()
        return await self.token(step.refused, step.timeout)

    async def _send(self, step: Send) -> Any:
        transport: Any = self.transport
        if step.is_stream and self._middleware is None and hasattr(transport, "open"):
            streamed = await transport.open(step.request, step.timeout)
            if streamed.status == 200:
                return streamed
            body = b"".join([part async for part in streamed.parts])
            return HttpResponse(streamed.status, streamed.headers, body)
        if self._middleware is None:
            return await transport.send(step.request, step.timeout)
        return await self._middleware(
            step.request, lambda request: transport.send(request, step.timeout)
        )


class AsyncClient(Base, AsyncResources):
    """The clinical API client for asyncio. Has the same methods as `Client`, as coroutines.

    `async for case in svc.cases.list()` iterates over every item of a list.
    """

    def __init__(
        self,
        *,
        api_key: Optional[AsyncTokenSource] = None,
        client_id: Optional[str] = None,
        client_secret: Optional[str] = None,
        auth_url: Optional[str] = None,
        access_token: Optional[AsyncTokenSource] = None,
        organization: Optional[str] = None,
        base_url: Optional[str] = None,
        api_version: str = API_VERSION,
        max_retries: int = MAX_RETRIES,
        timeout: Optional[float] = TIMEOUT_SECONDS,
        total_timeout: Optional[float] = None,
        headers: Optional[Mapping[str, str]] = None,
        webhook_secret: Optional[Secrets] = None,
        expect_mode: Optional[str] = None,
        app_info: Optional[Mapping[str, str]] = None,
        on_response: Optional[Callable[[ResponseInfo], None]] = None,
        proxy: ProxySetting = None,
        middleware: Optional[AsyncMiddleware] = None,
        transport: Optional[AsyncTransport] = None,
    ) -> None:
        """Accepts the same arguments as `Client`. Token functions may be coroutines."""
        settings = Settings(
            session=Session(),
            options=client_options(timeout, total_timeout, max_retries, organization, headers),
            base_url=base_url,
            api_key=api_key,
            client_id=client_id,
            client_secret=client_secret,
            auth_url=auth_url,
            access_token=access_token,
            api_version=api_version,
            expect_mode=expect_mode,
            app_info=app_info,
            on_response=on_response,
        ).check()
        caller = AsyncioCaller(settings, transport or AsyncHttpTransport(proxy=proxy), middleware)
        self._begin(caller, Webhooks(webhook_secret))

    def _begin(self, caller: AsyncioCaller, webhooks: Webhooks) -> None:
        super()._begin(caller, webhooks)
        AsyncResources.__init__(self, caller)

    def with_options(self: C, **options: Unpack[CallOptions]) -> C:
        """Returns a client with different call options. It shares connections and tokens."""
        return self._with(checked(options))

    async def request(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[Mapping[str, Any]] = None,
        **options: Unpack[WriteOptions],
    ) -> RawResponse[Any]:
        """Like `request` on `Client`."""
        answer = await self._caller.call(raw_call(method, path, query, body, checked(options)))
        return RawResponse(answer.json(), answer)

    async def close(self) -> None:
        """Closes the open connections."""
        await self._caller.transport.close()

    async def __aenter__(self: C) -> C:
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        await self.close()
