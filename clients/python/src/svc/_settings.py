"""What a client was given: where it calls, with which credential, and how it behaves."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from typing import Any, Callable, Dict, Mapping, Optional, Sequence, Union
from urllib.parse import urlsplit

from ._errors import ConfigurationError
from ._version import __version__
from .generated.contract import API_VERSION, DEFAULT_BASE_URL, ENVIRONMENT_PREFIX, SLUG

Secrets = Union[str, Sequence[str]]

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class Secret(str):
    """A credential. Error reports show local variables, so its repr does not."""

    def __repr__(self) -> str:
        return "Secret(...)"


def secret_or_source(given: Any) -> Any:
    """A function that returns a credential is passed on."""
    return Secret(given) if isinstance(given, str) else given


def environment(name: str) -> Optional[str]:
    """A variable of this package: `API_KEY` is SVC_API_KEY."""
    return os.environ.get(f"{ENVIRONMENT_PREFIX}_{name}")


@dataclass(frozen=True)
class ResponseInfo:
    """One attempt, for `on_response`. The path is a template, so no id of a patient is in it."""

    method: str
    path: str
    status: int
    request_id: Optional[str]
    milliseconds: int
    attempt: int
    idempotency_key: Optional[str]


@dataclass(frozen=True, repr=False)
class Settings:
    """The options of `Client` and `AsyncClient`, with the environment in their place."""

    base_url: Optional[str]
    api_key: Any
    client_id: Optional[str]
    client_secret: Optional[str]
    auth_url: Optional[str]
    access_token: Any
    organization: Optional[str]
    api_version: str
    max_retries: int
    timeout: float
    webhook_secret: Optional[Secrets]
    expect_mode: Optional[str]
    app_info: Optional[Mapping[str, str]]
    on_response: Optional[Callable[[ResponseInfo], None]]

    def __post_init__(self) -> None:
        given = [name for name in ("api_key", "client_id", "access_token") if getattr(self, name)]
        if len(given) > 1:
            raise TypeError(f"Pass {given[0]} or {given[1]}, not both.")
        if bool(self.client_id) != bool(self.client_secret):
            raise TypeError("client_id and client_secret belong together: pass both.")
        if self.expect_mode not in (None, "test", "live"):
            raise TypeError("expect_mode must be 'test' or 'live'.")

    def credential(self) -> Dict[str, Any]:
        """The one credential: what was passed, or else what the environment has."""
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
            f"There is no credential: set {ENVIRONMENT_PREFIX}_API_KEY, or pass api_key, client_id "
            "and client_secret, or access_token."
        )

    def mode(self, used: Optional[str]) -> Optional[str]:
        """Of the token that was used last; before that, of a key that is known already."""
        given = self.access_token or self.api_key or environment("API_KEY")
        return mode_of(used or (given if isinstance(given, str) and not self.client_id else ""))

    def address(self) -> str:
        """Of the API, without a slash at its end."""
        return checked_address(
            self.base_url or environment("BASE_URL") or DEFAULT_BASE_URL, "base_url"
        )

    def headers(self) -> Dict[str, str]:
        """What every request of the API sends."""
        headers = {
            "Accept": "application/json",
            "Accept-Encoding": "identity",
            "API-Version": self.api_version or API_VERSION,
            "User-Agent": self._user_agent(),
        }
        if self.organization:
            headers["Service-Organization"] = self.organization
        return headers

    def _user_agent(self) -> str:
        agent = f"{SLUG}-sdk-python/{__version__} Python/{platform.python_version()}"
        if self.app_info:
            name, version = self.app_info.get("name", "app"), self.app_info.get("version")
            url = self.app_info.get("url")
            agent += f" {name}/{version}" if version else f" {name}"
            agent += f" ({url})" if url else ""
        return agent


def checked_address(url: str, name: str) -> str:
    """A credential travels encrypted, except on this machine."""
    parts = urlsplit(url)
    local = parts.scheme == "http" and parts.hostname in LOOPBACK
    if parts.scheme != "https" and not local:
        raise ConfigurationError(f"{name} must begin with https://; http:// is for localhost.")
    return url.rstrip("/")


def mode_of(token: str) -> Optional[str]:
    """A credential belongs to one mode, which its prefix names."""
    for mode in ("test", "live"):
        if token.startswith((f"{SLUG}_sk_{mode}_", f"{SLUG}_at_{mode}_")):
            return mode
    return None


def check_mode(token: str, expected: Optional[str]) -> None:
    found = mode_of(token)
    if expected is not None and found != expected:
        kind = f"of {found} mode" if found else "of a mode that its prefix does not say"
        raise ConfigurationError(
            f"The credential is {kind}, and expect_mode is '{expected}'. Nothing was sent."
        )
