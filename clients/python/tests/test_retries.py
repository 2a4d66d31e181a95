"""Retries, cell by cell, against a proxy that cuts, delays and duplicates: one row, one event."""

import asyncio
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from unittest import mock

import svc
from given import ADA, AtThisAddress, Faults, Test, client
from svc import _retry
from svc.transport import TransportError


def without_pauses(test):
    return mock.patch.object(_retry, "pause", lambda attempt: 0.0)(test)


class Retries(Test):
    def created(self, faults, **options):
        """Creates a patient through the faults."""
        external_id = faults.name
        api = client(**{"base_url": faults.url, "timeout": 5, **options})
        try:
            return api.patients.with_raw_response.create(**{**ADA, "external_id": external_id})
        finally:
            api.close()

    async def created_async(self, faults, **options):
        async with client(
            svc.AsyncClient, **{"base_url": faults.url, "timeout": 5, **options}
        ) as api:
            return await api.patients.with_raw_response.create(
                **{**ADA, "external_id": faults.name}
            )

    def expect_one(self, faults, response, attempts):
        """One row, one event, and one key on every attempt."""
        with client() as api:
            rows = api.patients.list(external_id=faults.name).to_list(max=10)
            events = api.events.list(type="patient.created.v1")
            about = [event for event in events if event.resource.id == response.data.id]
        self.assertEqual([row.id for row in rows], [response.data.id])
        self.assertEqual(len(about), 1)
        keys = faults.keys()
        self.assertEqual([len(keys), response.attempts], [attempts, attempts])
        # What was cut before it was read has no key that the proxy could know.
        self.assertEqual(set(keys) - {None}, {response.idempotency_key})

    @without_pauses
    def test_a_cut_is_tried_again_and_writes_one_row(self):
        cells = [
            (("cut before",), 2, False),
            (("cut after send",), 2, False),
            (("cut after commit",), 2, True),
            (("cut in body",), 2, True),
            (("cut before", "cut after commit"), 3, True),
            *(((status,), 2, False) for status in ("408", "429", "500", "502", "503", "504")),
            (("409+idempotency_in_progress",), 2, False),
            (("cut after commit", "503", "pass"), 3, True),
        ]
        for plan, attempts, replayed in cells:
            for flavor in ("blocking", "asyncio"):
                with self.subTest(plan=plan, flavor=flavor):
                    faults = Faults(*plan)
                    response = (
                        self.created(faults)
                        if flavor == "blocking"
                        else asyncio.run(self.created_async(faults))
                    )
                    self.expect_one(faults, response, attempts)
                    self.assertEqual(response.replayed, replayed)
                    self.assertRegex(response.idempotency_key, r"^svcsdk_[0-9a-f-]{36}$")

    def test_one_request_that_becomes_two_writes_one_row(self):
        faults = Faults("twice")
        response = self.created(faults)
        # Either may be first; the other one may be asked to come again.
        self.expect_one(faults, response, response.attempts)

    @without_pauses
    def test_an_answer_that_is_late_is_a_timeout_and_is_tried_again(self):
        def asynchronously(faults):
            return asyncio.run(self.created_async(faults, timeout=1))

        one, other = Faults("late"), Faults("late")
        began = time.monotonic()
        with ThreadPoolExecutor() as pool:
            waiting = [
                pool.submit(self.created, one, timeout=1),
                pool.submit(asynchronously, other),
            ]
            responses = [each.result() for each in waiting]
        self.assertGreaterEqual(time.monotonic() - began, 1)
        for faults, response in zip((one, other), responses):
            self.expect_one(faults, response, 2)
            self.assertTrue(response.replayed)

    @without_pauses
    def test_other_refusals_are_not_tried_again(self):
        for fault in ("400", "401", "403", "404", "409+slot_unavailable", "410", "422", "501"):
            with self.subTest(fault):
                faults = Faults(fault)
                with self.assertRaises(svc.APIError) as caught:
                    self.created(faults)
                self.assertEqual(len(faults.keys()), 1)
                self.assertEqual(caught.exception.status, int(fault[:3]))

    @without_pauses
    def test_it_gives_up_after_two_retries_or_as_many_as_were_asked_for(self):
        for options, attempts in (({}, 3), ({"max_retries": 0}, 1), ({"max_retries": 4}, 5)):
            with self.subTest(options):
                faults = Faults(*["cut after send"] * 6)
                with self.assertRaises(svc.ConnectionError) as caught:
                    self.created(faults, **options)
                self.assertEqual(len(faults.keys()), attempts)
                self.assertEqual(caught.exception.attempts, attempts)
                key = caught.exception.idempotency_key
                self.assertEqual(set(faults.keys()), {key})
                self.assertIsInstance(caught.exception, ConnectionError)
        faults = Faults(*["503"] * 6)
        with self.assertRaises(svc.APIError):
            self.created(faults)
        self.assertEqual(len(faults.keys()), 3)

    def test_retry_after_is_waited_for_up_to_a_minute(self):
        faults = Faults("503+1")
        began = time.monotonic()
        self.expect_one(faults, self.created(faults), 2)
        self.assertGreaterEqual(time.monotonic() - began, 1)
        faults = Faults("429+61")
        with self.assertRaises(svc.APIError) as caught:
            self.created(faults)
        self.assertEqual([len(faults.keys()), caught.exception.retry_after], [1, 61])

    def test_the_pause_doubles_up_to_eight_seconds_and_is_random(self):
        for attempt, longest in ((1, 0.5), (2, 1), (3, 2), (5, 8), (9, 8)):
            pauses = [_retry.pause(attempt) for _ in range(200)]
            self.assertTrue(0 <= min(pauses) < longest / 4, attempt)
            self.assertTrue(longest * 3 / 4 < max(pauses) <= longest, attempt)

    def test_retry_after_may_be_a_date(self):
        self.assertEqual(_retry.retry_after({"retry-after": "7"}), 7)
        past = {"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}
        self.assertEqual(_retry.retry_after(past), 0)
        self.assertIsNone(_retry.retry_after({"retry-after": "soon"}))

    @without_pauses
    def test_reads_are_tried_again_without_a_key(self):
        faults = Faults("cut in body", "502")
        with client(base_url=faults.url) as api:
            self.assertEqual(api.organization.get().mode, "test")
        self.assertEqual(faults.keys(), [None] * 3)

    def test_a_key_of_the_caller_is_sent_and_refused_for_another_request(self):
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
    def test_an_upload_to_storage_is_tried_again_as_a_whole(self):
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
