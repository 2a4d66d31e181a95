"""One call, without input or output of its own: what to send, when to send it again, and what
the answer means. `Client` and `AsyncClient` do what it asks for: one blocks, the other awaits.
"""

from __future__ import annotations

import json
import logging
import time
import uuid
from dataclasses import dataclass
from typing import Any, Dict, Generator, Mapping, NamedTuple, Optional, Tuple, Union
from urllib.parse import quote, urlencode

from . import _retry
from ._errors import APIError, ConnectionError, SvcError, TimeoutError
from ._given import NOT_GIVEN
from ._settings import ResponseInfo, Settings
from ._transport import HttpRequest, HttpResponse, TransportError, TransportTimeout
from ._wire import to_json, to_query
from .generated.contract import RETRY_AFTER_SECONDS_MAX
from .generated.problems import PROBLEMS

logger = logging.getLogger("svc")
logger.addHandler(logging.NullHandler())


@dataclass(frozen=True)
class Options:
    """How one call is made."""

    idempotency_key: Optional[str] = None
    timeout: Optional[float] = None
    max_retries: Optional[int] = None
    organization: Optional[str] = None


@dataclass(frozen=True, repr=False)
class Call:
    """One operation with its values. `path` is the template, which is all that is logged of it."""

    method: str
    path: str
    returns: Any
    """The type of the result, or of its items."""
    shape: str
    """`resource`, `list` or `download`."""
    ids: Mapping[str, str]
    query: Mapping[str, Any]
    body: Optional[Mapping[str, Any]]
    options: Options
    if_none_match: Optional[str] = None

    def url(self, base: str) -> str:
        path = self.path
        for name, value in self.ids.items():
            # Without its id the path would be that of the list.
            if not isinstance(value, str) or value in ("", ".", ".."):
                raise ValueError(f"{self.path} needs an id for {{{name}}}, as text.")
            path = path.replace(f"{{{name}}}", quote(value, safe=""))
        query = [(name, to_query(value)) for name, value in self.query.items()]
        return f"{base}{path}?{urlencode(query)}" if query else f"{base}{path}"

    def payload(self) -> Optional[bytes]:
        if self.body is None:
            return None
        return json.dumps(to_json(self.body), separators=(",", ":")).encode()

    # Error reports show local variables: no id and no value of a patient may be among them.
    def __repr__(self) -> str:
        return f"Call({self.method} {self.path})"


class Send(NamedTuple):
    """To the client: send this, and give me the answer or raise a `TransportError`."""

    request: HttpRequest
    timeout: float


class Sleep(NamedTuple):
    """To the client: wait."""

    seconds: float


class Token(NamedTuple):
    """To the client: the token of the credential; `refused` is one that the API refused."""

    refused: Optional[str]


Step = Union[Send, Sleep, Token]


class Answer(NamedTuple):
    """A success, before its body is read."""

    response: HttpResponse
    attempts: int
    idempotency_key: Optional[str]

    def json(self) -> Any:
        try:
            body = json.loads(self.response.body)
        except ValueError:
            body = None
        if isinstance(body, dict):
            return body
        raise SvcError(
            f"The answer has the status {self.response.status} and no JSON of the API: check "
            "base_url."
        )


Steps = Generator[Step, Any, Answer]


def perform(call: Call, settings: Settings) -> Steps:
    """The steps of a call of the API. One key for the whole call, the same on every attempt."""
    options = call.options
    headers = settings.headers()
    if options.organization:
        headers["Service-Organization"] = options.organization
    key: Optional[str] = None
    if call.method != "GET":
        key = headers["Idempotency-Key"] = options.idempotency_key or f"svcsdk_{uuid.uuid4()}"
    if call.if_none_match is not None:
        headers["If-None-Match"] = call.if_none_match
    if call.body is not None:
        headers["Content-Type"] = "application/json"
    request = HttpRequest(call.method, call.url(settings.address()), dict(headers), call.payload())
    return (yield from _attempts(_Sending(request, call, settings, key, authorized=True)))


def put(url: str, headers: Mapping[str, str], body: bytes, call: Call, settings: Settings) -> Steps:
    """The steps of an upload to storage, which needs no credential."""
    request = HttpRequest(call.method, url, dict(headers), body)
    return (yield from _attempts(_Sending(request, call, settings, None, authorized=False)))


class _Sending(NamedTuple):
    request: HttpRequest
    call: Call
    settings: Settings
    key: Optional[str]
    authorized: bool


def _attempts(sending: _Sending) -> Steps:
    request, call, settings, key, authorized = sending
    options = call.options
    retries = settings.max_retries if options.max_retries is None else options.max_retries
    timeout = settings.timeout if options.timeout is None else options.timeout
    attempt = 0
    token: Optional[str] = None
    refusal: Optional[Tuple[Optional[str], APIError]] = None
    while True:
        attempt += 1
        failure: Union[TransportError, APIError]
        try:
            if authorized:
                token = yield Token(refusal and refusal[0])
                # The credential has a newer token than the refused one, or the refusal stands.
                if refusal is not None and token == refusal[0]:
                    raise refusal[1]
                request.headers["Authorization"] = f"Bearer {token}"
            _check_headers(request.headers)
            began = time.monotonic()
            response = yield Send(request, timeout)
        except (TransportError, APIError) as error:
            failure = error
        else:
            _report(sending, response, attempt, began)
            if 200 <= response.status < 300 or response.status == 304:
                return Answer(response, attempt, key)
            failure = _api_error(response, call, attempt, key)
            if response.status == 401 and authorized and refusal is None:
                refusal = (token, failure)
                continue
        wait = _wait_before_next(failure, attempt, retries)
        if wait is None:
            if isinstance(failure, APIError):
                raise failure
            raise _connection_error(failure, call, attempt, key) from failure
        reason = failure.code if isinstance(failure, APIError) else failure
        line = "%s %s: %s; attempt %d follows in %.1f s"
        logger.warning(line, call.method, call.path, reason, attempt + 1, wait)
        yield Sleep(wait)


def _wait_before_next(
    failure: Union[TransportError, APIError], attempt: int, retries: int
) -> Optional[float]:
    """Seconds until the next attempt; None when there is none."""
    if attempt > retries:
        return None
    if isinstance(failure, TransportError):
        return _retry.pause(attempt)
    if not _retry.may_retry(failure.status, failure.code):
        return None
    if failure.retry_after is None:
        return _retry.pause(attempt)
    return failure.retry_after if failure.retry_after <= RETRY_AFTER_SECONDS_MAX else None


def _check_headers(headers: Mapping[str, str]) -> None:
    for name, value in headers.items():
        if not value.isascii() or not value.isprintable():
            raise ValueError(f"{name} must be printable ASCII.")


def _connection_error(
    failure: TransportError, call: Call, attempts: int, key: Optional[str]
) -> ConnectionError:
    kind = TimeoutError if isinstance(failure, TransportTimeout) else ConnectionError
    times = "once" if attempts == 1 else f"{attempts} times"
    error = kind(f"{call.method} {call.path} was sent {times}: {failure}.")
    error.attempts = attempts
    error.idempotency_key = key
    return error


def _api_error(response: HttpResponse, call: Call, attempts: int, key: Optional[str]) -> APIError:
    try:
        problem = json.loads(response.body)
    except ValueError:
        problem = {}
    if not isinstance(problem, dict):
        problem = {}
    kind = PROBLEMS.get(problem.get("code", ""), APIError)
    return kind(
        status=response.status,
        problem=problem,
        method=call.method,
        path=call.path,
        headers=response.headers,
        attempts=attempts,
        idempotency_key=key,
        retry_after=_retry.retry_after(response.headers),
    )


def _report(sending: _Sending, response: HttpResponse, attempt: int, began: float) -> None:
    """Reports an answered attempt to the log and to `on_response`: never a body or an id."""
    info = ResponseInfo(
        method=sending.call.method,
        path=sending.call.path,
        status=response.status,
        request_id=response.headers.get("request-id"),
        milliseconds=round((time.monotonic() - began) * 1000),
        attempt=attempt,
        idempotency_key=sending.key,
    )
    logger.debug(
        "%s %s: %d in %d ms [%s]",
        info.method,
        info.path,
        info.status,
        info.milliseconds,
        info.request_id,
    )
    if sending.settings.on_response is not None:
        sending.settings.on_response(info)


class Members(Dict[str, Any]):
    """What is sent. Error reports show local variables, so it names no value."""

    def __repr__(self) -> str:
        return f"Members({', '.join(self)})"


def given(members: Mapping[str, Any], clears: Tuple[str, ...] = ()) -> Members:
    """The members that were passed. None counts as passed where it clears a value."""
    return Members(
        (name, value)
        for name, value in members.items()
        if value is not NOT_GIVEN and (value is not None or name in clears)
    )
