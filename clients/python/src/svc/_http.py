"""HTTP/1.1 without I/O: yields steps that `HttpTransport` and `AsyncHttpTransport` run."""

from __future__ import annotations

from typing import Dict, Generator, List, NamedTuple, Optional, Protocol, Tuple, TypeVar, Union
from urllib.parse import urlsplit

from ._proxy import Proxy

T = TypeVar("T")

LINE_BYTES = 65536
"""Maximum length of a line in the response headers."""
IDLE_SECONDS = 60.0
"""Connections idle for longer than this aren't reused."""


class HttpRequest(NamedTuple):
    method: str
    url: str
    headers: Dict[str, str]
    body: Optional[bytes]

    # Error reports show local variables, so the repr contains no credential or body.
    def __repr__(self) -> str:
        return f"HttpRequest({self.method} {urlsplit(self.url).netloc})"


class HttpResponse(NamedTuple):
    status: int
    headers: Dict[str, str]
    """Headers, with lowercase names."""
    body: bytes

    def __repr__(self) -> str:
        return f"HttpResponse({self.status})"


class TransportError(Exception):
    """No complete response arrived. `may_retry` is whether a retry may succeed."""

    may_retry = True


class TransportTimeout(TransportError):
    """The response didn't arrive in time."""


class Unreachable(TransportError):
    """Nothing was sent, and a retry would fail too: a wrong host name, certificate or proxy."""

    may_retry = False


class Transport(Protocol):
    """Sends requests. Pass your own to use another HTTP library, or to test without a network.

    `timeout` is in seconds; infinity means no limit.
    """

    def send(self, request: HttpRequest, timeout: float) -> HttpResponse: ...

    def close(self) -> None: ...


class Origin(NamedTuple):
    scheme: str
    host: str
    port: int
    proxy: Optional[Proxy]


def origin_of(url: str, proxy: Optional[Proxy]) -> Origin:
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    return Origin(parts.scheme, parts.hostname or "", port, proxy)


class Open(NamedTuple):
    """Tells the transport to connect to this address."""

    host: str
    port: int


class Secure(NamedTuple):
    """Tells the transport to start TLS and require a certificate for this host."""

    host: str


class Write(NamedTuple):
    """Tells the transport to send these bytes."""

    content: bytes

    def __repr__(self) -> str:
        return f"Write({len(self.content)} bytes)"


class Read(NamedTuple):
    """Reads received bytes from the transport. Empty bytes mean that the connection closed."""


Step = Union[Open, Secure, Write, Read]
Steps = Generator[Step, bytes, T]


class Head(NamedTuple):
    version: str
    status: int
    headers: Dict[str, str]


def connect(origin: Origin) -> Steps[None]:
    """The steps to open a connection, through a proxy and with TLS if needed."""
    scheme, host, port, proxy = origin
    if proxy is None:
        yield Open(host, port)
    else:
        yield Open(proxy.host, proxy.port)
        if scheme == "https":
            yield from _tunnel(proxy, f"{_bracketed(host)}:{port}")
    if scheme == "https":
        yield Secure(host)


def _tunnel(proxy: Proxy, target: str) -> Steps[None]:
    lines = [f"CONNECT {target} HTTP/1.1", f"Host: {target}"]
    if proxy.authorization is not None:
        lines.append(f"Proxy-Authorization: {proxy.authorization}")
    yield Write("\r\n".join([*lines, "", ""]).encode("latin-1"))
    status = (yield from Incoming("CONNECT").head()).status
    if 200 <= status < 300:
        return
    said = f"the proxy {proxy.host}:{proxy.port} responded with {status} for {target}"
    if status >= 500:
        raise TransportError(said)
    more = ": give it a user and a password, http://user:password@host:port" * (status == 407)
    raise Unreachable(f"{said}{more}")


def write(request: HttpRequest, origin: Origin) -> Write:
    """Serializes a request."""
    scheme, host, port, proxy = origin
    usual = port == (443 if scheme == "https" else 80)
    name = _bracketed(host) if usual else f"{_bracketed(host)}:{port}"
    headers = {"Host": name, **request.headers}
    target = _target_of(request.url)
    if proxy is not None and scheme == "http":
        target = f"http://{name}{target}"
        if proxy.authorization is not None:
            headers["Proxy-Authorization"] = proxy.authorization
    if request.body is not None or request.method != "GET":
        headers["Content-Length"] = str(len(request.body or b""))
    lines = [f"{request.method} {target} HTTP/1.1"]
    lines += [f"{header}: {value}" for header, value in headers.items()]
    head = "\r\n".join([*lines, "", ""]).encode("latin-1")
    return Write(head + (request.body or b""))


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _target_of(url: str) -> str:
    parts = urlsplit(url)
    path = parts.path or "/"
    return f"{path}?{parts.query}" if parts.query else path


class Incoming:
    """Reads one response: its head, then the parts of its body."""

    def __init__(self, method: str) -> None:
        self._method = method
        self._buffer = b""
        self._left: Optional[int] = 0
        """Bytes left in the body or chunk. None if the body ends when the connection closes."""
        self._chunked = False
        self._closes = False
        self.is_over = False

    def may_reuse(self) -> bool:
        """Whether the connection stays open and has no unexpected bytes."""
        return not self._closes and not self._buffer

    def _more(self) -> Steps[bytes]:
        content, self._buffer = self._buffer, b""
        if not content:
            content = yield Read()
        return content

    def _line(self) -> Steps[bytes]:
        while b"\n" not in self._buffer:
            part = yield Read()
            if not part or len(self._buffer) > LINE_BYTES:
                raise TransportError("the response ended early")
            self._buffer += part
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line.rstrip(b"\r")

    def head(self) -> Steps[Head]:
        while True:
            head = yield from self._one_head()
            # Skips interim (1xx) responses.
            if head.status >= 200:
                break
        headers = head.headers
        ends = "close" in headers.get("connection", "").lower() or head.version == "HTTP/1.0"
        self._closes = ends
        self._chunked = "chunked" in headers.get("transfer-encoding", "").lower()
        has_none = head.status in (204, 304) or self._method in ("HEAD", "CONNECT")
        if has_none or self._chunked:
            self._chunked = self._chunked and not has_none
        elif "content-length" in headers:
            length = headers["content-length"]
            if not length.isdigit():
                raise TransportError("the response has no valid length")
            self._left = int(length)
        else:
            self._left, self._closes = None, True
        return head

    def upgraded(self) -> Steps[Tuple[Head, bytes]]:
        """The response to an upgrade request, and the bytes that followed it."""
        head = yield from self._one_head()
        return head, self._buffer

    def _one_head(self) -> Steps[Head]:
        line = yield from self._line()
        parts = line.decode("latin-1").split(None, 2)
        if len(parts) < 2 or not parts[0].startswith("HTTP/1.") or not parts[1].isdigit():
            raise TransportError("the response is not HTTP/1.1")
        headers: Dict[str, str] = {}
        while True:
            line = yield from self._line()
            if not line:
                return Head(parts[0], int(parts[1]), headers)
            name, _, value = line.decode("latin-1").partition(":")
            headers[name.strip().lower()] = value.strip()

    def part(self) -> Steps[bytes]:
        """The next bytes of the body; empty at the end."""
        if self._left is None:
            part = yield from self._more()
            self.is_over = not part
            return part
        if self._left == 0 and self._chunked:
            yield from self._next_chunk()
        if self._left == 0:
            self.is_over = True
            return b""
        content = yield from self._more()
        if not content:
            raise TransportError("the response ended early")
        part, self._buffer = content[: self._left], content[self._left :]
        self._left -= len(part)
        if self._left == 0 and self._chunked:
            yield from self._line()
        return part

    def _next_chunk(self) -> Steps[None]:
        line = yield from self._line()
        try:
            self._left = int(line.split(b";")[0], 16)
        except ValueError:
            raise TransportError("the response has a chunk without a length") from None
        if self._left == 0:
            self._chunked = False
            while (yield from self._line()):
                pass


def one(step: Step) -> Steps[None]:
    yield step


def receive(incoming: Incoming) -> Steps[Tuple[Head, bytes]]:
    """Reads a whole response."""
    head = yield from incoming.head()
    parts: List[bytes] = []
    while True:
        part = yield from incoming.part()
        if not part:
            return head, b"".join(parts)
        parts.append(part)
