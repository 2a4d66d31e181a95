"""HTTP for `Client`, using blocking sockets and a connection pool."""

from __future__ import annotations

import os
import socket
import ssl
import threading
import time
import weakref
from typing import Callable, Dict, Iterator, List, NamedTuple, NoReturn, Optional, TypeVar

from ._fork import Forkable
from ._http import (
    IDLE_SECONDS,
    HttpRequest,
    HttpResponse,
    Incoming,
    Open,
    Origin,
    Secure,
    Step,
    Steps,
    TransportError,
    TransportTimeout,
    Unreachable,
    Write,
    connect,
    one,
    origin_of,
    receive,
    write,
)
from ._proxy import ProxySetting, proxy_for

T = TypeVar("T")

READ_BYTES = 65536


def failed(failure: BaseException, timeout: float, step: Optional[Step]) -> NoReturn:
    """Raises a step's failure as an error, without stack frames, which contain bodies."""
    bare = failure.with_traceback(None)
    bare.__context__ = None
    if isinstance(failure, TransportError):
        raise bare
    # Before Python 3.11, these were three separate classes.
    if isinstance(failure, (socket.timeout, TimeoutError)) or _name(failure) == "TimeoutError":
        if getattr(failure, "errno", None) is not None:
            raise TransportTimeout("the connection timed out") from bare
        raise TransportTimeout(f"no response within {timeout:g} s") from bare
    if not isinstance(failure, OSError):
        raise bare
    place = f"{step.host}:{step.port}" if isinstance(step, Open) else ""
    if isinstance(failure, ssl.SSLCertVerificationError):
        why = f"the certificate is not valid: {failure.verify_message}"
        raise Unreachable(f"{why}. Set SSL_CERT_FILE to trust your own certificates") from bare
    if isinstance(step, Secure) and isinstance(failure, ssl.SSLError):
        if not isinstance(failure, ssl.SSLEOFError):
            raise Unreachable(f"no TLS with {step.host}: {failure.reason}") from bare
    if isinstance(failure, socket.gaierror):
        kind = TransportError if failure.errno == socket.EAI_AGAIN else Unreachable
        raise kind(f"DNS lookup failed: {place}") from bare
    if isinstance(failure, ConnectionRefusedError):
        raise TransportError(f"connection refused: {place}") from bare
    raise TransportError(str(failure) or _name(failure)) from bare


def _name(failure: BaseException) -> str:
    return type(failure).__name__


def is_quiet(sock: socket.socket) -> bool:
    """Whether the server has neither closed the connection nor sent unrequested bytes."""
    import select

    try:
        if not hasattr(select, "poll"):
            return not select.select([sock], [], [], 0)[0]
        poll = select.poll()
        poll.register(sock, select.POLLIN)
        return not poll.poll(0)
    except (OSError, ValueError):
        return False


class _Connection:
    def __init__(self, context: Optional[ssl.SSLContext]) -> None:
        self._context = context
        self.sock: Optional[socket.socket] = None
        self.since = 0.0

    def run(self, steps: Steps[T], timeout: float, ends: float) -> T:
        step: Optional[Step] = None
        try:
            step = next(steps)
            while True:
                step = steps.send(self._do(step, ends))
        except StopIteration as end:
            result: T = end.value
            return result
        except BaseException as failure:
            self.close()
            failed(failure, timeout, step)

    def _do(self, step: Step, ends: float) -> bytes:
        remaining = None
        if ends != float("inf"):
            remaining = ends - time.monotonic()
            if remaining <= 0:
                raise socket.timeout("timed out")
        if isinstance(step, Open):
            self.sock = socket.create_connection((step.host, step.port), remaining)
            self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return b""
        sock = self.sock
        if sock is None:
            raise OSError("the connection is closed")
        sock.settimeout(remaining)
        if isinstance(step, Secure):
            if self._context is None:
                self._context = ssl.create_default_context()
            self.sock = self._context.wrap_socket(sock, server_hostname=step.host)
        elif isinstance(step, Write):
            sock.sendall(step.content)
        else:
            return sock.recv(READ_BYTES)
        return b""

    def close(self) -> None:
        if self.sock is not None:
            self.sock.close()
            self.sock = None


class _Pool:
    """One process's idle connections."""

    def __init__(self) -> None:
        self.process = os.getpid()
        self.lock = threading.Lock()
        self.kept: Dict[Origin, List[_Connection]] = {}

    def close(self) -> None:
        with self.lock:
            kept = [connection for each in self.kept.values() for connection in each]
            self.kept.clear()
        for connection in kept:
            connection.close()


class _Exchange(NamedTuple):
    """A sent request and the reader of its response."""

    connection: _Connection
    origin: Origin
    incoming: Incoming


class Streamed(NamedTuple):
    """A response whose body hasn't arrived yet."""

    status: int
    headers: Dict[str, str]
    parts: Iterator[bytes]
    close: Callable[[], None]


class HttpTransport(Forkable):
    """The built-in transport of `Client`.

    Threads can share it; each call uses its own connection.

    Args:
        context: Certificates to trust. Default: the system's, or `SSL_CERT_FILE`.
        proxy: A proxy URL, or False for none. Default: `HTTPS_PROXY` and `NO_PROXY`.
    """

    def __init__(
        self, context: Optional[ssl.SSLContext] = None, proxy: ProxySetting = None
    ) -> None:
        self._context = context
        self._proxy: ProxySetting = proxy
        self._pool = self._new_pool()
        super().__init__()

    def send(self, request: HttpRequest, timeout: float) -> HttpResponse:
        ends = time.monotonic() + timeout
        connection, origin, incoming = self._begin(request, timeout, ends)
        head, body = connection.run(receive(incoming), timeout, ends)
        self._keep(origin, connection, incoming)
        return HttpResponse(head.status, head.headers, body)

    def open(self, request: HttpRequest, timeout: float) -> Streamed:
        """Returns once the response headers arrive.

        `timeout` also applies to each part of the body.
        """
        ends = time.monotonic() + timeout
        connection, origin, incoming = self._begin(request, timeout, ends)
        head = connection.run(incoming.head(), timeout, ends)

        def parts() -> Iterator[bytes]:
            while True:
                part = connection.run(incoming.part(), timeout, time.monotonic() + timeout)
                if not part:
                    return self._keep(origin, connection, incoming)
                yield part

        def close() -> None:
            if not incoming.is_over:
                connection.close()

        return Streamed(head.status, head.headers, parts(), close)

    def close(self) -> None:
        self._own_pool().close()

    def _begin(self, request: HttpRequest, timeout: float, ends: float) -> _Exchange:
        origin = origin_of(request.url, proxy_for(request.url, self._proxy))
        connection = self._take(origin)
        if connection is None:
            if self._context is None and origin.scheme == "https":
                self._context = ssl.create_default_context()
            connection = _Connection(self._context)
            connection.run(connect(origin), timeout, ends)
        connection.run(one(write(request, origin)), timeout, ends)
        return _Exchange(connection, origin, Incoming(request.method))

    def _own_pool(self) -> _Pool:
        if self._pool.process != os.getpid():
            self.after_fork()
        return self._pool

    def after_fork(self) -> None:
        # Inherited connections belong to the parent, and the inherited lock may never be released.
        inherited, self._pool = self._pool, self._new_pool()
        inherited.lock = threading.Lock()
        # Closes only this process's descriptors; the parent's connections stay open.
        inherited.close()

    def _new_pool(self) -> _Pool:
        pool = _Pool()
        # Closes the sockets of a client that is garbage-collected without being closed.
        weakref.finalize(self, pool.close)
        return pool

    def _take(self, origin: Origin) -> Optional[_Connection]:
        pool = self._own_pool()
        while True:
            with pool.lock:
                kept = pool.kept.get(origin)
                if not kept:
                    return None
                found = kept.pop()
            fresh = time.monotonic() - found.since < IDLE_SECONDS
            if fresh and found.sock is not None and is_quiet(found.sock):
                return found
            found.close()

    def _keep(self, origin: Origin, connection: _Connection, incoming: Incoming) -> None:
        if not incoming.may_reuse():
            return connection.close()
        connection.since = time.monotonic()
        pool = self._own_pool()
        with pool.lock:
            pool.kept.setdefault(origin, []).append(connection)
