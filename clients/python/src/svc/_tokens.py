"""Requests tokens for client credentials."""

from __future__ import annotations

import json
import time
from binascii import b2a_base64
from typing import Any, Generator, Tuple
from urllib.parse import quote

from ._errors import ConfigurationError, TokenError
from ._http import HttpRequest, HttpResponse, TransportError
from ._retry import may_retry
from ._settings import KeptToken, Secret, Settings, checked_address, environment
from .generated.contract import RESOURCE_METADATA_PATH, TOKEN_PATH, TOKEN_RENEWAL_SECONDS


def fetch_token(
    client: Tuple[str, str], settings: Settings
) -> Generator[HttpRequest, HttpResponse, KeptToken]:
    """Yields the requests for a token: one, or two if `auth_url` isn't set."""
    address = settings.auth_url or environment("AUTH_URL")
    if not address:
        found = yield HttpRequest(
            "GET",
            f"{settings.address()}{RESOURCE_METADATA_PATH}",
            {"Accept": "application/json"},
            None,
        )
        address = _server_of(found)
    pair = Secret(":".join(quote(part, safe="") for part in client))
    request = HttpRequest(
        "POST",
        f"{checked_address(address, 'auth_url')}{TOKEN_PATH}",
        {
            "Accept": "application/json",
            "Authorization": f"Basic {b2a_base64(pair.encode(), newline=False).decode()}",
            "Content-Type": "application/x-www-form-urlencoded",
        },
        b"grant_type=client_credentials",
    )
    answer = yield request
    body = _json(answer)
    if answer.status != 200 or not isinstance(body.get("access_token"), str):
        raise _refused(answer, body)
    seconds = float(body.get("expires_in", 0)) - TOKEN_RENEWAL_SECONDS
    return KeptToken(Secret(body["access_token"]), time.monotonic() + seconds)


def _server_of(answer: HttpResponse) -> str:
    servers = _json(answer).get("authorization_servers")
    if answer.status != 200 or not servers:
        raise ConfigurationError("The API doesn't name an authorization server: pass auth_url.")
    return str(servers[0])


def _json(answer: HttpResponse) -> Any:
    try:
        body = json.loads(answer.body)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _refused(answer: HttpResponse, body: Any) -> Exception:
    # Treats a retryable status as a failed connection, so the API call is retried.
    if may_retry(answer.status, ""):
        return TransportError(f"the authorization server responded with {answer.status}")
    said = "The authorization server returned no token"
    problem = {
        "code": body.get("error") or "unknown",
        "title": said,
        "detail": body.get("error_description") or said,
        "hint": "Check client_id and client_secret.",
    }
    return TokenError(
        status=answer.status,
        problem=problem,
        method="POST",
        path=TOKEN_PATH,
        headers=answer.headers,
    )
