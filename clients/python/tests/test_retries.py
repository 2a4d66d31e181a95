"""Retries beyond the fault matrix: pauses, the caller's own keys, and uploads to storage."""

import uuid
from unittest import mock

import svc
from given import ADA, AtThisAddress, Test, client
from svc import _retry
from svc.transport import TransportError


def without_pauses(test):
    return mock.patch.object(_retry, "pause", lambda attempt: 0.0)(test)


class Retries(Test):
    def test_the_pause_doubles_up_to_eight_seconds_and_is_random(self):
        for attempt, longest in ((1, 0.5), (2, 1), (3, 2), (5, 8), (9, 8)):
            pauses = [_retry.pause(attempt) for _ in range(200)]
            self.assertTrue(0 <= min(pauses) < longest / 4, attempt)
            self.assertTrue(longest * 3 / 4 < max(pauses) <= longest, attempt)

    def test_retry_after_may_be_a_date(self):
        self.assertEqual(_retry.retry_after({"retry-after": "7"}), 7)
        past = {"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}
        self.assertEqual(_retry.retry_after(past), 0)
        # The server's clock counts, because this machine's may be wrong.
        past["date"] = "Wed, 21 Oct 2015 07:27:50 GMT"
        self.assertEqual(_retry.retry_after(past), 10)
        self.assertIsNone(_retry.retry_after({"retry-after": "soon"}))

    def test_the_callers_key_is_sent_and_refused_for_another_request(self):
        key = f"order-{uuid.uuid4()}"
        with client() as api:
            first = api.patients.with_raw_response.create(**ADA, idempotency_key=key)
            again = api.patients.with_raw_response.create(**ADA, idempotency_key=key)
            self.assertEqual([first.replayed, again.replayed], [False, True])
            self.assertEqual(first.data, again.data)
            with self.assertRaises(svc.IdempotencyKeyReusedError) as caught:
                api.patients.create(**{**ADA, "last_name": "Stone"}, idempotency_key=key)
            self.assertIn("new key", caught.exception.hint)

    @without_pauses
    def test_a_failed_upload_is_resent_in_full(self):
        with client(transport=AtThisAddress()) as api:
            patient = api.patients.create(**ADA)
            sent = []
            send = api._caller.transport.send

            def cut_first(request, timeout):
                if request.method == "PUT":
                    sent.append(request.body)
                    if len(sent) == 1:
                        raise TransportError("cut")
                return send(request, timeout)

            with mock.patch.object(api._caller.transport, "send", cut_first):
                file = api.files.upload(
                    patient=patient.id,
                    kind="photo_id",
                    filename="id.png",
                    mime="image/png",
                    body=b"\x89PNG\r\n\x1a\n" + bytes(64),
                )
        self.assertEqual([len(one) for one in sent], [72, 72])
        self.assertEqual([file.status, file.size_bytes], ["attached", 72])
