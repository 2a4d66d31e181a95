"""No call returns another patient's record: forks, unsolicited responses, IDs, failing hooks."""

import asyncio
import contextlib
import json
import os
import socket
import threading
import unittest
import warnings

import svc
from given import ADA, GIVEN, Test, client
from svc.transport import HttpResponse

PATIENT = {**GIVEN["examples"]["Patient"]}


def answer_for(patient_id, extra=b""):
    body = json.dumps({**PATIENT, "id": patient_id}).encode()
    head = (
        f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body + extra


class Echo:
    """Responds to each request with the requested patient, and keeps the connection open.

    `unasked` is sent once, after the first connection's first response.
    """

    def __init__(self, seconds=0.0, unasked=b"", other_id=None):
        self.seconds, self.unasked, self.other_id = seconds, unasked, other_id
        self.waits = bool(unasked)
        self.sent_unasked = threading.Event()
        self.stop = threading.Event()
        self.accepted = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.accepted += 1
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        text = b""
        with connection, contextlib.suppress(ConnectionResetError):
            while True:
                while b"\r\n\r\n" not in text:
                    part = connection.recv(65536)
                    if not part:
                        return
                    text += part
                head, _, text = text.partition(b"\r\n\r\n")
                patient_id = head.split(b" ")[1].decode().rsplit("/", 1)[-1]
                self.stop.wait(self.seconds)
                connection.sendall(answer_for(self.other_id or patient_id))
                if self.unasked:
                    connection.sendall(self.unasked)
                    self.unasked = b""
                    self.sent_unasked.set()

    def wait(self):
        """Waits until the unsolicited response has been sent."""
        if self.waits:
            self.sent_unasked.wait(5)

    def close(self):
        self.stop.set()
        self.listener.close()


def ids(prefix, count):
    return [f"pat_{prefix}{number:024d}" for number in range(count)]


def in_child(work):
    """Runs `work` in a forked child and returns its JSON output."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        # Python 3.12 warns about forking with threads, which this does on purpose.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        try:
            os.write(writing, json.dumps(work()).encode())
        finally:
            os._exit(0)
    os.close(writing)
    return child, reading


@unittest.skipUnless(hasattr(os, "fork"), "needs fork")
class Forks(Test):
    def test_a_client_that_was_used_before_a_fork_shares_no_connection(self):
        server = Echo(seconds=0.02)
        self.addCleanup(server.close)
        with client(base_url=server.url) as api:
            api.patients.get(ids("00", 1)[0])

            def ask(prefix):
                wanted = ids(prefix, 20)
                return [wanted, [api.patients.get(one).id for one in wanted]]

            children = [in_child(lambda: ask("1x")), in_child(lambda: ask("2x"))]
            wanted, found = ask("3x")
            self.assertEqual(found, wanted)
            for child, reading in children:
                with os.fdopen(reading) as pipe:
                    wanted, found = json.load(pipe)
                os.waitpid(child, 0)
                self.assertEqual(found, wanted)
        self.assertGreaterEqual(server.accepted, 3)

    def test_a_lock_held_at_the_fork_does_not_block_the_child(self):
        server = Echo(seconds=0.3)
        self.addCleanup(server.close)
        options = {"client_id": "c", "client_secret": "s", "auth_url": "http://127.0.0.1:9"}
        with svc.Client(**options, base_url=server.url) as api:
            api._caller._lock.acquire()
            child, reading = in_child(lambda: [api._caller._lock.acquire(timeout=1)])
            with os.fdopen(reading) as pipe:
                self.assertEqual(json.load(pipe), [True])
            os.waitpid(child, 0)
            api._caller._lock.release()

    def test_an_asyncio_client_shares_no_connection_either(self):
        server = Echo(seconds=0.02)
        self.addCleanup(server.close)
        api = client(svc.AsyncClient, base_url=server.url)
        loop = asyncio.new_event_loop()

        async def ask(prefix):
            wanted = ids(prefix, 10)
            return [wanted, [(await api.patients.get(one)).id for one in wanted]]

        loop.run_until_complete(ask("00"))
        child, reading = in_child(lambda: asyncio.run(ask("1x")))
        wanted, found = loop.run_until_complete(ask("2x"))
        self.assertEqual(found, wanted)
        with os.fdopen(reading) as pipe:
            wanted, found = json.load(pipe)
        os.waitpid(child, 0)
        self.assertEqual(found, wanted)
        loop.run_until_complete(api.close())
        loop.close()


class Unasked(Test):
    """A response to no request, which a proxy or a server may send."""

    @staticmethod
    def blocking(server):
        found = []
        with client(base_url=server.url) as api:
            for wanted in ids("00", 4):
                found.append((wanted, api.patients.get(wanted).id))
                server.wait()
        return found

    @staticmethod
    def asynchronous(server):
        async def main():
            found = []
            async with client(svc.AsyncClient, base_url=server.url) as api:
                for wanted in ids("00", 4):
                    found.append((wanted, (await api.patients.get(wanted)).id))
                    await asyncio.get_running_loop().run_in_executor(None, server.wait)
            return found

        return asyncio.run(main())

    def servers(self, **options):
        for ask in (self.blocking, self.asynchronous):
            with self.subTest(ask.__name__):
                server = Echo(**options)
                yield server, ask
                server.close()

    def test_an_unsolicited_response_shifts_no_later_response(self):
        for server, ask in self.servers(unasked=answer_for("pat_" + "9" * 26)):
            for wanted, found in ask(server):
                self.assertEqual(found, wanted)
            self.assertEqual(server.accepted, 2)

    def test_a_response_with_another_id_is_an_error(self):
        for server, ask in self.servers(other_id="pat_" + "9" * 26):
            with self.assertRaises(svc.MismatchedResponseError) as caught:
                ask(server)
            self.assertNotIn("9" * 20, str(caught.exception))


class Ids(Test):
    WRONG = (
        "",
        ".",
        "..",
        "a/b",
        "a\\b",
        "a?b",
        "a#b",
        "a\nb",
        "a\x7fb",
        "a\u2028b",
        "%2e",
        None,
        7,
    )

    def test_an_id_that_would_change_the_path_sends_nothing(self):
        sent = []

        class Never:
            def send(self, request, timeout):
                sent.append(request.url)
                raise AssertionError(request.url)

            def close(self):
                pass

        api = client(transport=Never())
        swept = 0
        for name in GIVEN["names"]:
            holder = api
            *path, verb = name.split(".")
            for part in path:
                holder = getattr(holder, part)
            method = getattr(holder, verb)
            code = method.__func__.__code__
            names = code.co_varnames[1 : code.co_argcount]
            required = {
                one: "x"
                for one in code.co_varnames[code.co_argcount :][: code.co_kwonlyargcount]
                if one not in (method.__kwdefaults__ or {})
            }
            for at in range(len(names)):
                for wrong in self.WRONG:
                    values = ["ok_1"] * len(names)
                    values[at] = wrong
                    with self.subTest(name, wrong=wrong):
                        with self.assertRaisesRegex(ValueError, "id"):
                            found = method(*values, **required)
                            list(found)
                    swept += 1
        self.assertGreater(swept, 400)
        self.assertEqual(sent, [])


class Hooks(Test):
    def test_a_failing_hook_changes_no_outcome(self):
        asked = []

        def fail(info):
            asked.append(info.status)
            raise RuntimeError("of the hook")

        class Kept:
            def send(self, request, timeout):
                return HttpResponse(200, {}, json.dumps(PATIENT).encode())

            def close(self):
                pass

        api = client(transport=Kept(), on_response=fail)
        with self.assertLogs("svc", "WARNING") as logs:
            for _ in range(3):
                self.assertEqual(api.patients.create(**ADA).id, PATIENT["id"])
        self.assertEqual(asked, [200] * 3)
        self.assertEqual(len(logs.output), 1)
        self.assertIn("of the hook", logs.output[0])
