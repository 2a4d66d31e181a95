"""The synchronous client."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional, Type, TypeVar, Union

from ._answers import RawResponse, raw_call
from ._attempts import perform, put
from ._calls import Answer, Call, Forget, Send, Sleep, Step, Steps
from ._errors import APIError
from ._fork import Forkable
from ._http import HttpRequest, HttpResponse, Transport, TransportError
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
from .generated.contract import API_VERSION, MAX_RETRIES, TIMEOUT_SECONDS
from .generated.namespaces import Resources
from .webhooks import Webhooks

if TYPE_CHECKING:
    from types import TracebackType

    from ._options import CallOptions, WriteOptions
    from ._typing import Unpack

B = TypeVar("B", bound="Base")
C = TypeVar("C", bound="Client")

TokenSource = Union[str, Callable[[], str]]
Next = Callable[[HttpRequest], HttpResponse]
Middleware = Callable[[HttpRequest, Next], HttpResponse]


class BlockingCaller(Forkable):
    """Runs a call's steps."""

    def __init__(
        self,
        settings: Settings,
        transport: Callable[[], Transport],
        middleware: Optional[Middleware],
    ) -> None:
        super().__init__()
        self.settings = settings
        self._open = transport
        self._made: Optional[Transport] = None
        self._middleware = middleware
        self._lock = threading.Lock()

    def after_fork(self) -> None:
        # At the fork, a thread that doesn't exist in this process may have held the lock.
        self._lock = threading.Lock()

    @property
    def transport(self) -> Transport:
        if self._made is None:
            self._made = self._open()
        return self._made

    def with_options(self, options: Options) -> BlockingCaller:
        return BlockingCaller(
            self.settings.with_options(options), lambda: self.transport, self._middleware
        )

    def call(self, call: Call, is_stream: bool = False) -> Answer:
        return self._run(perform(call, self.settings, is_stream))

    def upload(self, url: str, headers: Mapping[str, str], body: bytes, call: Call) -> Answer:
        return self._run(put(url, headers, body, call, self.settings))

    def close(self) -> None:
        if self._made is not None:
            self._made.close()

    def token(self, refused: Optional[str] = None, timeout: float = TIMEOUT_SECONDS) -> str:
        """Returns the credential's token. Requests a new one if the current token is `refused`."""
        credential = self.settings.credential()
        if "client" in credential:
            token: str = self._client_token(credential["client"], refused, timeout)
        else:
            source = credential["token"]
            found: Any = source() if callable(source) else source
            token = Secret(found)
        check_mode(token, self.settings.expect_mode)
        self.settings.session.used = token
        return token

    def _client_token(self, client: Any, refused: Optional[str], timeout: float) -> str:
        session = self.settings.session
        with self._lock:
            kept = session.kept
            if kept is None or not kept.is_fresh() or kept.token == refused:
                kept = session.kept = self._fetch(client, timeout)
            return kept.token

    def _fetch(self, client: Any, timeout: float) -> KeptToken:
        steps = fetch_token(client, self.settings)
        try:
            request = next(steps)
            while True:
                request = steps.send(self.transport.send(request, timeout))
        except StopIteration as done:
            kept: KeptToken = done.value
            return kept

    def _run(self, steps: Steps) -> Answer:
        try:
            step = next(steps)
            while True:
                try:
                    done = self._do(step)
                except (TransportError, APIError) as failure:
                    step = steps.throw(failure)
                else:
                    step = steps.send(done)
        except StopIteration as end:
            answer: Answer = end.value
            return answer

    def _do(self, step: Step) -> Any:
        if isinstance(step, Send):
            return self._send(step)
        if isinstance(step, Sleep):
            return time.sleep(step.seconds)
        if isinstance(step, Forget):
            return self.transport.close()
        return self.token(step.refused, step.timeout)

    def _send(self, step: Send) -> Any:
        transport: Any = self.transport
        if step.is_stream and self._middleware is None and hasattr(transport, "open"):
            streamed = transport.open(step.request, step.timeout)
            if streamed.status == 200:
                return streamed
            return HttpResponse(streamed.status, streamed.headers, b"".join(streamed.parts))
        if self._middleware is None:
            return transport.send(step.request, step.timeout)
        return self._middleware(step.request, lambda request: transport.send(request, step.timeout))


class Base:
    """The base class of `Client` and `AsyncClient`."""

    _caller: Any
    webhooks: Webhooks

    @property
    def mode(self) -> Optional[str]:
        """The credential's mode, `test` or `live`. None until it's known."""
        settings: Settings = self._caller.settings
        return settings.mode(settings.session.used)

    def _with(self: B, options: Options) -> B:
        copy = object.__new__(type(self))
        copy._begin(self._caller.with_options(options), self.webhooks)
        return copy

    def _begin(self, caller: Any, webhooks: Webhooks) -> None:
        self._caller = caller
        self.webhooks = webhooks


class Client(Base, Resources):
    """The clinical API client. Threads can share it, and it works after a fork.

    Without arguments, it reads `SVC_API_KEY` (or `SVC_CLIENT_ID` and `SVC_CLIENT_SECRET`) and
    `SVC_BASE_URL` at the first request.
    """

    def __init__(
        self,
        *,
        api_key: Optional[TokenSource] = None,
        client_id: Optional[str] = None,
        client_secret: Optional[str] = None,
        auth_url: Optional[str] = None,
        access_token: Optional[TokenSource] = None,
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
        middleware: Optional[Middleware] = None,
        transport: Optional[Transport] = None,
    ) -> None:
        """
        Args:
            api_key: An API key, or a function that returns one. Default: `SVC_API_KEY`.
            client_id: Client credentials, together with `client_secret`. The token is cached until
                shortly before it expires.
            auth_url: The authorization server's URL. Default: `SVC_AUTH_URL`, or the server in the
                API's metadata.
            access_token: A token from your own OAuth flow, or a function that returns one.
            organization: The clinic to act for, if several have granted access.
            base_url: The API's URL. Default: `SVC_BASE_URL`.
            max_retries: Attempts after the first one; 0 turns retries off.
            timeout: Seconds for each attempt; 0 means no limit.
            total_timeout: Seconds for a whole call, including every attempt and pause.
                Default: none.
            headers: Additional headers for every request, such as `traceparent`.
            webhook_secret: The webhook signing secret; a list during a rotation.
                Default: `SVC_WEBHOOK_SECRET`.
            expect_mode: `test` or `live`. A credential for the other mode raises an error before
                anything is sent.
            app_info: Your program's `name`, `version` and `url`, added to the User-Agent.
            on_response: Called after every attempt that receives a response.
            proxy: `http://user:password@host:port`, or False to disable. Default: `HTTPS_PROXY`
                and `NO_PROXY`.
            middleware: Wraps each attempt: `(request, next)` returns `next(request)` or a response
                of its own.
            transport: Replaces the built-in transport, for example to use another HTTP library.
        """
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

        def opened() -> Transport:
            from ._transport import HttpTransport

            return HttpTransport(proxy=proxy)

        caller = BlockingCaller(settings, lambda: transport or opened(), middleware)
        self._begin(caller, Webhooks(webhook_secret))

    def _begin(self, caller: BlockingCaller, webhooks: Webhooks) -> None:
        super()._begin(caller, webhooks)
        Resources.__init__(self, caller)

    def with_options(self: C, **options: Unpack[CallOptions]) -> C:
        """Returns a client with different call options. It shares connections and tokens."""
        return self._with(checked(options))

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[Mapping[str, Any]] = None,
        **options: Unpack[WriteOptions],
    ) -> RawResponse[Any]:
        """Requests a path that has no method in this library, such as a preview path.

        Logs include the path as given, so put patient IDs in the query or the body.
        """
        call = raw_call(method, path, query, body, checked(options))
        answer = self._caller.call(call)
        return RawResponse(answer.json(), answer)

    def close(self) -> None:
        """Closes the open connections."""
        self._caller.close()

    def __enter__(self: C) -> C:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()
