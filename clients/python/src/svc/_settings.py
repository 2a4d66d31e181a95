"""A client's settings: its URL, credential and behavior."""

from __future__ import annotations

import os
import sys
import time
from typing import Any, Callable, Dict, Mapping, NamedTuple, Optional, Sequence, Tuple, Union
from urllib.parse import urlsplit

from ._errors import ConfigurationError
from ._log import warn
from ._options import Options
from ._proxy import is_loopback
from ._version import __version__
from .generated.contract import API_VERSION, DEFAULT_BASE_URL, ENVIRONMENT_PREFIX, SLUG

Secrets = Union[str, Sequence[str]]


class Secret(str):
    """A credential. Error reports show local variables, so its repr hides the value."""

    def __repr__(self) -> str:
        return "Secret(...)"


def secret_or_source(given: Any) -> Any:
    """Wraps a credential in `Secret`. Returns a function unchanged."""
    return Secret(given) if isinstance(given, str) else given


def environment(name: str) -> Optional[str]:
    """Reads and strips an environment variable: `API_KEY` means SVC_API_KEY."""
    return os.environ.get(f"{ENVIRONMENT_PREFIX}_{name}", "").strip() or None


def new_key() -> str:
    """Creates an idempotency key: a random UUID, without the cost of importing uuid."""
    text = bytearray(os.urandom(16))
    text[6] = text[6] & 15 | 64
    text[8] = text[8] & 63 | 128
    digits = text.hex()
    parts = (digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:])
    return f"{SLUG}sdk_{'-'.join(parts)}"


class ResponseInfo(NamedTuple):
    """The response to one attempt. `path` is a template, so it contains no patient ID."""

    method: str
    path: str
    status: int
    request_id: Optional[str]
    milliseconds: int
    attempt: int
    idempotency_key: Optional[str]


class Session:
    """State shared by a client and those derived from it with `with_options`."""

    def __init__(self) -> None:
        self.used: Optional[str] = None
        """The last token sent."""
        self.kept: Optional[KeptToken] = None
        self.date: Tuple[Optional[str], float] = (None, 0.0)
        """The last response's Date header, and when it arrived by this machine's clock."""
        self._hook_has_failed = False

    def hook_failed(self, error: Exception) -> None:
        if not self._hook_has_failed:
            self._hook_has_failed = True
            warn(f"on_response failed, and calls continue: {type(error).__name__}: {error}")

    def server_time(self, moment: float) -> Optional[float]:
        """Converts this machine's time to the server's. None before the first response."""
        text, at = self.date
        if not text:
            return None
        from email.utils import parsedate_to_datetime

        try:
            return moment + parsedate_to_datetime(text).timestamp() - at
        except (TypeError, ValueError):
            return None


class KeptToken(NamedTuple):
    token: str
    until: float

    def __repr__(self) -> str:
        return "KeptToken(...)"

    def is_fresh(self) -> bool:
        return time.monotonic() < self.until


class Settings(NamedTuple):
    """A client's options. Its methods fall back to environment variables."""

    session: Session
    options: Options
    base_url: Optional[str]
    api_key: Any
    client_id: Optional[str]
    client_secret: Optional[str]
    auth_url: Optional[str]
    access_token: Any
    api_version: str
    expect_mode: Optional[str]
    app_info: Optional[Mapping[str, str]]
    on_response: Optional[Callable[[ResponseInfo], None]]

    # Error reports show local variables, so the repr contains no credential.
    def __repr__(self) -> str:
        return "Settings(...)"

    def check(self) -> Settings:
        given = [name for name in ("api_key", "client_id", "access_token") if getattr(self, name)]
        if len(given) > 1:
            raise TypeError(f"Pass {given[0]} or {given[1]}, not both.")
        if bool(self.client_id) != bool(self.client_secret):
            raise TypeError("Pass client_id and client_secret together.")
        if self.expect_mode not in (None, "test", "live"):
            raise TypeError("expect_mode must be 'test' or 'live'.")
        return self

    def with_options(self, options: Options) -> Settings:
        return self._replace(options=options.over(self.options))

    def credential(self) -> Dict[str, Any]:
        """The credential passed to the client, or else the environment's."""
        if self.access_token:
            return {"token": secret_or_source(self.access_token)}
        if self.client_id:
            return {"client": (self.client_id, Secret(self.client_secret))}
        key = self.api_key or environment("API_KEY")
        if key:
            return {"token": secret_or_source(key)}
        client = (environment("CLIENT_ID"), Secret(environment("CLIENT_SECRET") or ""))
        if all(client):
            return {"client": client}
        raise ConfigurationError(
            f"No credential: set {ENVIRONMENT_PREFIX}_API_KEY, or pass api_key, client_id "
            "and client_secret, or access_token."
        )

    def mode(self, used: Optional[str]) -> Optional[str]:
        """The mode of the last token used, or before that, of the configured key."""
        given = self.access_token or self.api_key or environment("API_KEY")
        return mode_of(used or (given if isinstance(given, str) and not self.client_id else ""))

    def address(self) -> str:
        """The API's URL without a trailing slash or version, which paths include."""
        given = self.base_url or environment("BASE_URL") or DEFAULT_BASE_URL
        address = checked_address(given, "base_url")
        return address[:-3] if address.endswith("/v1") else address

    def headers(self) -> Dict[str, str]:
        """Headers that every API request sends."""
        headers = {
            "Accept": "application/json",
            "Accept-Encoding": "identity",
            "API-Version": self.api_version or API_VERSION,
            "User-Agent": self._user_agent(),
        }
        return headers

    def _user_agent(self) -> str:
        agent = f"{SLUG}-sdk-python/{__version__} Python/{sys.version.split()[0]}"
        if self.app_info:
            name, version = self.app_info.get("name", "app"), self.app_info.get("version")
            url = self.app_info.get("url")
            agent += f" {name}/{version}" if version else f" {name}"
            agent += f" ({url})" if url else ""
        return agent


def checked_address(url: str, name: str) -> str:
    """Requires https://, except on this machine, because requests include a credential."""
    parts = urlsplit(url)
    local = parts.scheme == "http" and is_loopback(parts.hostname or "")
    if parts.scheme != "https" and not local:
        raise ConfigurationError(f"{name} must start with https://; http:// is only for localhost.")
    return url.rstrip("/")


def mode_of(token: str) -> Optional[str]:
    """The mode in a credential's prefix; None if it has none."""
    for mode in ("test", "live"):
        if token.startswith((f"{SLUG}_sk_{mode}_", f"{SLUG}_at_{mode}_")):
            return mode
    return None


def check_mode(token: str, expected: Optional[str]) -> None:
    found = mode_of(token)
    if expected is not None and found != expected:
        kind = f"is for {found} mode" if found else "has no known mode"
        raise ConfigurationError(
            f"The credential {kind}, but expect_mode is '{expected}'. Nothing was sent."
        )
