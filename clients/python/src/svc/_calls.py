"""One call, without its own I/O: what to send and how to read the response. `_attempts` decides
when to send it again.
"""

from __future__ import annotations

import json
import re
from typing import Any, Dict, Generator, Mapping, NamedTuple, Optional, Tuple, Union
from urllib.parse import quote, urlencode

from ._errors import MismatchedResponseError, SvcError
from ._given import NOT_GIVEN
from ._http import HttpRequest
from ._options import Options
from ._wire import to_json, to_query

_ID = re.compile(r"(?!\.{1,2}\Z)[^\x00-\x20\x7f-\xa0\u2028\u2029/\\?#%]+")
"""Anything else would change the path."""
_PATH = re.compile(r"(/(?!\.{1,2}(/|\Z))[^\x00-\x20\x7f-\xa0\u2028\u2029/\\?#%]+)+")


class Call(NamedTuple):
    """One operation with its values. `path` is the template, and only the template is logged."""

    method: str
    path: str
    returns: Any = None
    """The type of the result, or of its items."""
    shape: str = "resource"
    """`resource`, `list` or `download`."""
    ids: Mapping[str, str] = {}
    query: Mapping[str, Any] = {}
    body: Optional[Mapping[str, Any]] = None
    options: Options = Options()
    echoes: Optional[str] = None
    """The field of a result, or of each item, that holds the path's last ID."""
    if_none_match: Optional[str] = None

    def url(self, base: str) -> str:
        path = self.path
        for name, value in self.ids.items():
            if not isinstance(value, str) or not _ID.fullmatch(value):
                raise ValueError(f"{self.path} needs an ID for {{{name}}}, as a string.")
            path = path.replace(f"{{{name}}}", quote(value, safe=""))
        if not self.ids and not _PATH.fullmatch(path):
            raise ValueError("The path must look like /v1/cases, without a query.")
        query = [(name, to_query(value)) for name, value in self.query.items()]
        return f"{base}{path}?{urlencode(query)}" if query else f"{base}{path}"

    def payload(self) -> Optional[bytes]:
        if self.body is None:
            return None
        return json.dumps(to_json(self.body), separators=(",", ":")).encode()

    def check(self, answer: Answer) -> None:
        """Raises if the response is about something other than what was requested."""
        if self.echoes is None or not self.ids or answer.response.status == 304:
            return
        body = answer.json()
        *_, wanted = self.ids.values()
        rows = body.get("data", []) if self.shape == "list" else [body]
        for row in rows:
            if row.get(self.echoes) != wanted:
                raise MismatchedResponseError(
                    f"{self.method} {self.path}: the response is for a different ID."
                )

    # Error reports show local variables, so they must hold none of a patient's ids or values.
    def __repr__(self) -> str:
        return f"Call({self.method} {self.path})"


class Send(NamedTuple):
    """Tells the client to send this and return the response or raise a `TransportError`."""

    request: HttpRequest
    timeout: float
    is_stream: bool = False


class Sleep(NamedTuple):
    """Tells the client to wait."""

    seconds: float


class Token(NamedTuple):
    """Asks the client for the credential's token. `refused` is one that the API refused."""

    refused: Optional[str]
    timeout: float


class Forget(NamedTuple):
    """Tells the client that no open connection can be trusted."""


Step = Union[Send, Sleep, Token, Forget]


class Answer:
    """A success, before its body is read."""

    def __init__(self, response: Any, attempts: int, key: Optional[str]) -> None:
        self.response = response
        self.attempts = attempts
        self.idempotency_key = key
        self._body: Any = None

    def json(self) -> Any:
        if self._body is None:
            try:
                body = json.loads(self.response.body)
            except ValueError:
                body = None
            if not isinstance(body, dict):
                raise SvcError(
                    f"The response has status {self.response.status} and no JSON from the API:  "
                    "check base_url."
                )
            self._body = body
        return self._body


Steps = Generator[Step, Any, Answer]


class Members(Dict[str, Any]):
    """The request to send. Error reports show local variables, so its repr contains no values."""

    def __repr__(self) -> str:
        return f"Members({', '.join(self)})"


def given(members: Mapping[str, Any], clears: Tuple[str, ...] = ()) -> Members:
    """The fields that were passed. None counts as passed if it clears a value."""
    return Members(
        (name, value)
        for name, value in members.items()
        if value is not NOT_GIVEN and (value is not None or name in clears)
    )
