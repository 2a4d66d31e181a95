"""Methods that make several requests: their errors' keys, storage's refusals, and waits."""

import asyncio
import inspect
import json
import uuid
from unittest import mock

import svc
from given import ADA, GIVEN, AsyncAtThisAddress, AtThisAddress, Local, Test, client, new_case
from svc import _retry
from svc.transport import HttpResponse, TransportError

PHOTO = {
    "kind": "photo_id",
    "filename": "id.png",
    "mime": "image/png",
    "body": b"\x89PNG\r\n\x1a\n" + bytes(64),
}
VERSIONS = {"telehealth": "2026-09-01", "privacy": "2026-10-01"}


class Faults:
    """Loses the response to the next request whose key or method ends with `lost`."""

    lost = "none"
    refusal = None
    """Replaces storage's next response."""

    def after(self, request, response):
        if request.headers.get("Idempotency-Key", request.method).endswith(self.lost):
            self.lost = "none"
            raise TransportError("cut")
        if request.method == "PUT" and self.refusal is not None:
            response, self.refusal = self.refusal, None
        return response


class Faulty(Faults, AtThisAddress):
    def send(self, request, timeout):
        return self.after(request, super().send(request, timeout))


class AsyncFaulty(Faults, AsyncAtThisAddress):
    async def send(self, request, timeout):
        return self.after(request, await super().send(request, timeout))


async def done(result):
    return await result if inspect.isawaitable(result) else result


async def failure(call):
    try:
        await done(call())
    except svc.SvcError as error:
        return error
    raise AssertionError("it succeeded")


class Several(Test):
    def both(self, scenario, **options):
        """Runs a scenario with both clients."""
        for kind, transport in ((svc.Client, Faulty()), (svc.AsyncClient, AsyncFaulty())):

            async def main(kind=kind, transport=transport):
                api = client(kind, transport=transport, max_retries=0, **options)
                await scenario(api, transport)
                await done(api.close())

            with self.subTest(kind.__name__):
                asyncio.run(main())

    def test_a_retry_with_the_errors_key_uploads_one_file(self):
        async def scenario(api, transport):
            file = {**PHOTO, "patient": (await done(api.patients.create(**ADA))).id}
            for step in ("-create", "PUT", "-confirm"):
                transport.lost = step
                key = (await failure(lambda: api.files.upload(**file))).idempotency_key
                again = [
                    await done(api.files.upload(**file, idempotency_key=key)) for _ in range(2)
                ]
                self.assertEqual(again[0].status, "attached")
                self.assertEqual(again[0], again[1])
                transport.lost = "-confirm"
                error = await failure(lambda key=key: api.files.upload(**file, idempotency_key=key))
                self.assertIsInstance(error, svc.ConnectionError)

        self.both(scenario)

    def test_a_retry_with_the_errors_key_records_each_consent_once(self):
        async def scenario(api, transport):
            for step in VERSIONS:
                patient = (await done(api.patients.create(**ADA))).id
                transport.lost = f"-{step}"
                error = await failure(
                    lambda patient=patient: api.consents.record_both(patient, **VERSIONS)
                )
                key = {"idempotency_key": error.idempotency_key}
                await done(api.consents.record_both(patient, **VERSIONS, **key))
                recorded = await done(api.consents.list(patient).to_list(max=10))
                self.assertEqual([one.kind for one in recorded], [*VERSIONS])

        self.both(scenario)

    def test_an_error_from_storage_says_what_storage_said(self):
        async def scenario(api, transport):
            file = {**PHOTO, "patient": (await done(api.patients.create(**ADA))).id}
            key = str(uuid.uuid4())
            said = "Send the bytes without a Content-Encoding."
            # At the second call, the replayed reservation has no bytes to confirm.
            for _ in range(2):
                transport.refusal = HttpResponse(
                    403, {"content-type": "text/plain; charset=utf-8"}, f"{said}\n".encode()
                )
                error = await failure(lambda: api.files.upload(**file, idempotency_key=key))
                self.assertEqual(str(error), f"unknown (403) PUT (storage): {said}")
                self.assertEqual(error.idempotency_key, key)
            xml = {"content-type": "application/xml"}
            transport.refusal = HttpResponse(403, xml, b"<Error/>")
            error = await failure(lambda: api.files.upload(**file))
            self.assertNotIn("base_url", str(error))

        self.both(scenario, api_key=GIVEN["live"])

    def test_a_key_without_the_read_scope_records_consents_and_sends_messages(self):
        with client() as api:
            case = new_case(api)

        async def scenario(api, transport):
            both = await done(api.consents.record_both(case.patient, **VERSIONS))
            self.assertTrue(both.telehealth.id.startswith("cons_"))
            message = await done(api.messages.create(case.id, body="Hello"))
            self.assertEqual(message.body, "Hello")
            await done(api.test.cases.clinician_message(case.id, body="Yes"))

        self.both(scenario, api_key=GIVEN["writer"])

    def test_an_error_about_another_response_has_the_key(self):
        other = json.dumps(GIVEN["examples"]["Consent"]).encode()
        for body, kind in ((other, svc.MismatchedResponseError), (b"<h1>", svc.SvcError)):

            async def scenario(api, transport, kind=kind):
                consent = {"kind": "telehealth", "version": "1", "idempotency_key": "a-key"}
                error = await failure(lambda: api.consents.record("pat_1", **consent))
                self.assertIs(type(error), kind)
                self.assertEqual(error.idempotency_key, "a-key")

            with Local(lambda *_, body=body: (200, {}, body)) as local:
                self.both(scenario, base_url=local.url)

    def test_a_request_that_times_out_before_the_wait_does_keeps_its_own_error(self):
        async def scenario(api, transport):
            for timeout in (0, 600):
                wait = {"status": "approved", "timeout": timeout}
                error = await failure(lambda wait=wait: api.cases.wait_for("case_1", **wait))
                self.assertIs(type(error), svc.TimeoutError)

        with Local(lambda *_: (200, {}, [b"{", 20.0, b"}"])) as local:
            self.both(scenario, base_url=local.url, timeout=0.05)

    def test_a_retry_that_would_start_too_late_ends_the_wait(self):
        def scenario_of(kind):
            async def scenario(api, transport):
                wait = {"status": "approved", "timeout": 20.0, "max_retries": 1}
                error = await failure(lambda: api.cases.wait_for("case_1", **wait))
                self.assertIs(type(error), svc.WaitTimeoutError)
                self.assertIs(type(error.__cause__), svc.TimeoutError)
                self.assertIs(type(error.__cause__.__cause__), kind)

            return scenario

        busy = (429, {"Retry-After": "30"}, b'{"code": "rate_limited"}')
        with Local(lambda *_: busy) as local:
            self.both(scenario_of(svc.RateLimitedError), base_url=local.url)
        with mock.patch.object(_retry, "pause", lambda attempt: 60.0):
            with Local(lambda *_: (200, {}, [b"{", 20.0, b"}"])) as local:
                self.both(scenario_of(svc.TimeoutError), base_url=local.url, timeout=0.05)
            self.both(scenario_of(svc.ConnectionError), base_url="http://127.0.0.1:1")

    def test_a_confirmation_that_can_be_retried_keeps_its_own_error(self):
        for status, code, storage in (
            (422, "validation_failed", True),
            (429, "rate_limited", False),
            (409, "idempotency_in_progress", False),
        ):

            def answer(method, path, headers, status=status, code=code):
                if method == "PUT":
                    return 403, {}, b""
                if path.endswith("/confirm"):
                    return status, {}, json.dumps({"code": code, "status": status}).encode()
                upload = {"upload_url": f"{local.url}/storage", "upload_headers": {}}
                file = {**GIVEN["examples"]["FileUpload"], **upload}
                return 200, {"Idempotent-Replayed": "true"}, json.dumps(file).encode()

            async def scenario(api, transport, storage=storage):
                error = await failure(lambda: api.files.upload(**PHOTO, patient="pat_1"))
                self.assertEqual(error.path == "(storage)", storage)

            with Local(answer) as local:
                self.both(scenario, base_url=local.url)
