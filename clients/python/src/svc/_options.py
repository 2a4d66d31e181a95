"""Options for clients, `with_options` and single calls."""

from __future__ import annotations

import math
import time
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, TypedDict

from .generated.contract import OWN_HEADERS


class CallOptions(TypedDict, total=False):
    """Options that every method accepts. None means the client's value."""

    timeout: Optional[float]
    """Seconds for each attempt. 0 means no limit."""
    total_timeout: Optional[float]
    """Seconds for the whole call, including every attempt and pause. 0 means no limit."""
    max_retries: Optional[int]
    organization: Optional[str]
    """The clinic to act for in this call."""
    headers: Optional[Mapping[str, str]]
    """Additional headers, such as `traceparent`."""


class WaitOptions(TypedDict, total=False):
    """Options for each request of `wait_for`."""

    max_retries: Optional[int]
    organization: Optional[str]
    headers: Optional[Mapping[str, str]]


class WriteOptions(CallOptions, total=False):
    """Options that every write method accepts."""

    idempotency_key: Optional[str]
    """Default: a new key for each call. Every attempt of a call uses the same key."""


class Options(NamedTuple):
    """One call's options. None means the client's value."""

    timeout: Optional[float] = None
    total_timeout: Optional[float] = None
    max_retries: Optional[int] = None
    organization: Optional[str] = None
    headers: Optional[Mapping[str, str]] = None
    idempotency_key: Optional[str] = None

    def over(self, others: Options) -> Options:
        """These options, with unset values taken from `others`."""
        merged: List[Any] = [own if own is not None else other for own, other in zip(self, others)]
        both = Options(*merged)
        if self.headers and others.headers:
            return both._replace(headers={**others.headers, **self.headers})
        return both


def checked(given: Mapping[str, Any]) -> Options:
    """Checks a call's options and converts them to `Options`."""
    options = Options(**given)
    for name in ("timeout", "total_timeout"):
        value = getattr(options, name)
        if value is None:
            continue
        if not isinstance(value, (int, float)) or math.isnan(value) or value < 0:
            raise TypeError(f"{name} must be a number of seconds; 0 means no limit.")
        seconds: Mapping[str, Any] = {name: float(value) or math.inf}
        options = options._replace(**seconds)
    retries = options.max_retries
    if retries is not None and (not isinstance(retries, int) or retries < 0):
        raise TypeError("max_retries must be a whole number of at least 0.")
    for name in options.headers or ():
        if name.lower() in OWN_HEADERS:
            raise TypeError(f"headers must not have {name}: the client or an option sets it.")
    return options


def client_options(
    timeout: Optional[float],
    total_timeout: Optional[float],
    max_retries: int,
    organization: Optional[str],
    headers: Optional[Mapping[str, str]],
) -> Options:
    """A client's options. A timeout of None means no limit."""
    return checked(
        {
            "timeout": timeout or 0,
            "total_timeout": total_timeout or 0,
            "max_retries": max_retries,
            "organization": organization,
            "headers": headers,
        }
    )


class Remaining:
    """Divides a total timeout among several requests: each gets the remaining time."""

    def __init__(self, given: Mapping[str, Any], client: Options) -> None:
        total = checked(given).over(client).total_timeout or math.inf
        self._ends = time.monotonic() + total

    def options(self) -> Dict[str, float]:
        if self._ends == math.inf:
            return {}
        return {"total_timeout": max(self._ends - time.monotonic(), 0.001)}
