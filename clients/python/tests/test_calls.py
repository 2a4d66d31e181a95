"""Behavior of every call apart from retries: options, time limits, and where events start."""

import asyncio
import copy
import json
import os
import pickle
import subprocess
import sys
import tempfile
import time
import warnings
from datetime import datetime, timezone
from email.utils import formatdate
from pathlib import Path

import svc
from given import ADA, GIVEN, Local, Test, client
from svc import types
from svc._model import read_value
from svc.testing import fixtures

ORGANIZATION = json.dumps(GIVEN["examples"]["Organization"]).encode()
FILE = {**GIVEN["examples"]["File"], "id": "file_1"}
NEVER = [b"{", 20.0, b"}"]


def organization(method, path, headers):
    return 200, {}, ORGANIZATION


class Options(Test):
    def test_with_options_returns_a_client_that_shares_connections(self):
        seen = []

        def answer(method, path, headers):
            seen.append((headers["service-organization"], headers["traceparent"]))
            return 200, {}, ORGANIZATION

        with Local(answer) as local:
            api = client(base_url=local.url, organization="org_1", headers={"traceparent": "a"})
            other = api.with_options(organization="org_2")
            for one in (api, other):
                one.organization.get()
            other.organization.get(organization="org_3", headers={"traceparent": "b"})
            self.assertIs(other._caller.transport, api._caller.transport)
            api.close()
        self.assertEqual(seen, [("org_1", "a"), ("org_2", "a"), ("org_3", "b")])

    def test_an_unknown_option_is_refused_by_name(self):
        api = client(base_url="http://127.0.0.1:9")
        for wrong in ({"timout": 5}, {"timeout": -1}, {"headers": {"Authorization": "x"}}):
            with self.assertRaisesRegex(
                TypeError,
                next(iter({"Authorization"} & set(wrong.get("headers", {}))), next(iter(wrong))),
            ):
                api.organization.get(**wrong)
        with self.assertRaisesRegex(TypeError, "timout"):
            client(timout=5)

    def test_base_url_may_end_with_the_version(self):
        with Local(organization) as local:
            for end in ("", "/", "/v1", "/v1/"):
                with client(base_url=local.url + end) as api:
                    api.organization.get()
        self.assertEqual(set(local.asked), {"GET /v1/organization"})

    def test_a_raw_request_has_a_credential_a_key_and_retries(self):
        with client() as api:
            made = api.request("POST", "/v1/patients", body=ADA)
            found = api.request("GET", "/v1/patients", query={"limit": 1})
            self.assertTrue(made.data["id"].startswith("pat_"))
            self.assertTrue(made.idempotency_key)
            self.assertEqual(len(found.data["data"]), 1)
            for wrong in ("/v1/cases/../events", "/v1/a?b", "v1", "/v1//x"):
                with self.assertRaisesRegex(ValueError, "path"):
                    api.request("GET", wrong)

    def test_middleware_wraps_each_attempt(self):
        attempts = []

        def around(request, following):
            attempts.append(request.method)
            response = following(request)
            return response._replace(body=response.body.replace(b"Example", b"Changed"))

        async def around_async(request, following):
            attempts.append(request.method)
            return await following(request)

        async def main(url):
            async with client(svc.AsyncClient, base_url=url, middleware=around_async) as api:
                await api.organization.get()

        with Local(organization) as local:
            with client(base_url=local.url, middleware=around) as api:
                api.organization.get()
            asyncio.run(main(local.url))
        self.assertEqual(attempts, ["GET", "GET"])

    def test_a_deprecation_warns_once_and_never_raises(self):
        def answer(method, path, headers):
            return 200, {"Sunset": "Sat, 20 Nov 2027 00:00:00 GMT"}, ORGANIZATION

        with Local(answer) as local, client(base_url=local.url) as api:
            # The tests turn every warning into an error.
            with self.assertLogs("svc", "WARNING") as logs:
                for _ in range(3):
                    api.request("GET", "/v1/deprecated")
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                api.request("GET", "/v1/deprecated_too")
        self.assertEqual(len(logs.output), 1)
        self.assertIn("2027", logs.output[0])
        self.assertEqual([one.category for one in caught], [FutureWarning])


class Times(Test):
    """Time limits of a whole operation, even one that makes several calls."""

    def answer(self, method, path, headers):
        if method == "PUT":
            return 200, {}, NEVER
        if path == "/v1/files":
            upload = {"upload_url": f"{self.url}/storage", "upload_headers": {}}
            return 200, {}, json.dumps({**FILE, **upload}).encode()
        if path.startswith("/v1/exports"):
            return 200, {}, [b"{", 0.05, b"}", 60.0, b" "]
        return 200, {}, NEVER

    def calls(self, api):
        file = {"patient": "pat_1", "kind": "a", "filename": "a.png", "mime": "image/png"}
        return {
            "upload": lambda **more: api.files.upload(**file, body=b"x", **more),
            "download": lambda **more: api.exports.download("exp_1", **more),
            "stream": lambda **more: api.exports.stream("exp_1", **more),
            "wait": lambda **more: api.cases.wait_for("case_1", status="approved", **more),
            "list": lambda **more: api.cases.list(**more),
        }

    def outcome(self, call):
        began = time.monotonic()
        with self.assertRaises(svc.SvcError) as caught:
            call()
        self.assertLess(time.monotonic() - began, 30)
        return type(caught.exception).__name__

    def test_each_limit_covers_the_operation_and_has_its_own_error(self):
        with Local(self.answer) as local:
            self.url = local.url
            with client(base_url=local.url, max_retries=0) as api:
                for name, call in self.calls(api).items():
                    for option in ("timeout", "total_timeout"):
                        if (name, option) == ("wait", "total_timeout"):
                            continue
                        with self.subTest(name, option=option):
                            found = self.outcome(
                                lambda call=call, option=option: read(call(**{option: 0.3}))
                            )
                            wanted = "WaitTimeoutError" if name == "wait" else "TimeoutError"
                            self.assertEqual(found, wanted)

            async def main():
                async with client(svc.AsyncClient, base_url=local.url, max_retries=0) as api:
                    for name, call in self.calls(api).items():
                        with self.subTest(name, flavor="asyncio"):
                            began = time.monotonic()
                            with self.assertRaises(svc.SvcError) as caught:
                                await read_async(call(timeout=0.3))
                            self.assertLess(time.monotonic() - began, 30)
                            self.assertIn("Timeout", type(caught.exception).__name__)

            asyncio.run(main())

    def test_a_download_arrives_in_parts_and_is_saved(self):
        body = b"x" * 200_000

        def answer(method, path, headers):
            if headers["if-none-match"]:
                return 304, {"ETag": "e"}, b""
            return 200, {"ETag": "e"}, body

        async def main(url):
            async with client(svc.AsyncClient, base_url=url) as api:
                async with api.exports.stream("exp_1") as download:
                    return [len(part) async for part in download]

        with Local(answer) as local, tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "export")
            with client(base_url=local.url) as api:
                with api.exports.stream("exp_1") as download:
                    self.assertEqual([download.etag, download.is_unchanged], ["e", False])
                    download.save(file)
                self.assertEqual(file.read_bytes(), body)
                with api.exports.stream("exp_1", if_none_match="e") as download:
                    self.assertEqual([list(download), download.is_unchanged], [[], True])
                with api.exports.stream("exp_1"):
                    pass
            self.assertEqual(sum(asyncio.run(main(local.url))), len(body))


def read(found):
    return list(found) if hasattr(found, "__iter__") else found


async def read_async(found):
    return [one async for one in found] if hasattr(found, "__aiter__") else await found


class Begins(Test):
    def test_events_start_at_the_servers_time(self):
        for ahead in (-90, 90):
            since = []

            def answer(method, path, headers, ahead=ahead, since=since):
                since.append(path.partition("since=")[2].partition("&")[0])
                head = {"Date": formatdate(time.time() - ahead, usegmt=True)}
                event = {**GIVEN["examples"]["Event"], "created_at": "2026-11-20T12:00:00.000Z"}
                page = {"data": [event], "has_more": False}
                return 200, head, json.dumps(page).encode()

            with Local(answer) as local:
                with client(base_url=local.url) as api:
                    events = api.events.iterate()
                    self.assertIsNone(events.cursor)
                    next(iter(events))

                async def main(url=local.url):
                    async with client(svc.AsyncClient, base_url=url) as api:
                        async for _ in api.events.iterate():
                            return

                asyncio.run(main())
            for text in (since[1], since[-1]):
                found = datetime.fromisoformat(text.replace("%3A", ":").replace("Z", "+00:00"))
                behind = time.time() - ahead - found.timestamp()
                self.assertTrue(0 <= behind < 80, behind)


class Package(Test):
    def test_import_loads_no_optional_module(self):
        program = (
            "import sys, svc; svc.Client(api_key='k'); "
            "late = ('asyncio', 'ssl', 'http.client', 'email', 'dataclasses', 'logging', 'uuid', "
            "'random', 'base64', 'inspect'); "
            "print([name for name in late if name in sys.modules])"
        )
        environment = {"PYTHONPATH": os.pathsep.join(sys.path)}
        command = [sys.executable, "-S", "-c", program]
        found = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        self.assertEqual(found.stdout.strip(), "[]")

    def test_results_and_their_parts_survive_pickle_and_deepcopy(self):
        swept = 0
        for name, example in GIVEN["examples"].items():
            model = read_value(getattr(types, name), {**example, "of_a_later_version": [1]})
            for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
                self.assertEqual(again, model)
                self.assertEqual(again.to_dict(), model.to_dict())
                with self.assertRaises(AttributeError):
                    again.id = "other"
            swept += 1
        self.assertGreater(swept, 15)
        self.assertIs(copy.deepcopy(svc.NOT_GIVEN), svc.NOT_GIVEN)
        self.assertIs(pickle.loads(pickle.dumps(svc.NOT_GIVEN)), svc.NOT_GIVEN)

    def test_a_pickled_model_loads_in_another_process(self):
        pickled = pickle.dumps(fixtures.case()).hex()
        program = (
            f"import pickle; one = pickle.loads(bytes.fromhex('{pickled}')); "
            "print(one.id, one == pickle.loads(pickle.dumps(one)))"
        )
        environment = {"PYTHONPATH": os.pathsep.join(sys.path)}
        command = [sys.executable, "-c", program]
        found = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        self.assertEqual(found.stdout.strip(), f"{fixtures.case().id} True")

    def test_results_are_dataclasses(self):
        import dataclasses

        names = [field.name for field in dataclasses.fields(types.Case)]
        self.assertIn("status", names)
        case = dataclasses.replace(fixtures.case(), status="approved")
        self.assertEqual([case.status, dataclasses.asdict(case)["id"]], ["approved", case.id])

    def test_result_times_keep_their_zone(self):
        self.assertEqual(fixtures.patient().created_at.tzinfo, timezone.utc)
