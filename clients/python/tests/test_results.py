"""Results, their privacy, and their fixtures."""

import asyncio
import sys
import threading
import traceback
from dataclasses import FrozenInstanceError
from datetime import date, datetime, timedelta, timezone

import svc
from given import ADA, GIVEN, Test, client
from svc import types
from svc._model import Model
from svc.testing import fixtures, mock_client
from svc.webhooks import read_event


class Results(Test):
    def test_local_variables_of_a_failed_call_show_no_values(self):
        closed = "http://127.0.0.1:9"

        def blocking():
            with client(base_url=closed) as api:
                api.patients.create(**ADA, max_retries=0)

        async def asynchronous():
            async with client(svc.AsyncClient, base_url=closed) as api:
                await api.patients.create(**ADA, max_retries=0)

        def listed():
            with client(base_url=closed) as api:
                list(api.patients.list(external_id="Rivera", max_retries=0))

        for action in (blocking, listed, lambda: asyncio.run(asynchronous())):
            shown = []
            try:
                action()
            except svc.ConnectionError as error:
                failures = [error, error.__cause__, error.__cause__.__cause__, error.__context__]
            for failure in failures:
                for frame, _ in traceback.walk_tb(failure.__traceback__):
                    shown.append(frame.f_code.co_name)
                    # The caller's values are in the method's own frame.
                    own = {*ADA, "self", "failures", "shown"}
                    held = dict(frame.f_locals)
                    local = {name: held[name] for name in held.keys() - own}
                    self.assertNotIn("Rivera", repr(local), frame.f_code.co_name)
                    self.assertNotIn(GIVEN["key"], repr(local), frame.f_code.co_name)
            self.assertGreater(len(shown), 6)

    def test_a_type_is_complete_before_another_thread_uses_it(self):
        kinds = [type(f"Kind{at}", (Model,), {"__annotations__": {"id": str}}) for at in range(60)]
        read, interval = [], sys.getswitchinterval()
        start = threading.Barrier(8)

        def work():
            start.wait()
            read.extend(kind(id="x").id for kind in kinds)

        threads = [threading.Thread(target=work) for _ in range(8)]
        sys.setswitchinterval(1e-6)
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        finally:
            sys.setswitchinterval(interval)
        self.assertEqual(len(read), 8 * 60)

    def test_to_dict_returns_the_apis_json(self):
        found = 0
        for name, example in GIVEN["examples"].items():
            read = read_event if name == "Event" else getattr(types, name).from_dict
            with self.subTest(name):
                self.assertEqual(read(example).to_dict(), example)
                found += 1
        self.assertGreater(found, 15)

    def test_fields_and_values_from_a_later_version_are_kept(self):
        members = {**fixtures.case().to_dict(), "status": "archived", "priority": {"level": 1}}
        case = types.Case.from_dict(members)
        self.assertEqual(case.status, "archived")
        self.assertEqual(case.to_dict(), members)

    def test_event_data_is_the_resource_or_its_deletion(self):
        patient = fixtures.patient()
        kept = fixtures.event("patient.updated.v1", data=patient)
        self.assertEqual(read_event(kept.to_dict()).data, patient)
        gone = {"id": patient.id, "deleted": True}
        event = read_event({**kept.to_dict(), "data": gone})
        self.assertEqual(event.data, types.Deleted(**gone))
        self.assertEqual(event.to_dict()["data"], gone)

    def test_results_are_frozen_and_show_no_patient_data(self):
        patient = fixtures.patient()
        with self.assertRaises(FrozenInstanceError):
            patient.first_name = "Eve"
        self.assertEqual(repr(patient), f"Patient(id='{patient.id}', status='active', ...)")

    def test_times_are_aware_and_round_trip(self):
        patient = fixtures.patient(created_at="2026-11-20T12:00:00.001Z")
        at = datetime(2026, 11, 20, 12, 0, 0, 1000, timezone.utc)
        self.assertEqual([patient.created_at, patient.date_of_birth], [at, date(1988, 3, 14)])
        self.assertEqual(patient.to_dict()["created_at"], "2026-11-20T12:00:00.001Z")
        east = at.astimezone(timezone(timedelta(hours=2)))
        api = mock_client()
        self.assertEqual(list(api.cases.list(created_after=east)), [])
        with self.assertRaisesRegex(ValueError, "time zone"):
            list(api.cases.list(created_after=datetime(2026, 11, 20)))

    def test_none_is_omitted_unless_it_clears_a_field(self):
        with client() as api:
            patient = api.patients.create(**{**ADA, "middle_name": "Jo", "external_id": None})
            kept = api.patients.update(patient.id, first_name="Eva", email=None)
            self.assertEqual([kept.middle_name, kept.first_name], ["Jo", "Eva"])
            self.assertIsNone(api.patients.update(patient.id, middle_name=None).middle_name)


class Fixtures(Test):
    def test_every_event_type_has_a_fixture(self):
        self.assertGreater(len(GIVEN["event_types"]), 30)
        for kind in GIVEN["event_types"]:
            event = fixtures.event(kind)
            self.assertEqual([event.type, event.resource.type], [kind, kind.split(".")[0]])
            self.assertRegex(event.resource.id, r"^[a-z]+_[0-9a-hjkmnp-tv-z]{26}$")

    def test_an_argument_replaces_a_field_and_an_unknown_one_is_refused(self):
        self.assertEqual(fixtures.case(status="approved").status, "approved")
        self.assertEqual(fixtures.order(tracking=None).tracking, None)
        with self.assertRaisesRegex(TypeError, "Case has no state"):
            fixtures.case(state="approved")

    def test_the_in_memory_sandbox_names_unsupported_operations(self):
        with self.assertRaisesRegex(svc.SvcError, "doesn't support GET /v1/usage"):
            mock_client().usage.get()

    def test_the_in_memory_sandbox_replays_responses_by_key(self):
        api = mock_client()
        first = api.patients.with_raw_response.create(**ADA, idempotency_key="k")
        again = api.patients.with_raw_response.create(**ADA, idempotency_key="k")
        self.assertEqual([again.replayed, again.data], [True, first.data])
        with self.assertRaises(svc.IdempotencyKeyReusedError):
            api.patients.create(**{**ADA, "last_name": "Stone"}, idempotency_key="k")
