"""Clients: credentials, addresses, names and errors."""

import asyncio
import gc
import inspect
import json
import os
import pickle
import re
import threading
import warnings
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import get_type_hints
from unittest import mock

import svc
from given import ADA, GIVEN, Test, client
from svc.testing import fixtures
from svc.transport import HttpResponse


class Credentials(Test):
    def setUp(self):
        names = [name for name in os.environ if name.startswith("SVC_")]
        self.assertEqual(names, [])

    def test_the_environment_is_read_at_the_first_request(self):
        set_later = {"SVC_API_KEY": GIVEN["key"], "SVC_BASE_URL": GIVEN["api"]}
        with svc.Client() as api:
            with self.assertRaisesRegex(svc.ConfigurationError, "SVC_API_KEY"):
                api.organization.get()
            with mock.patch.dict(os.environ, set_later):
                self.assertEqual(api.organization.get().mode, "test")
                self.assertEqual(api.mode, "test")

    def test_two_credentials_are_refused(self):
        with self.assertRaisesRegex(TypeError, "api_key or client_id"):
            svc.Client(api_key="a", client_id="b", client_secret="c")
        with self.assertRaisesRegex(TypeError, "client_secret together"):
            svc.Client(client_id="b")

    def test_a_credential_for_the_other_mode_sends_nothing(self):
        asked = []
        for kind in ("api_key", "access_token"):
            api = svc.Client(
                **{kind: GIVEN["live"]},
                base_url=GIVEN["api"],
                expect_mode="test",
                on_response=asked.append,
            )
            with self.assertRaisesRegex(svc.ConfigurationError, "for live mode"):
                api.patients.create(**ADA)
        self.assertEqual(asked, [])

    def test_client_credentials_get_a_token_and_cache_it(self):
        asked = []

        def count(info):
            asked.append(info.status)

        options = {**GIVEN["client"], "base_url": GIVEN["api"], "on_response": count}
        with svc.Client(**options) as api:
            self.assertEqual(api.organization.get().mode, "test")
            token = api._caller.token()
            threads = [threading.Thread(target=api.organization.get) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(api._caller.token(), token)
            self.assertTrue(token.startswith("svc_at_test_"))
            # A refused token is replaced once.
            session = api._caller.settings.session
            session.kept = session.kept._replace(token="svc_at_test_refused")
            self.assertEqual(api.organization.get().mode, "test")
        self.assertEqual(asked, [200] * 5 + [401, 200])

        async def main():
            async with svc.AsyncClient(**options) as api:
                found = await asyncio.gather(*(api.organization.get() for _ in range(3)))
                return [one.mode for one in found]

        self.assertEqual(asyncio.run(main()), ["test"] * 3)

    def test_the_api_names_the_authorization_server(self):
        class Named(BaseHTTPRequestHandler):
            def do_GET(self):
                body = json.dumps({"authorization_servers": [GIVEN["client"]["auth_url"]]})
                self.send_response(200)
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *_):
                pass

        server = HTTPServer(("127.0.0.1", 0), Named)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            pair = {name: GIVEN["client"][name] for name in ("client_id", "client_secret")}
            base = f"http://127.0.0.1:{server.server_port}"
            with svc.Client(**pair, base_url=base) as api:
                self.assertTrue(api._caller.token().startswith("svc_at_test_"))
        finally:
            server.shutdown()
            server.server_close()

    def test_client_credentials_may_come_from_the_environment(self):
        names = ("client_id", "client_secret", "auth_url")
        variables = {f"SVC_{name.upper()}": GIVEN["client"][name] for name in names}
        with mock.patch.dict(os.environ, variables), svc.Client(base_url=GIVEN["api"]) as api:
            self.assertEqual(api.organization.get().mode, "test")

    def test_a_wrong_secret_raises_the_servers_code(self):
        wrong = {**GIVEN["client"], "client_secret": "wrong"}
        with svc.Client(**wrong, base_url=GIVEN["api"]) as api:
            with self.assertRaises(svc.TokenError) as caught:
                api.organization.get()
        self.assertEqual([caught.exception.status, caught.exception.code], [401, "invalid_client"])

    def test_a_token_may_come_from_a_function(self):
        with client(api_key=lambda: GIVEN["key"]) as api:
            self.assertEqual(api.organization.get().mode, "test")

        async def token():
            return GIVEN["key"]

        async def main():
            async with client(svc.AsyncClient, api_key=None, access_token=token) as api:
                return await api.organization.get()

        self.assertEqual(asyncio.run(main()).mode, "test")

    def test_http_works_only_for_this_machine(self):
        api = client(base_url="http://api.example.com")
        with self.assertRaisesRegex(svc.ConfigurationError, "https://"):
            api.organization.get()

    def test_a_client_survives_its_event_loop(self):
        api = client(svc.AsyncClient)

        async def once():
            return (await api.organization.get()).id

        with warnings.catch_warnings():
            # Python warns about the connection that the first loop left open.
            warnings.simplefilter("ignore", ResourceWarning)
            self.assertEqual(asyncio.run(once()), asyncio.run(once()))
            asyncio.run(api.close())
            gc.collect()


class Names(Test):
    def test_both_clients_have_a_method_for_each_operation(self):
        blocking, asynchronous = client(), client(svc.AsyncClient)
        self.assertEqual(len(GIVEN["names"]), 65)
        for name in GIVEN["names"]:
            for api in (blocking, asynchronous):
                found = api
                for part in name.split("."):
                    found = getattr(found, part)
                self.assertTrue(callable(found), name)
                holder = api
                for part in name.split(".")[:-1]:
                    holder = getattr(holder, part)
                raw = getattr(holder.with_raw_response, name.split(".")[-1])
                self.assertTrue(callable(raw), name)

    def test_every_method_accepts_call_options(self):
        """Also covers handwritten methods, such as `files.upload`. `wait_for`
        has its own timeout.
        """
        every = {"max_retries", "organization", "headers"}
        times = {"timeout", "total_timeout"}
        wanted = {
            "CallOptions": every | times,
            "WriteOptions": every | times | {"idempotency_key"},
            "WaitOptions": every,
        }
        for name, names in wanted.items():
            self.assertEqual(set(get_type_hints(getattr(svc.types, name))), names)
        seen = set()
        for api in (client(), client(svc.AsyncClient)):
            parts = [*vars(api).items(), *vars(api.test).items()]
            for holder in [api, *(one for name, one in parts if name[0] != "_")]:
                for name, method in inspect.getmembers(holder, inspect.ismethod):
                    if name.startswith("_") or name == "close" or holder is api.webhooks:
                        continue
                    last = [*inspect.signature(method).parameters.values()][-1]
                    own = re.fullmatch(r"Unpack\[(\w+)\]", str(last.annotation))
                    with self.subTest(f"{type(holder).__name__}.{name}"):
                        self.assertEqual(last.kind, inspect.Parameter.VAR_KEYWORD)
                        self.assertIn(own.group(1), wanted)
                    seen.add(name)
        helpers = {"wait_for", "record_both", "iterate", "stream", "upload", "subscribe"}
        self.assertLessEqual({*helpers, "request", "with_options"}, seen)

    def test_an_unknown_argument_is_a_type_error(self):
        with self.assertRaisesRegex(TypeError, "patinet"):
            client().cases.list(patinet="pat_1")

    def test_every_request_identifies_its_sender(self):
        sent = []

        class Kept:
            def send(self, request, timeout):
                sent.append(request.headers)
                body = json.dumps(fixtures.organization().to_dict()).encode()
                return HttpResponse(200, {}, body)

            def close(self):
                pass

        app = {"name": "clinic", "version": "2", "url": "https://clinic.example"}
        client(transport=Kept(), app_info=app, organization="org_1").organization.get()
        (headers,) = sent
        self.assertRegex(headers["User-Agent"], r"^svc-sdk-python/\S+ Python/\S+ clinic/2 \(http")
        self.assertEqual(headers["Service-Organization"], "org_1")
        self.assertEqual(headers["API-Version"], svc.API_VERSION)


class Errors(Test):
    def test_an_error_says_what_to_do_and_shows_no_request_data(self):
        with client() as api:
            with self.assertRaises(svc.InvalidRequestError) as caught:
                api.patients.create(**{**ADA, "email": "secret-value", "phone": "5"})
        error = caught.exception
        self.assertEqual([one.pointer for one in error.errors], ["#/email", "#/phone"])
        self.assertEqual([error.status, error.code], [400, "invalid_request"])
        self.assertTrue(error.request_id.startswith("req_"))
        self.assertIn("Fix each entry", error.hint)
        self.assertIn("POST /v1/patients", str(error))
        for text in (str(error), repr(error), json.dumps(error.to_dict())):
            self.assertNotIn("secret-value", text)
            self.assertNotIn("Rivera", text)
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual([str(again), again.code], [str(error), error.code])

    def test_problem_fields_are_error_attributes(self):
        with client(api_key=GIVEN["narrow"]) as api:
            with self.assertRaises(svc.InsufficientScopeError) as caught:
                api.patients.create(**ADA)
        self.assertEqual(caught.exception.required_scope, "patients:write")
        self.assertEqual(caught.exception.granted_scopes, ["organization:read"])

    def test_each_code_has_a_class_and_an_unknown_code_is_an_api_error(self):
        for code, name in GIVEN["problems"].items():
            self.assertTrue(issubclass(getattr(svc, name), svc.APIError), code)
        made = svc._attempts._api_error(
            HttpResponse(418, {}, b'{"code": "new_code", "status": 418}'),
            svc._calls.Call("GET", "/v1/x"),
            1,
            None,
        )
        self.assertEqual([type(made), made.code], [svc.APIError, "new_code"])

    def test_a_response_from_another_server_is_reported(self):
        class Pages:
            def send(self, request, timeout):
                return HttpResponse(200, {"content-type": "text/html"}, b"<h1>Hi</h1>")

            def close(self):
                pass

        with self.assertRaisesRegex(svc.SvcError, "base_url"):
            client(transport=Pages()).organization.get()

    def test_a_redirect_is_not_followed(self):
        asked = []

        class Moved:
            def send(self, request, timeout):
                asked.append(request.url)
                return HttpResponse(302, {"location": "https://elsewhere.example/"}, b"")

            def close(self):
                pass

        with self.assertRaises(svc.APIError) as caught:
            client(transport=Moved()).patients.create(**ADA)
        error = caught.exception
        self.assertEqual([error.status, error.code, len(asked)], [302, "unknown", 1])
        self.assertIn("Check base_url", str(error))
