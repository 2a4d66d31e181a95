"""Return values of calls: the result alone, or a `RawResponse` with the result and the response."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, Generic, List, Mapping, Optional, TypeVar, Union

from ._calls import Answer, Call, given
from ._model import read_items, read_result
from ._options import Options

T = TypeVar("T")


class RawResponse(Generic[T]):
    """A result, together with its HTTP response."""

    def __init__(self, data: T, answer: Answer) -> None:
        response = answer.response
        self.data = data
        self.status: int = response.status
        self.headers: Mapping[str, str] = response.headers
        """Headers, with lowercase names."""
        self.content: bytes = response.body
        """The body as received."""
        self.attempts: int = answer.attempts
        self.idempotency_key: Optional[str] = answer.idempotency_key
        """Writes only. The key that every attempt sent."""

    @property
    def request_id(self) -> Optional[str]:
        return self.headers.get("request-id")

    @property
    def replayed(self) -> bool:
        """Whether this is the stored response to an earlier request with the same key."""
        return self.headers.get("idempotent-replayed") == "true"

    def __repr__(self) -> str:
        return f"RawResponse(status={self.status}, request_id={self.request_id!r}, ...)"


class Download(Generic[T]):
    """A downloaded file."""

    def __init__(self, kind: Any, answer: Answer) -> None:
        self._kind = kind
        self._status: int = answer.response.status
        self.content: bytes = answer.response.body
        self.headers: Dict[str, str] = answer.response.headers

    @property
    def request_id(self) -> Optional[str]:
        return self.headers.get("request-id")

    @property
    def is_unchanged(self) -> bool:
        """Whether the file still matches `if_none_match`. If so, `content` is empty."""
        return self._status == 304

    @property
    def etag(self) -> Optional[str]:
        return self.headers.get("etag")

    def parse(self) -> T:
        """Parses the file's JSON."""
        result: T = read_result(self._kind, json.loads(self.content), self.request_id)
        return result

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        with open(path, "wb") as file:
            file.write(self.content)


def raw_call(
    method: str,
    path: str,
    query: Optional[Mapping[str, Any]],
    body: Optional[Mapping[str, Any]],
    options: Options,
) -> Call:
    if method not in ("GET", "POST", "PATCH", "DELETE"):
        raise ValueError("method must be GET, POST, PATCH or DELETE.")
    return Call(method, path, query=given(query or {}), body=body, options=options)


def result_of(call: Call, answer: Answer) -> Any:
    """Converts a response to the call's result type."""
    if call.shape == "download":
        return Download(call.returns, answer)
    body = answer.json()
    if call.shape == "resource":
        return read_result(call.returns, body, answer.response.headers.get("request-id"))
    items: List[Any] = read_items(call.returns, body["data"])
    return items
