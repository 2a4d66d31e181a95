"""The client for asyncio, with the names of `Client`."""

from __future__ import annotations

import asyncio
import inspect
from types import TracebackType
from typing import Any, Awaitable, Callable, Mapping, Optional, Tuple, Type, Union

from ._async_transport import AsyncHttpTransport, AsyncTransport
from ._calls import Answer, Call, Send, Sleep, Step, Steps, perform, put
from ._errors import APIError
from ._settings import ResponseInfo, Secret, Secrets, Settings, check_mode
from ._tokens import KeptToken, fetch_token
from ._transport import TransportError
from .generated.contract import API_VERSION, MAX_RETRIES, TIMEOUT_SECONDS
from .generated.namespaces import AsyncResources
from .webhooks import Webhooks

AsyncTokenSource = Union[str, Callable[[], Union[str, Awaitable[str]]]]


class AsyncioCaller:
    """Does what the steps of a call ask for."""

    def __init__(self, settings: Settings, transport: Optional[AsyncTransport]) -> None:
        self.settings = settings
        self.transport: AsyncTransport = transport or AsyncHttpTransport()
        self.used: Optional[str] = None
        self._kept: Optional[KeptToken] = None
        self._lock: Optional[Tuple[asyncio.AbstractEventLoop, asyncio.Lock]] = None

    async def call(self, call: Call) -> Answer:
        return await self._run(perform(call, self.settings))

    async def upload(self, url: str, headers: Mapping[str, str], body: bytes, call: Call) -> Answer:
        return await self._run(put(url, headers, body, call, self.settings))

    async def token(self, refused: Optional[str] = None) -> str:
        """The token of the credential: another one than `refused`, where there may be another."""
        credential = self.settings.credential()
        if "client" in credential:
            token: str = await self._client_token(credential["client"], refused)
        else:
            source = credential["token"]
            found: Any = source() if callable(source) else source
            token = Secret(await found if inspect.isawaitable(found) else found)
        check_mode(token, self.settings.expect_mode)
        self.used = token
        return token

    async def _client_token(self, client: Any, refused: Optional[str]) -> str:
        async with self._lock_of_loop():
            kept = self._kept
            if kept is None or not kept.is_fresh() or kept.token == refused:
                kept = self._kept = await self._fetch(client)
            return kept.token

    def _lock_of_loop(self) -> asyncio.Lock:
        # A lock belongs to one event loop, and a client may outlive the first one.
        loop = asyncio.get_running_loop()
        if self._lock is None or self._lock[0] is not loop:
            self._lock = (loop, asyncio.Lock())
        return self._lock[1]

    async def _fetch(self, client: Any) -> KeptToken:
        steps = fetch_token(client, self.settings)
        try:
            request = next(steps)
            while True:
                request = steps.send(await self.transport.send(request, self.settings.timeout))
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
            return await self.transport.send(step.request, step.timeout)
        if isinstance(step, Sleep):
            return await asyncio.sleep(step.seconds)
        return await self.token(step.refused)


class AsyncClient(AsyncResources):
    """The clinical API for asyncio: `Client` with the same names, whose calls are awaited.

    Lists are not only awaited: `async for case in svc.cases.list()` goes over every page.
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
        timeout: float = TIMEOUT_SECONDS,
        webhook_secret: Optional[Secrets] = None,
        expect_mode: Optional[str] = None,
        app_info: Optional[Mapping[str, str]] = None,
        on_response: Optional[Callable[[ResponseInfo], None]] = None,
        transport: Optional[AsyncTransport] = None,
    ) -> None:
        """The arguments are those of `Client`; functions that return a token may be coroutines."""
        settings = Settings(
            base_url=base_url,
            api_key=api_key,
            client_id=client_id,
            client_secret=client_secret,
            auth_url=auth_url,
            access_token=access_token,
            organization=organization,
            api_version=api_version,
            max_retries=max_retries,
            timeout=timeout,
            webhook_secret=webhook_secret,
            expect_mode=expect_mode,
            app_info=app_info,
            on_response=on_response,
        )
        self._caller = AsyncioCaller(settings, transport)
        super().__init__(self._caller)
        self.webhooks: Webhooks = Webhooks(webhook_secret)

    @property
    def mode(self) -> Optional[str]:
        """`test` or `live`, as the credential says; None while it is not known."""
        return self._caller.settings.mode(self._caller.used)

    async def close(self) -> None:
        """Closes the connections that are kept."""
        await self._caller.transport.close()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        await self.close()
