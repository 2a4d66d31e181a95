"""Webhooks: every published vector, the reason for each refusal, and signing."""

import base64
import json
from pathlib import Path

import svc
from given import GIVEN, Test
from svc import types
from svc.testing import fixtures
from svc.webhooks import (
    SignatureVerificationError,
    read_event,
    sign_webhook,
    unwrap,
    verify_signature,
    verifySignature,
)

SECRET = "whsec_Zk3vQ0m8Jx1n4Tq7Yw2cR5uP9sL6hD0b"
OTHER = "whsec_b0Dh6Ls9Pu5Rc2wY7qT4n1xJ8m0Qv3kZ"
REASONS = {
    "stale": {"timestamp_too_old", "timestamp_in_future"},
    "mismatch": {"no_match"},
    "no_signature": {"malformed_header"},
    "malformed": {"malformed_header"},
}


class Message:
    """A framework's headers that aren't a mapping."""

    def __init__(self, value):
        self.value = value

    def items(self):
        return iter([("Host", "localhost"), ("Service-Signature", self.value)])


class Signatures(Test):
    def reason(self, *given, **options):
        with self.assertRaises(SignatureVerificationError) as caught:
            verify_signature(*given, **options)
        return caught.exception.reason

    def test_each_vector_is_accepted_or_refused_as_published(self):
        self.assertGreater(len(GIVEN["vectors"]), 20)
        for vector in GIVEN["vectors"]:
            given = (vector["body"], vector["header"], vector["secret"])
            with self.subTest(vector["name"]):
                if vector["expected"] == "accepted":
                    verify_signature(*given, now=vector["now"])
                    verifySignature(vector["body"].encode(), *given[1:], now=vector["now"])
                else:
                    reason = self.reason(*given, now=vector["now"])
                    self.assertIn(reason, REASONS[vector["expected"]])

    def test_signing_creates_each_vectors_header(self):
        signed = [vector for vector in GIVEN["vectors"] if "signs" in vector]
        self.assertGreater(len(signed), 3)
        for vector in signed:
            try:
                event = json.loads(vector["body"])
            except ValueError:
                continue
            with self.subTest(vector["name"]):
                secret, *previous = vector["signs"]["secrets"]
                made = sign_webhook(
                    event,
                    secret,
                    timestamp=vector["signs"]["t"],
                    previous_secret=previous[0] if previous else None,
                )
                self.assertEqual(made.body.decode(), vector["body"])
                self.assertEqual(made.headers["Service-Signature"], vector["signs"]["header"])

    def test_each_reason_is_distinguished(self):
        signed = sign_webhook(fixtures.event("case.approved.v1"), SECRET, timestamp=1_000_000)
        at = {"now": 1_000_000}
        self.assertEqual(self.reason(signed.body, {}, SECRET, **at), "missing_header")
        self.assertEqual(self.reason(signed.body, "v1=00", SECRET, **at), "malformed_header")
        self.assertEqual(
            self.reason(signed.body, signed.headers, "svc_sk_test_1", **at), "wrong_secret_kind"
        )
        self.assertEqual(self.reason({"id": 1}, signed.headers, SECRET, **at), "body_parsed")
        self.assertEqual(self.reason(signed.body, signed.headers, OTHER, **at), "no_match")
        late, early = {"now": 1_000_301}, {"now": 999_699}
        self.assertEqual(self.reason(*signed[::-1], SECRET, **late), "timestamp_too_old")
        self.assertEqual(self.reason(*signed[::-1], SECRET, **early), "timestamp_in_future")

    def test_a_tolerance_or_time_that_is_not_a_number_is_a_type_error(self):
        signed = sign_webhook(fixtures.event("case.approved.v1"), SECRET, timestamp=1_000_000)
        for name in ("tolerance_seconds", "now"):
            options = {"now": 1_000_000, name: float("nan")}
            with self.assertRaisesRegex(TypeError, f"^{name} must be a number of seconds"):
                verify_signature(*signed[::-1], SECRET, **options)

    def test_a_mismatch_names_the_mistake(self):
        signed = sign_webhook({"id": "evt_1", "type": "case.approved.v1"}, SECRET)
        spaced = json.dumps(json.loads(signed.body)).encode()
        for body, secret, said in [
            (spaced, SECRET, "parsed and serialized again"),
            (signed.body + b"\n", SECRET, "extra line break"),
            (signed.body, f"{SECRET}\n", "spaces or line breaks"),
            (base64.b64encode(signed.body), SECRET, "base64"),
            ('{"id":"\udce9"}', SECRET, "character set"),
            (signed.body, OTHER, "another endpoint"),
        ]:
            with self.subTest(said), self.assertRaisesRegex(SignatureVerificationError, said):
                verify_signature(body, signed.headers, secret)

    def test_headers_are_found_in_each_frameworks_form(self):
        signed = sign_webhook({"id": "evt_1", "type": "case.approved.v1"}, SECRET)
        value = signed.headers["Service-Signature"]
        for headers in [
            value,
            {"service-signature": value},
            {"SERVICE-SIGNATURE": [value]},
            {"Service-Signature": [value, value]},
            {"HTTP_SERVICE_SIGNATURE": value},
            {"service-signature": value.encode()},
            [(b"host", b"localhost"), (b"service-signature", value.encode())],
            Message(value),
        ]:
            verify_signature(signed.body, headers, [OTHER, SECRET])

    def test_a_body_decoded_with_surrogates_is_restored(self):
        signed = sign_webhook({"id": "evt_1", "type": "case.approved.v1", "status": "é"}, SECRET)
        body = signed.body.decode("ascii", "surrogateescape")
        self.assertEqual(unwrap(body, signed.headers, SECRET).status, "é")

    def test_unencodable_text_is_refused_without_an_encoding_error(self):
        signed = sign_webhook({"id": "evt_1", "type": "case.approved.v1"}, SECRET)
        value = signed.headers["Service-Signature"]
        self.assertEqual(self.reason("\ud83d", value, SECRET), "body_parsed")
        self.assertEqual(self.reason(signed.body, f"{value[:-1]}\udce9", SECRET), "no_match")
        self.assertEqual(self.reason(signed.body, value, "whsec_\udce9"), "wrong_secret_kind")
        several = {"Service-Signature": [value, f"{value}0"]}
        self.assertEqual(self.reason(signed.body, several, SECRET), "malformed_header")

    def test_an_event_has_its_resources_class(self):
        shipped = fixtures.event("order.shipped.v1", data=fixtures.order())
        self.assertIsInstance(shipped, types.OrderEvent)
        self.assertEqual(read_event(shipped.to_dict()), shipped)
        self.assertEqual(shipped.data, fixtures.order())
        later = read_event({**shipped.to_dict(), "type": "order.returned.v1"})
        self.assertIsInstance(later, types.UnknownEvent)
        self.assertEqual(later.data["id"], shipped.data.id)

    def test_the_package_contains_the_vectors(self):
        file = Path(svc.__file__).parent / "vectors.json"
        self.assertEqual(json.loads(file.read_text("utf-8"))["vectors"], GIVEN["vectors"])

    def test_unwrap_returns_the_event_and_the_client_uses_its_secret(self):
        event = fixtures.event("order.shipped.v1")
        signed = sign_webhook(event, SECRET, previous_secret=OTHER)
        self.assertEqual(signed.headers["Service-Event-Id"], event.id)
        self.assertEqual(signed.headers["Service-Event-Type"], "order.shipped.v1")
        self.assertTrue(signed.headers["Service-Delivery-Id"].startswith("dlv_"))
        self.assertEqual(unwrap(*signed[::-1], OTHER), event)
        client = svc.Client(webhook_secret=[SECRET])
        self.assertEqual(client.webhooks.unwrap(signed.body, signed.headers), event)
        client.webhooks.verifySignature(signed.body, signed.headers)
