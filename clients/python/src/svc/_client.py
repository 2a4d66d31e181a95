"""The client that blocks until an answer has arrived."""

from __future__ import annotations

import threading
import time
from types import TracebackType
from typing import Any, Callable, Mapping, Optional, Type, Union

from ._calls import Answer, Call, Send, Sleep, Step, Steps, perform, put
from ._errors import APIError
from ._settings import ResponseInfo, Secret, Secrets, Settings, check_mode
from ._tokens import KeptToken, fetch_token
from ._transport import HttpTransport, Transport, TransportError
from .generated.contract import API_VERSION, MAX_RETRIES, TIMEOUT_SECONDS
from .generated.namespaces import Resources
from .webhooks import Webhooks

TokenSource = Union[str, Callable[[], str]]


class BlockingCaller:
    """Does what the steps of a call ask for."""

    def __init__(self, settings: Settings, transport: Optional[Transport]) -> None:
        self.settings = settings
        self.transport: Transport = transport or HttpTransport()
        self._lock = threading.Lock()
        self.used: Optional[str] = None
        self._kept: Optional[KeptToken] = None

    def call(self, call: Call) -> Answer:
        return self._run(perform(call, self.settings))

    def upload(self, url: str, headers: Mapping[str, str], body: bytes, call: Call) -> Answer:
        return self._run(put(url, headers, body, call, self.settings))

    def token(self, refused: Optional[str] = None) -> str:
        """The token of the credential: another one than `refused`, where there may be another."""
        credential = self.settings.credential()
        if "client" in credential:
            token: str = self._client_token(credential["client"], refused)
        else:
            source = credential["token"]
            found: Any = source() if callable(source) else source
            token = Secret(found)
        check_mode(token, self.settings.expect_mode)
        self.used = token
        return token

    def _client_token(self, client: Any, refused: Optional[str]) -> str:
        with self._lock:
            kept = self._kept
            if kept is None or not kept.is_fresh() or kept.token == refused:
                kept = self._kept = self._fetch(client)
            return kept.token

    def _fetch(self, client: Any) -> KeptToken:
        steps = fetch_token(client, self.settings)
        try:
            request = next(steps)
            while True:
                request = steps.send(self.transport.send(request, self.settings.timeout))
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
            return self.transport.send(step.request, step.timeout)
        if isinstance(step, Sleep):
            return time.sleep(step.seconds)
        return self.token(step.refused)


class Client(Resources):
    """The clinical API. It may be used by several threads at once.

    Without arguments it takes its credential and address from `SVC_API_KEY` (or `SVC_CLIENT_ID`
    and `SVC_CLIENT_SECRET`) and `SVC_BASE_URL`, when the first request is made.
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
        timeout: float = TIMEOUT_SECONDS,
        webhook_secret: Optional[Secrets] = None,
        expect_mode: Optional[str] = None,
        app_info: Optional[Mapping[str, str]] = None,
        on_response: Optional[Callable[[ResponseInfo], None]] = None,
        transport: Optional[Transport] = None,
    ) -> None:
        """
        Args:
            api_key: A key, or a function that returns one. Default: `SVC_API_KEY`.
            client_id: With `client_secret`, for client credentials; the token is kept until
                shortly before it expires.
            auth_url: The authorization server. Default: `SVC_AUTH_URL`, or what the API names.
            access_token: A token, or a function that returns one, of your own OAuth.
            organization: The clinic to act for, where several have granted access.
            base_url: The address of the API. Default: `SVC_BASE_URL`.
            max_retries: Attempts after the first one. 0 turns retries off.
            timeout: Seconds for each attempt.
            webhook_secret: What `webhooks` verifies with; several while a secret is replaced.
                Default: `SVC_WEBHOOK_SECRET`.
            expect_mode: `test` or `live`: a credential of the other mode raises before anything
                is sent.
            app_info: `name`, `version` and `url` of your program, for the User-Agent.
            on_response: Called after every attempt that was answered.
            transport: What sends requests instead of http.client.
        """
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
        self._caller = BlockingCaller(settings, transport)
        super().__init__(self._caller)
        self.webhooks: Webhooks = Webhooks(webhook_secret)

    @property
    def mode(self) -> Optional[str]:
        """`test` or `live`, as the credential says; None while it is not known."""
        return self._caller.settings.mode(self._caller.used)

    def close(self) -> None:
        """Closes the connections that are kept."""
        self._caller.transport.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()
