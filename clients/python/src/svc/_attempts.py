"""Builds a call's requests, decides on retries, and returns the last response or raises an error.

This module yields steps and does no I/O: `Client` and `AsyncClient` run the steps.
"""

from __future__ import annotations

import json
import time
from typing import Any, Dict, Mapping, NamedTuple, Optional, Tuple, Union

from . import _retry
from ._calls import STORAGE_PATH, Answer, Call, Forget, Send, Sleep, Steps, Token
from ._errors import APIError, ConnectionError, MismatchedResponseError, SvcError, TimeoutError
from ._http import HttpRequest, HttpResponse, TransportError, TransportTimeout
from ._log import debug, warn, warn_once
from ._options import Options
from ._settings import ResponseInfo, Settings, new_key
from .generated.contract import RETRY_AFTER_SECONDS_MAX


def perform(call: Call, settings: Settings, is_stream: bool = False) -> Steps:
    """The steps of an API call. Every attempt uses the same idempotency key."""
    options = call.options.over(settings.options)
    headers = {**settings.headers(), **(options.headers or {})}
    if options.organization:
        headers["Service-Organization"] = options.organization
    key: Optional[str] = None
    if call.method != "GET":
        key = headers["Idempotency-Key"] = options.idempotency_key or new_key()
    if call.if_none_match is not None:
        headers["If-None-Match"] = call.if_none_match
    if call.body is not None:
        headers["Content-Type"] = "application/json"
    request = HttpRequest(call.method, call.url(settings.address()), dict(headers), call.payload())
    call = call._replace(options=options)
    answer = yield from _attempts(_Sending(request, call, settings, key, True, is_stream))
    if not is_stream:
        try:
            call.check(answer)
        except MismatchedResponseError:
            yield Forget()
            raise
    return answer


def put(url: str, headers: Mapping[str, str], body: bytes, call: Call, settings: Settings) -> Steps:
    """The steps of an upload to storage. They send no credential."""
    request = HttpRequest(call.method, url, dict(headers), body)
    call = call._replace(options=call.options.over(settings.options))
    return (yield from _attempts(_Sending(request, call, settings, None, False, False)))


class _Sending(NamedTuple):
    request: HttpRequest
    call: Call
    settings: Settings
    key: Optional[str]
    authorized: bool
    is_stream: bool


class _Budget:
    """A call's time limits, for each attempt and in total."""

    def __init__(self, options: Options) -> None:
        self._each = options.timeout or 0.0
        self.total = options.total_timeout or float("inf")
        self._ends = time.monotonic() + self.total

    def left(self) -> float:
        return self._ends - time.monotonic()

    def of_attempt(self) -> float:
        return min(self._each, self.left())


def _attempts(sending: _Sending) -> Steps:
    request, call, settings, key, authorized, is_stream = sending
    budget = _Budget(call.options)
    retries = call.options.max_retries or 0
    attempt = 0
    token: Optional[str] = None
    refusal: Optional[Tuple[Optional[str], APIError]] = None
    while True:
        attempt += 1
        failure: Union[TransportError, APIError]
        try:
            if authorized:
                token = yield Token(refusal and refusal[0], budget.of_attempt())
                # Retry if the credential has a newer token than the refused one; otherwise the
                # refusal is final.
                if refusal is not None and token == refusal[0]:
                    raise refusal[1]
                request.headers["Authorization"] = f"Bearer {token}"
            _check_headers(request.headers)
            began = time.monotonic()
            response = yield Send(request, budget.of_attempt(), is_stream)
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
        raised: SvcError
        if isinstance(failure, APIError):
            raised = failure
            raised.idempotency_key = key
        else:
            raised = connection_error(failure, call, attempt, key)
        if wait is None:
            raise raised
        if budget.left() <= wait:
            late = f"the next attempt would start after the total timeout of {budget.total:g} s"
            over = TransportTimeout(f"{late} ({_why(failure)})")
            raise connection_error(over, call, attempt, key) from raised
        line = f"{call.method} {call.path}: {_why(failure)}; starting attempt {attempt + 1} in"
        warn(f"{line} {wait:.1f} s")
        yield Sleep(wait)


def _why(failure: Union[TransportError, APIError]) -> str:
    return failure.code if isinstance(failure, APIError) else str(failure)


def _wait_before_next(
    failure: Union[TransportError, APIError], attempt: int, retries: int
) -> Optional[float]:
    """Returns the seconds until the next attempt, or None if this was the last one."""
    if attempt > retries:
        return None
    if isinstance(failure, TransportError):
        return _retry.pause(attempt) if failure.may_retry else None
    if not _retry.may_retry(failure.status, failure.code):
        return None
    if failure.retry_after is None:
        return _retry.pause(attempt)
    return failure.retry_after if failure.retry_after <= RETRY_AFTER_SECONDS_MAX else None


def _check_headers(headers: Mapping[str, str]) -> None:
    for name, value in headers.items():
        if not value.isascii() or not value.isprintable():
            raise ValueError(f"{name} must be printable ASCII.")


def connection_error(
    failure: TransportError, call: Call, attempts: int, key: Optional[str]
) -> ConnectionError:
    kind = TimeoutError if isinstance(failure, TransportTimeout) else ConnectionError
    times = "1 attempt" if attempts == 1 else f"{attempts} attempts"
    error = kind(f"{call.method} {call.path} failed after {times}: {failure}.")
    error.attempts = attempts
    error.idempotency_key = key
    error.__cause__ = failure
    return error


def _api_error(response: HttpResponse, call: Call, attempts: int, key: Optional[str]) -> APIError:
    from .generated.problems import PROBLEMS

    problem = _problem_in(response, call)
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


def _problem_in(response: HttpResponse, call: Call) -> Dict[str, Any]:
    """The API's problem, or storage's text. Empty for any other response."""
    if call.path == STORAGE_PATH:
        kind = response.headers.get("content-type", "no content type")
        lines = response.body.decode("utf-8", "replace").splitlines()
        is_text = kind.startswith("text/plain") and lines
        return {"detail": lines[0] if is_text else f"the response is {kind}"}
    try:
        problem = json.loads(response.body)
    except ValueError:
        problem = {}
    return problem if isinstance(problem, dict) else {}


def _report(sending: _Sending, response: HttpResponse, attempt: int, began: float) -> None:
    """Reports a response to the log and to `on_response`, without bodies or resource IDs."""
    call, settings = sending.call, sending.settings
    headers = response.headers
    info = ResponseInfo(
        method=call.method,
        path=call.path,
        status=response.status,
        request_id=headers.get("request-id"),
        milliseconds=round((time.monotonic() - began) * 1000),
        attempt=attempt,
        idempotency_key=sending.key,
    )
    debug(f"{info.method} {info.path}: {info.status} in {info.milliseconds} ms [{info.request_id}]")
    if sending.authorized:
        settings.session.date = (headers.get("date"), time.time())
        if "deprecation" in headers or "sunset" in headers:
            until = f" It ends {headers['sunset']}." if "sunset" in headers else ""
            warn_once(f"{call.method} {call.path} is deprecated.{until}", show=True)
    if settings.on_response is not None:
        try:
            settings.on_response(info)
        except Exception as error:
            # A failing hook doesn't fail the call, which may have taken effect.
            settings.session.hook_failed(error)
