"""HTTP/1.1 for `Client`: http.client with connections that are kept."""

from __future__ import annotations

import http.client
import select
import socket
import ssl
import threading
import time
from typing import Any, Dict, List, NamedTuple, Optional, Protocol, Tuple
from urllib.parse import urlsplit

IDLE_SECONDS = 60.0
"""A connection that was not used for longer is not trusted."""


class HttpRequest(NamedTuple):
    method: str
    url: str
    headers: Dict[str, str]
    body: Optional[bytes]

    # Error reports show local variables: no credential and no body may be among them.
    def __repr__(self) -> str:
        return f"HttpRequest({self.method} {urlsplit(self.url).netloc})"


class HttpResponse(NamedTuple):
    status: int
    headers: Dict[str, str]
    """Names in lower case."""
    body: bytes

    def __repr__(self) -> str:
        return f"HttpResponse({self.status})"


class TransportError(Exception):
    """No complete answer arrived."""


class TransportTimeout(TransportError):
    """It did not arrive in time."""


class Transport(Protocol):
    """What sends one request: pass your own to go through a proxy, or to test without one."""

    def send(self, request: HttpRequest, timeout: float) -> HttpResponse: ...

    def close(self) -> None: ...


Origin = Tuple[str, str, Optional[int]]


def origin_of(url: str) -> Origin:
    parts = urlsplit(url)
    return (parts.scheme, parts.hostname or "", parts.port)


def target_of(url: str) -> str:
    """Path and query, as the first line of a request has them."""
    parts = urlsplit(url)
    path = parts.path or "/"
    return f"{path}?{parts.query}" if parts.query else path


class _Kept(NamedTuple):
    connection: http.client.HTTPConnection
    since: float


class HttpTransport:
    """Used by any number of threads at once; each call has a connection of its own."""

    def __init__(self, context: Optional[ssl.SSLContext] = None) -> None:
        self._context = context
        self._kept: Dict[Origin, List[_Kept]] = {}
        self._lock = threading.Lock()

    def send(self, request: HttpRequest, timeout: float) -> HttpResponse:
        ends = time.monotonic() + timeout
        origin = origin_of(request.url)
        connection = self._take(origin) or self._open(origin)
        try:
            connection.timeout = timeout
            if connection.sock is not None:
                connection.sock.settimeout(timeout)
            answer, closes = _exchange(connection, request, ends)
        except BaseException as failure:
            connection.close()
            # The frames of http.client hold the body, and error reports show what frames hold.
            bare = failure.with_traceback(None)
            if isinstance(failure, socket.timeout):
                raise TransportTimeout(f"no answer within {timeout:g} s") from bare
            if isinstance(failure, (OSError, http.client.HTTPException)):
                raise TransportError(_words(failure)) from bare
            raise
        if closes:
            connection.close()
        else:
            self._keep(origin, connection)
        return answer

    def close(self) -> None:
        with self._lock:
            kept = [one for each in self._kept.values() for one in each]
            self._kept.clear()
        for one in kept:
            one.connection.close()

    def _open(self, origin: Origin) -> http.client.HTTPConnection:
        scheme, host, port = origin
        if scheme == "http":
            return http.client.HTTPConnection(host, port)
        if self._context is None:
            self._context = ssl.create_default_context()
        return http.client.HTTPSConnection(host, port, context=self._context)

    def _take(self, origin: Origin) -> Optional[http.client.HTTPConnection]:
        while True:
            with self._lock:
                kept = self._kept.get(origin)
                if not kept:
                    return None
                one = kept.pop()
            if time.monotonic() - one.since < IDLE_SECONDS and _is_quiet(one.connection):
                return one.connection
            one.connection.close()

    def _keep(self, origin: Origin, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            self._kept.setdefault(origin, []).append(_Kept(connection, time.monotonic()))


def _words(failure: BaseException) -> str:
    """What failed. A name of a host or a status line is in it, never a body."""
    if isinstance(failure, http.client.IncompleteRead):
        return "the answer ended early"
    return str(failure) or type(failure).__name__


def _is_quiet(connection: http.client.HTTPConnection) -> bool:
    """Whether the server has neither closed the connection nor sent what no request asked for."""
    sock = connection.sock
    if sock is None:
        return False
    try:
        readable, _, _ = select.select([sock], [], [], 0)
    except (OSError, ValueError):
        return False
    return not readable


class _Answer(http.client.HTTPResponse):
    """http.client passes over 100 and takes every other interim answer for the last one."""

    def _read_status(self) -> Any:
        parent: Any = super()
        while True:
            version, status, reason = parent._read_status()
            if status == 100 or not 100 < status < 200:
                return version, status, reason
            http.client.parse_headers(self.fp)


def _exchange(
    connection: http.client.HTTPConnection, request: HttpRequest, ends: float
) -> Tuple[HttpResponse, bool]:
    connection.response_class = _Answer
    connection.request(request.method, target_of(request.url), request.body, request.headers)
    # When the answer closes the connection, http.client forgets the socket before it is read.
    sock: Any = connection.sock
    response = connection.getresponse()
    parts: List[bytes] = []
    # With its last byte a response closes itself, and with it a socket that is not kept.
    while not response.isclosed():
        remaining = ends - time.monotonic()
        if remaining <= 0:
            raise socket.timeout("timed out")
        sock.settimeout(remaining)
        part = response.read1(65536)
        if not part:
            break
        parts.append(part)
    body = b"".join(parts)
    headers = {name.lower(): value for name, value in response.getheaders()}
    if _is_cut(response, headers, body):
        raise http.client.IncompleteRead(body)
    closes = response.will_close
    response.close()
    return HttpResponse(response.status, headers, body), closes


def _is_cut(response: http.client.HTTPResponse, headers: Dict[str, str], body: bytes) -> bool:
    if response.status in (204, 304):
        return False
    if "content-length" in headers:
        return len(body) < int(headers["content-length"])
    # A head that was cut has no length either; http.client does not notice.
    return not body and "transfer-encoding" not in headers
