"""A case's whole loop, in both clients and in the in-memory sandbox."""

import asyncio
import io
import time
from datetime import datetime, timedelta, timezone

import svc
from given import ADA, GIVEN, AsyncAtThisAddress, AtThisAddress, Test, client, logged, new_case
from svc.testing import fixtures, mock_async_client, mock_client, record_events


def walk(api):
    """Runs the loop from patient to delivery. Returns results without values that vary."""
    since = datetime.now(timezone.utc)
    for event in api.events.list():
        since = event.created_at
    seen = []

    def note(what, value):
        seen.append((what, value))
        return value

    def refused(action):
        try:
            action()
        except svc.APIError as error:
            seen.append((type(error).__name__, error.status, error.title, error.detail))
            seen.extend((one.pointer, one.code, one.message) for one in error.errors)
            return error
        raise AssertionError("it was not refused")

    patient = api.patients.create(**ADA)
    note("patient", sorted(patient.to_dict()))
    medication = api.medications.list(limit=1).data[0].medication_id
    requested = [{"medication_id": medication}]
    error = refused(lambda: api.cases.create(patient=patient.id, requested_medications=requested))
    note("missing", error.missing)
    both = api.consents.record_both(patient.id, telehealth="2026-09-01", privacy="2026-09-01")
    ids = [consent.id for consent in both]
    unknown = f"pat_{'0' * 26}"
    refused(
        lambda: api.cases.create(patient=unknown, consent_ids=ids, requested_medications=requested)
    )
    refused(lambda: api.patients.get(unknown))
    case = api.cases.create(
        patient=patient.id,
        consent_ids=ids,
        requested_medications=requested,
        answers=[{"id": "allergies", "question": "Any allergies?", "answer": "none"}],
        hold=True,
    )
    note("case", {name: value for name, value in case.to_dict().items() if not _varies(value)})
    refused(lambda: api.test.cases.decide(case.id, decision="approve"))
    note("released", api.cases.release(case.id).status)
    refused(lambda: api.cases.release(case.id))
    refused(lambda: api.test.cases.decide(case.id, decision="decline"))
    asked = api.test.cases.decide(
        case.id, decision="needs_info", target="patient", question="Since when?"
    )
    note("question", asked.question.body)
    note("answered", api.cases.answer(case.id, answers=[{"answer": "May"}]).status)
    note("approved", api.test.cases.decide(case.id, decision="approve").status)
    refused(lambda: api.test.cases.deliver(case.id))
    api.test.cases.block(case.id, reason="out of stock")
    api.test.cases.ship(case.id, tracking={"carrier": "ups", "number": "1Z"})
    api.test.cases.deliver(case.id)
    refused(lambda: api.cases.cancel(case.id, reason="too late"))
    api.messages.create(case.id, body="Thank you")
    for message in api.messages.list(case.id):
        note("message", (message.kind, message.author, message.target, message.body))
    for prescription in api.prescriptions.list(case.id):
        note("prescription", (prescription.status, sorted(prescription.to_dict())))
    for order in api.orders.list(case.id):
        note("order", (order.status, order.tracking.number, sorted(order.to_dict())))
    for event in api.events.list(since=since):
        note("event", (event.type, event.status, event.previous_status))
    note("of the case", len(list(api.cases.events(case.id))))
    note("deleted", api.patients.delete(patient.id).deleted)
    return seen


def _varies(value):
    return (
        isinstance(value, str)
        and (value[:4] in ("pat_", "case") or value[:3] == "202")
        or (isinstance(value, list) and bool(value) and isinstance(value[0], str))
    )


class Loop(Test):
    def test_the_loop_matches_on_the_platform_and_in_memory(self):
        with client(expect_mode="test") as api:
            on_platform = walk(api)
        in_memory = walk(mock_client())
        self.assertGreater(len(on_platform), 40)
        examples = fixtures.medication().to_dict()
        self.assertEqual(examples["controlled"], False)
        self.assertEqual(in_memory, on_platform)

    def test_asyncio_uses_the_same_names(self):
        async def walk_async(api):
            patient = await api.patients.create(**ADA)
            both = await api.consents.record_both(patient.id, telehealth="1", privacy="1")
            medication = (await api.medications.list(limit=1)).data[0].medication_id
            case = await api.cases.create(
                patient=patient.id,
                consent_ids=[consent.id for consent in both],
                requested_medications=[{"medication_id": medication}],
            )
            await api.test.cases.decide(case.id, decision="approve")
            await api.test.cases.ship(case.id)
            await api.test.cases.deliver(case.id)
            orders = [order async for order in api.orders.list(case.id)]
            with self.assertRaises(svc.InvalidTransitionError) as caught:
                await api.cases.cancel(case.id)
            waited = await api.cases.wait_for(case.id, status="approved")
            return [order.status for order in orders], caught.exception.current_status, waited.id

        async def main():
            async with client(svc.AsyncClient) as api:
                real = await walk_async(api)
                raw = await api.cases.with_raw_response.get(real[2])
                page = await api.cases.with_raw_response.list(limit=1)
            return real, await walk_async(mock_async_client()), raw, page

        real, memory, raw, page = asyncio.run(main())
        self.assertEqual(real[:2], (["delivered"], "approved"))
        self.assertEqual(memory[:2], real[:2])
        self.assertEqual([raw.status, raw.data.id, raw.attempts], [200, real[2], 1])
        self.assertTrue(raw.request_id.startswith("req_"))
        self.assertEqual(len(page.data.data), 1)

    def test_upload_export_and_download(self):
        with client(transport=AtThisAddress()) as api:
            patient = api.patients.create(**ADA)
            file = api.files.upload(
                patient=patient.id,
                kind="photo_id",
                filename="id.png",
                mime="image/png",
                body=b"\x89PNG\r\n\x1a\n" + bytes(64),
            )
            self.assertEqual(api.files.get(file.id), file)
        # In live mode, an export completes immediately.
        with client(api_key=GIVEN["live"], expect_mode="live") as api:
            patient = api.patients.create(**ADA)
            export = api.exports.create(patient.id)
            download = api.exports.download(export.id)
            self.assertEqual(download.parse().patient.id, patient.id)
            again = api.exports.download(export.id, if_none_match=download.etag)
            self.assertEqual([again.is_unchanged, again.content], [True, b""])

    def test_events_are_recorded_and_iterated_in_order(self):
        with client() as api:
            case, events = record_events(api, lambda: new_case(api))
            types = [event.type for event in events]
            self.assertEqual(types[0], "patient.created.v1")
            self.assertEqual(types[-1], "case.queued.v1")
            stream = api.events.iterate(
                since=events[0].created_at, types=["case.queued.v1"], poll_seconds=0.05
            )
            self.assertEqual(next(iter(stream)).resource.id, case.id)
            self.assertEqual(stream.cursor, events[-1].created_at)

    def test_asyncio_uploads_and_follows_events_too(self):
        async def main():
            transport = AsyncAtThisAddress()
            async with client(svc.AsyncClient, transport=transport) as api:
                patient = await api.patients.create(**ADA)
                since = patient.created_at - timedelta(milliseconds=1)
                file = await api.files.upload(
                    patient=patient.id,
                    kind="photo_id",
                    filename="id.png",
                    mime="image/png",
                    body=io.BytesIO(b"\x89PNG\r\n\x1a\n" + bytes(64)),
                )
                stream = api.events.iterate(since=since, poll_seconds=0.05)
                seen = []
                async for event in stream:
                    seen.append((event.type, event.resource.id))
                    if event.type == "file.attached.v1":
                        break
                with self.assertRaises(svc.WaitTimeoutError):
                    await api.cases.wait_for(
                        (await api.cases.list(limit=1)).data[0].id, status="never", timeout=0.05
                    )
            return patient, file, seen, stream.cursor

        patient, file, seen, cursor = asyncio.run(main())
        self.assertEqual(seen[0], ("patient.created.v1", patient.id))
        self.assertEqual(seen[-1], ("file.attached.v1", file.id))
        self.assertGreater(cursor, patient.created_at)

    def test_wait_for_returns_at_the_status_or_times_out(self):
        with client() as api:
            case = new_case(api)
            began = time.monotonic()
            self.assertEqual(api.cases.wait_for(case.id, status=["queued"]).id, case.id)
            # Enough for a read on this machine.
            timeout = 0.1 + 10 * (time.monotonic() - began)
            with self.assertRaisesRegex(svc.WaitTimeoutError, "is queued after .* s"):
                api.cases.wait_for(case.id, status="approved", timeout=timeout)

    def test_no_log_line_has_patient_data(self):
        with client() as api:
            case = new_case(api)
            list(api.patients.list(external_id=ADA["external_id"]))
            logging_of = [repr(case), str(case), repr(api.patients.get(case.patient))]
        own = [line for line in logged.lines if line.startswith("svc ")]
        self.assertGreater(len(own), 5)
        values = [value for value in ADA.values() if isinstance(value, str) and len(value) > 3]
        values += [value for value in ADA["address"].values() if len(value) > 3]
        values += [case.id, case.patient, GIVEN["key"]]
        for line in [*own, *logging_of]:
            for value in values if line in own else values[:-3]:
                self.assertNotIn(value, line)
