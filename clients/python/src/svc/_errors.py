"""This package's errors. Classes for individual problem codes are in `svc.errors`."""

from __future__ import annotations

import builtins
from typing import Any, Dict, List, Mapping, Optional, get_type_hints

from ._model import read_value
from ._retry import may_retry
from .generated.results import FieldError


class SvcError(Exception):
    """The base class of this package's errors. Incorrect use raises TypeError or ValueError."""

    last_id: Optional[str] = None
    """If a list failed partway, the last received item's ID, to pass as `starting_after`."""
    idempotency_key: Optional[str] = None
    """Writes only. Repeat the call with this key, so it takes effect only once."""

    def __reduce__(self) -> Any:
        return (_rebuild, (type(self), self.args, self.__dict__))


def _rebuild(kind: Any, args: Any, members: Dict[str, Any]) -> Any:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(members)
    return error


class ConfigurationError(SvcError):
    """A credential or URL is missing or not valid. The call wasn't sent."""


class ConnectionError(SvcError, builtins.ConnectionError):
    """No complete response arrived, even after every retry. `__cause__` is the last failure.

    A write may have taken effect. Repeat the call with the same `idempotency_key`, so it takes
    effect only once.
    """

    attempts: int = 1


class TimeoutError(ConnectionError, builtins.TimeoutError):
    """The last attempt or the whole call timed out."""


class MismatchedResponseError(SvcError):
    """The response is about another resource.

    A write may have taken effect, so read the resource before you repeat it.
    """


class WaitTimeoutError(SvcError, builtins.TimeoutError):
    """A `wait_for` call timed out."""


class SignatureVerificationError(SvcError):
    """Webhook verification failed. `reason` is the failed check; the message says how to fix it."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(f"{reason}: {message}")
        self.reason = reason


class APIError(SvcError):
    """The API rejected the request, or a server other than the API responded.

    Branch on the class or on `code`. For a code newer than this version, the class is `APIError`.
    """

    def __init__(
        self,
        *,
        status: int,
        problem: Mapping[str, Any],
        method: str,
        path: str,
        headers: Mapping[str, str],
        attempts: int = 1,
        idempotency_key: Optional[str] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        self.status = status
        self.code: str = problem.get("code", "unknown")
        self.title: str = problem.get("title", "The response isn't from the API")
        self.detail: str = problem.get("detail", self.title)
        self.hint: Optional[str] = problem.get("hint", None if problem else "Check base_url.")
        self.request_id: Optional[str] = problem.get("request_id", headers.get("request-id"))
        self.errors: List[FieldError] = [
            FieldError.from_dict(error) for error in problem.get("errors", ())
        ]
        self.doc_url: Optional[str] = problem.get("type")
        self.raw: Dict[str, Any] = dict(problem)
        self.method = method
        self.path = path
        self.headers = headers
        self.attempts = attempts
        self.idempotency_key = idempotency_key
        self.retry_after = retry_after
        """Seconds from `Retry-After`. The client doesn't retry if this is longer than a minute."""
        hints = get_type_hints(type(self))
        for name in hints.keys() - get_type_hints(APIError).keys():
            setattr(self, name, read_value(hints[name], problem.get(name)))
        super().__init__(self._line())

    def _line(self) -> str:
        parts = [f"{self.code} ({self.status}) {self.method} {self.path}: {self.detail}"]
        parts += [f"{error.pointer} {error.message}" for error in self.errors]
        parts += [self.hint] if self.hint else []
        line = " ".join(part if part.endswith(".") else f"{part}." for part in parts)
        return f"{line} [{self.request_id}]" if self.request_id else line

    def to_dict(self) -> Dict[str, Any]:
        """Details that are safe to log. They include nothing from the request body."""
        return {
            "status": self.status,
            "code": self.code,
            "title": self.title,
            "detail": self.detail,
            "hint": self.hint,
            "request_id": self.request_id,
            "errors": [error.to_dict() for error in self.errors],
            "method": self.method,
            "path": self.path,
            "attempts": self.attempts,
            "idempotency_key": self.idempotency_key,
        }


def is_refusal(error: APIError) -> bool:
    """Whether the API refused the request, so that a retry wouldn't help."""
    return error.status < 500 and not may_retry(error.status, error.code)


class TokenError(APIError):
    """The authorization server issued no token. `code` is its reason, such as `invalid_client`."""
