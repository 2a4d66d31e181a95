"""HTTP in both clients: where a response ends, and which connections are reused."""

import asyncio
import contextlib
import socket
import threading
import time

from given import Test
from svc.transport import (
    AsyncHttpTransport,
    HttpRequest,
    HttpTransport,
    TransportError,
    TransportTimeout,
)

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"


class Server:
    """Responds to each request on a connection with its script's next bytes, then closes it."""

    def __init__(self, *connections):
        self.scripts = list(connections)
        self.closed = [threading.Event() for _ in connections]
        self.accepted = 0
        self.requests = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}/v1/x?y=1"
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        for script, closed in zip(self.scripts, self.closed):
            connection, _ = self.listener.accept()
            self.accepted += 1
            with connection:
                for answer in script:
                    self.requests.append(self.read(connection))
                    for part in answer if isinstance(answer, list) else [answer]:
                        if isinstance(part, float):
                            time.sleep(part)
                        else:
                            with contextlib.suppress(OSError):
                                connection.sendall(part)
            closed.set()

    def settle(self):
        """Waits until every connection with a finished script is closed."""
        wanted = 0
        for script, closed in zip(self.scripts, self.closed):
            wanted += len(script)
            if len(self.requests) >= wanted:
                closed.wait(5)

    def read(self, connection):
        text = b""
        while b"\r\n\r\n" not in text:
            part = connection.recv(65536)
            if not part:
                return text
            text += part
        head, _, body = text.partition(b"\r\n\r\n")
        length = [
            line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length")
        ]
        while length and len(body) < int(length[0].split(b":")[1]):
            body += connection.recv(65536)
        return head + b"\r\n\r\n" + body

    def close(self):
        self.listener.close()
        self.thread.join(5)


class Transports(Test):
    def both(self, script, check, timeout=5.0, method="GET", body=None):
        """Sends one request per scripted response, with each transport."""
        count = sum(len(connection) for connection in script)

        def blocking(server):
            transport = HttpTransport()
            try:
                for _ in range(count):
                    yield transport.send(HttpRequest(method, server.url, {"A": "b"}, body), timeout)
                    server.settle()
            finally:
                transport.close()

        async def asynchronous(server):
            transport = AsyncHttpTransport()
            answers = []
            try:
                for _ in range(count):
                    request = HttpRequest(method, server.url, {"A": "b"}, body)
                    answers.append(await transport.send(request, timeout))
                    await asyncio.to_thread(server.settle)
            finally:
                await transport.close()
            return answers

        for flavor in ("blocking", "asyncio"):
            with self.subTest(flavor):
                server = Server(*script)
                try:
                    check(
                        server,
                        lambda server=server, flavor=flavor: (
                            list(blocking(server))
                            if flavor == "blocking"
                            else asyncio.run(asynchronous(server))
                        ),
                    )
                finally:
                    server.close()

    def answers(self, *answers, body):
        def check(server, send):
            self.assertEqual([one.body for one in send()], [body] * len(answers))

        self.both([[one] for one in answers], check)

    def fails(self, answer, kind=TransportError, timeout=5.0):
        def check(server, send):
            with self.assertRaises(kind):
                send()

        with self.subTest(answer):
            self.both([[answer]], check, timeout)

    def test_a_response_ends_where_its_headers_say(self):
        whole = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody"
        chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        self.answers(
            whole,
            b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nbody",
            b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 4\r\n\r\nbody",
            chunked + b"2\r\nbo\r\n2;x=y\r\ndy\r\n0\r\nTrailer: 1\r\n\r\n",
            b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + whole,
            body=b"body",
        )
        self.answers(b"HTTP/1.1 304 Not Modified\r\nETag: x\r\nContent-Length: 9\r\n\r\n", body=b"")

    def test_a_truncated_or_non_http_response_fails(self):
        self.fails(b"")
        self.fails(b"HTTP/1.1 200 OK\r\nContent-Le")
        self.fails(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbody")
        self.fails(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nbody")
        self.fails(b"SSH-2.0-OpenSSH_9.2\r\n")

    def test_a_slow_body_times_out(self):
        drops = [b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", *[0.1, b"x"] * 5]
        self.fails(drops, TransportTimeout, timeout=0.3)

    def test_a_connection_is_reused(self):
        def check(server, send):
            self.assertEqual([one.status for one in send()], [200] * 3)
            self.assertEqual([server.accepted, len(server.requests)], [1, 3])

        self.both([[OK, OK, OK]], check)

    def test_a_connection_that_the_server_closed_is_not_reused(self):
        def check(server, send):
            self.assertEqual([one.status for one in send()], [200] * 3)
            self.assertEqual(server.accepted, 2)

        self.both([[OK, OK], [OK]], check)

    def test_a_request_is_complete(self):
        def check(server, send):
            send()
            (request,) = server.requests
            head, _, body = request.partition(b"\r\n\r\n")
            first, *lines = head.split(b"\r\n")
            names = sorted(line.split(b":")[0].lower() for line in lines)
            self.assertEqual([first, body], [b"POST /v1/x?y=1 HTTP/1.1", b"{}"])
            self.assertIn(b"a", names)
            self.assertIn(b"content-length", names)
            self.assertIn(b"host", names)

        self.both([[OK]], check, method="POST", body=b"{}")
