"""Transports send requests. Pass one as `transport` to use your own certificates or HTTP library.

A custom transport has `send(request, timeout)` and `close()`, both coroutines for `AsyncClient`.
It raises `TransportError` if a retry may succeed, and `Unreachable` if it can't.
"""

from ._async_transport import AsyncHttpTransport, AsyncTransport
from ._http import (
    HttpRequest,
    HttpResponse,
    Transport,
    TransportError,
    TransportTimeout,
    Unreachable,
)
from ._transport import HttpTransport

__all__ = [
    "AsyncHttpTransport",
    "AsyncTransport",
    "HttpRequest",
    "HttpResponse",
    "HttpTransport",
    "Transport",
    "TransportError",
    "TransportTimeout",
    "Unreachable",
]
