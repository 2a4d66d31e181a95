"""The in-memory sandbox behaves like the platform: visits, files and webhook endpoints."""

import re
from datetime import datetime, timedelta, timezone
from unittest.mock import patch

import svc
from given import ADA, AtThisAddress, Test, client, new_case
from svc.testing import mock_client, record_events

UNKNOWN = f"pat_{'0' * 26}"
# Fields whose values or texts may differ.
OWN = ("type", "request_id", "resource", "detail", "hint")


def refused(action):
    try:
        action()
    except svc.APIError as error:
        return {name: value for name, value in error.raw.items() if name not in OWN}
    raise AssertionError("it was not refused")


def visits(api):
    case = new_case(api)
    patient = case.patient
    first, second, third, fourth = api.visits.slots(state="CA", limit=4).data
    booked = api.visits.book(patient=patient, starts_at=first.starts_at, case=case.id)
    moved = api.visits.reschedule(booked.id, starts_at=second.starts_at)
    other = api.visits.book(patient=patient, starts_at=third.starts_at)
    last = api.visits.book(patient=patient, starts_at=fourth.starts_at)

    def book(starts_at, patient=patient):
        return refused(lambda: api.visits.book(patient=patient, starts_at=starts_at))

    far = svc.time_zone_of(api.patients.get(patient))
    return [
        first,
        booked,
        moved,
        far == booked.time_zone,
        book(second.starts_at),
        book(second.starts_at + timedelta(minutes=1)),
        book(second.starts_at - timedelta(days=20)),
        book(second.starts_at + timedelta(days=100)),
        book(first.starts_at, UNKNOWN),
        refused(lambda: api.visits.reschedule(booked.id, starts_at=second.starts_at)),
        refused(lambda: api.visits.join(last.id)),
        api.test.visits.start(booked.id),
        refused(lambda: api.visits.cancel(booked.id)),
        api.test.visits.complete(booked.id),
        api.test.visits.no_show(other.id),
        refused(lambda: api.visits.join(other.id)),
        api.patients.delete(patient),
        api.visits.get(last.id).status,
        api.cases.get(case.id),
    ]


def files(api):
    case = new_case(api)
    named = {"patient": case.patient, "kind": "photo_id", "filename": "id.png"}
    photo = {**named, "mime": "image/png", "body": bytes(70)}
    reserved = api.files.create(patient=case.patient, mime="image/png")
    attached = api.files.upload(**photo, case=case.id)
    loose = api.files.upload(**photo)
    request = {
        "patient": case.patient,
        "consent_ids": case.consent_ids,
        "requested_medications": [{"medication_id": case.requested_medications[0].medication_id}],
        "files": [loose.id],
    }
    filed = api.cases.create(**request)
    api.files.delete(attached.id)
    api.cases.cancel(case.id)
    return [
        {**reserved.to_dict(), "upload_url": None},
        api.files.get(reserved.id),
        attached,
        filed,
        api.files.get(loose.id).case == filed.id,
        api.cases.get(case.id).files,
        refused(lambda: api.files.get(attached.id)),
        refused(lambda: api.files.confirm(loose.id, **named)),
        refused(lambda: api.files.confirm(reserved.id, **{**named, "patient": UNKNOWN})),
        refused(lambda: api.files.create(patient=case.patient, mime="image/png", case=case.id)),
        refused(lambda: api.files.create(patient=UNKNOWN, mime="image/png")),
        refused(lambda: api.cases.create(**request)),
    ]


def endpoints(api):
    api.patients.create(**ADA)
    wanted = {"url": "https://hooks.example.com/svc", "event_types": ["case.approved.v1"]}
    made = api.webhook_endpoints.create(**wanted, description="Orders")
    rotated = api.webhook_endpoints.rotate_secret(made.id)
    there = api.webhook_endpoints.list().to_list(max=20)
    for _ in range(16 - len(there)):
        api.webhook_endpoints.create(**wanted)
    return [
        {**made.to_dict(), "secret": bool(re.fullmatch(r"whsec_\w{32}", made.secret))},
        {**rotated.to_dict(), "secret": rotated.secret == made.secret},
        api.webhook_endpoints.update(made.id, event_types=["*"], status="disabled"),
        api.webhook_endpoints.update(made.id, status="enabled", description=None),
        api.webhook_endpoints.get(made.id),
        list(api.webhook_endpoints.deliveries(made.id)),
        refused(lambda: api.webhook_endpoints.create(**wanted)),
        api.webhook_endpoints.delete(made.id),
        refused(lambda: api.webhook_endpoints.get(made.id)),
    ]


def comparable(value):
    """Replaces IDs and times, which differ; everything else must match."""
    if hasattr(value, "to_dict"):
        value = value.to_dict()
    if isinstance(value, dict):
        return {name: comparable(one) for name, one in value.items()}
    if isinstance(value, list):
        return [comparable(one) for one in value]
    if not isinstance(value, str):
        return value
    value = re.sub(r"^([a-z]+)_[0-9a-z]{26}$", r"\1_…", value)
    return re.sub(r"^\d{4}-\d\d-\d\dT.*", "a time", value)


def outcome(api, walk):
    answered, events = record_events(api, lambda: walk(api))
    changes = [(one.type, one.previous_status, one.status, one.resource.type) for one in events]
    return {"events": changes, "answered": [comparable(one) for one in answered]}


class Mock(Test):
    def test_visits_files_and_endpoints_match_the_platform(self):
        for walk in (visits, files, endpoints):
            with self.subTest(walk.__name__), client(transport=AtThisAddress()) as api:
                wanted = outcome(api, walk)
                self.assertGreater(len(wanted["events"]), 0)
                self.assertEqual(outcome(mock_client(), walk), wanted)

    def test_a_visit_can_be_joined_from_an_hour_before_its_start(self):
        api = mock_client()
        patient = api.patients.create(**ADA)
        # The sandbox's clock never goes back, so an hour before the slot isn't over yet.
        soon = datetime.now(timezone.utc) + timedelta(hours=2)
        (slot,) = api.visits.slots(state="CA", from_=soon, limit=1).data
        visit = api.visits.book(patient=patient.id, starts_at=slot.starts_at)

        def joined(time, minutes):
            with patch("time.time", lambda: time.timestamp() + minutes * 60):
                try:
                    return api.visits.join(visit.id).url
                except svc.JoinNotOpenError as error:
                    return error.code

        link = f"http://localhost/visits/join/{visit.id}"
        times = [(slot.starts_at, -61), (slot.starts_at, -59), (slot.ends_at, 29)]
        codes = [joined(*one) for one in [*times, (slot.ends_at, 31)]]
        self.assertEqual(codes, ["join_not_open", link, link, "join_not_open"])
