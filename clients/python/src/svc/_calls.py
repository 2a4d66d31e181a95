"""An API call: how to build its request and check its response. `_attempts` handles retries."""

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
"""Matches only values that can't change the path."""
_PATH = re.compile(r"(/(?!\.{1,2}(/|\Z))[^\x00-\x20\x7f-\xa0\u2028\u2029/\\?#%]+)+")


class Call(NamedTuple):
    """An operation with its arguments. `path` is a template, and only the template is logged."""

    method: str
    path: str
    returns: Any = None
    """The type of the result or of each item."""
    shape: str = "resource"
    """`resource`, `list` or `download`."""
    ids: Mapping[str, str] = {}
    query: Mapping[str, Any] = {}
    body: Optional[Mapping[str, Any]] = None
    options: Options = Options()
    echoes: Optional[str] = None
    """The field, in the result or in each item, that must equal the path's last ID."""
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
        """Raises an error if the response is about another resource."""
        if self.echoes is None or not self.ids or answer.response.status == 304:
            return
        body = answer.json()
        *_, wanted = self.ids.values()
        rows = body.get("data", []) if self.shape == "list" else [body]
        for row in rows:
            # A key without the read scope receives only the ID and the fields it sent.
            found = row.get(self.echoes, None if self.echoes == "id" else wanted)
            if found != wanted:
                error = MismatchedResponseError(
                    f"{self.method} {self.path}: the response is for a different ID."
                )
                error.idempotency_key = answer.idempotency_key
                raise error

    # Error reports show local variables, so the repr contains no patient IDs or values.
    def __repr__(self) -> str:
        return f"Call({self.method} {self.path})"


STORAGE_PATH = "(storage)"
"""Stands for the path of an upload, whose URL is a credential."""


class Send(NamedTuple):
    """Tells the client to send a request, then return the response or raise a `TransportError`."""

    request: HttpRequest
    timeout: float
    is_stream: bool = False


class Sleep(NamedTuple):
    """Tells the client to wait."""

    seconds: float


class Token(NamedTuple):
    """Requests the credential's token from the client, other than the `refused` one."""

    refused: Optional[str]
    timeout: float


class Forget(NamedTuple):
    """Tells the client to close its connections, because responses may be mixed up."""


Step = Union[Send, Sleep, Token, Forget]


class Answer:
    """A successful response, before its body is parsed."""

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
                error = SvcError(
                    f"The response has status {self.response.status} and no JSON from the API: "
                    "check base_url."
                )
                error.idempotency_key = self.idempotency_key
                raise error
            self._body = body
        return self._body


Steps = Generator[Step, Any, Answer]


class Members(Dict[str, Any]):
    """A request's fields. Error reports show local variables, so the repr contains no values."""

    def __repr__(self) -> str:
        return f"Members({', '.join(self)})"


def given(members: Mapping[str, Any], clears: Tuple[str, ...] = ()) -> Members:
    """Drops arguments that weren't passed. Keeps None only for the fields in `clears`."""
    return Members(
        (name, value)
        for name, value in members.items()
        if value is not NOT_GIVEN and (value is not None or name in clears)
    )
