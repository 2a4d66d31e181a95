"""Chooses a request's proxy, from the client's option or the environment."""

from __future__ import annotations

import os
from typing import Literal, NamedTuple, Optional, Union
from urllib.parse import unquote, urlsplit

from ._errors import ConfigurationError

ProxySetting = Union[str, Literal[False], None]
"""A proxy URL, False for no proxy, or None for the environment's proxy."""


class Proxy(NamedTuple):
    host: str
    port: int
    authorization: Optional[str]

    def __repr__(self) -> str:
        return f"Proxy({self.host}:{self.port})"


def is_loopback(host: str) -> bool:
    """Whether this is a name or an address of this machine."""
    is_name = host == "localhost" or host.endswith(".localhost")
    digits = host.split(".")
    is_four = len(digits) == 4 and digits[0] == "127" and all(one.isdigit() for one in digits)
    return is_name or is_four or host == "::1"


def proxy_for(url: str, setting: ProxySetting) -> Optional[Proxy]:
    if setting is False or setting == "":
        return None
    if setting is not None:
        return _parsed(setting, "proxy")
    parts = urlsplit(url)
    host = parts.hostname or ""
    names = ("https_proxy", "all_proxy") if parts.scheme == "https" else ("http_proxy",)
    for name in (one for lower in names for one in (lower.upper(), lower)):
        text = os.environ.get(name)
        if text and not _is_exempt(host, parts.port):
            proxy = _parsed(text, name)
            # A request to this machine may be unencrypted, so it never goes through another
            # machine's proxy.
            return None if is_loopback(host) and not is_loopback(proxy.host) else proxy
    return None


def _parsed(text: str, name: str) -> Proxy:
    parts = urlsplit(text if "://" in text else f"http://{text}")
    if parts.scheme != "http" or not parts.hostname:
        raise ConfigurationError(f"{name} must be a URL such as http://proxy.example:3128.")
    authorization = None
    if parts.username is not None:
        import base64

        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        authorization = f"Basic {base64.b64encode(pair.encode()).decode()}"
    return Proxy(parts.hostname, parts.port or 80, authorization)


def _is_exempt(host: str, port: Optional[int]) -> bool:
    given = os.environ.get("NO_PROXY") or os.environ.get("no_proxy") or ""
    for entry in given.replace(",", " ").lower().split():
        name, colon, number = entry.rpartition(":")
        if not colon or not number.isdigit() or (":" in name and not name.endswith("]")):
            name, number = entry, ""
        name = name.strip("[]").lstrip("*").lstrip(".")
        fits_port = not number or port is None or port == int(number)
        if entry == "*" or (fits_port and name and (host == name or host.endswith(f".{name}"))):
            return True
    return False
