"""What sends requests: pass one as `transport` for certificates of your own, through a proxy, or
over a library of your choice.

A transport of your own has `send(request, timeout)` and `close()`, both coroutines for
`AsyncClient`. It raises `TransportError` where another attempt may help.
"""

from ._async_transport import AsyncHttpTransport, AsyncTransport
from ._transport import (
    HttpRequest,
    HttpResponse,
    HttpTransport,
    Transport,
    TransportError,
    TransportTimeout,
)

__all__ = [
    "AsyncHttpTransport",
    "AsyncTransport",
    "HttpRequest",
    "HttpResponse",
    "HttpTransport",
    "Transport",
    "TransportError",
    "TransportTimeout",
]
