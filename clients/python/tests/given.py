"""Shared test setup: a platform, a proxy in front of it, names, and signature vectors."""

import contextlib
import json
import logging
import os
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import svc
from svc.testing import fixtures
from svc.transport import AsyncHttpTransport, HttpTransport

GIVEN = json.loads(Path(os.environ["SDK_TEST"]).read_text("utf-8"))
ADA = fixtures.patient_params()


class Lines(logging.Handler):
    """Collects every log line since the run started."""

    def __init__(self):
        super().__init__(logging.DEBUG)
        self.lines = []

    def emit(self, record):
        self.lines.append(f"{record.name} {self.format(record)}")


logged = Lines()
logging.getLogger().addHandler(logged)
logging.getLogger().setLevel(logging.DEBUG)


def client(kind=svc.Client, **options):
    return kind(**{"api_key": GIVEN["key"], "base_url": GIVEN["api"], **options})


class AtThisAddress(HttpTransport):
    """Sends uploads to the test platform, not to the public address in their URLs."""

    def send(self, request, timeout):
        url = request.url.replace(GIVEN["public"], GIVEN["api"])
        return super().send(request._replace(url=url), timeout)


class AsyncAtThisAddress(AsyncHttpTransport):
    """Like `AtThisAddress`, for asyncio."""

    async def send(self, request, timeout):
        url = request.url.replace(GIVEN["public"], GIVEN["api"])
        return await super().send(request._replace(url=url), timeout)


class Local:
    """A server on this machine: `answer(method, path, headers)` returns status, headers and body.

    A body may be a list of parts, where a number is a pause in seconds.
    """

    def __init__(self, answer):
        self.asked = []
        self.ends = threading.Event()
        local = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def respond(self):
                self.rfile.read(int(self.headers.get("content-length", 0)))
                local.asked.append(f"{self.command} {self.path}")
                status, headers, body = answer(self.command, self.path, self.headers)
                parts = body if isinstance(body, list) else [body]
                self.send_response_only(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                size = sum(len(one) for one in parts if isinstance(one, bytes))
                self.send_header("Content-Length", str(size))
                self.end_headers()
                for part in parts:
                    if isinstance(part, bytes):
                        self.wfile.write(part)
                    else:
                        local.ends.wait(part)

            do_GET = do_POST = do_PUT = respond

            def handle(self):
                with contextlib.suppress(OSError):
                    super().handle()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.ends.set()
        self.server.shutdown()
        self.server.server_close()


def new_case(api, **members):
    """Creates a patient and a case with both consents."""
    patient = api.patients.create(**ADA)
    both = api.consents.record_both(patient.id, telehealth="2026-09-01", privacy="2026-09-01")
    medication = api.medications.list(limit=1).data[0].medication_id
    return api.cases.create(
        patient=patient.id,
        consent_ids=[consent.id for consent in both],
        requested_medications=[{"medication_id": medication}],
        **members,
    )


class Test(unittest.TestCase):
    maxDiff = None
