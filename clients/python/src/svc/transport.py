"""What sends requests: pass one as `transport` for certificates of your own, or over a library of
your choice.

A transport of your own has `send(request, timeout)` and `close()`, both coroutines for
`AsyncClient`. It raises `TransportError` where another attempt may help, and `Unreachable` where
none would.
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
