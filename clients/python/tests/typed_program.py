"""A program for type checkers only, which checks the package's types."""

from typing import List, Optional, Union

import svc
from svc import types, webhooks
from typing_extensions import assert_type


def blocking(api: svc.Client) -> None:
    case = api.cases.create(
        patient="pat_1",
        requested_medications=[{"medication_id": "med_1", "quantity": 2}],
        answers=[{"id": "a", "question": "b", "answer": "c"}],
    )
    assert_type(case, types.Case)
    assert_type(case.question, Optional[types.CaseQuestion])
    for one in api.cases.list(status="approved"):
        assert_type(one, types.Case)
    assert_type(api.cases.list().to_list(max=3), List[types.Case])
    raw = api.cases.with_raw_response.get("case_1", timeout=3)
    assert_type(raw, types.RawResponse[types.Case])
    assert_type(api.cases.with_raw_response.list().data, types.Page[types.Case])
    assert_type(api.exports.download("exp_1").parse(), types.ExportBundle)
    assert_type(api.events.redeliver("evt_1"), List[types.Delivery])
    assert_type(api.test.autopilot.update(approve_after_s=None), types.Autopilot)
    narrowed(api.webhooks.unwrap(b"", {"a": ["b"]}))
    webhooks.verifySignature(b"", {"a": "b"}, ["c"])
    try:
        api.test.cases.decide("case_1", decision="approve")
    except svc.InsufficientScopeError as error:
        assert_type(error.granted_scopes, Optional[List[types.Scope]])
        assert_type(error.errors[0].pointer, str)


def narrowed(event: types.Event) -> None:
    if event.type == "case.approved.v1":
        assert_type(event, types.CaseEvent)
        assert_type(event.data, Optional[types.Case])
    elif event.type == "order.shipped.v1" or event.type == "order.delivered.v1":
        assert_type(event.data, Optional[types.Order])
    elif isinstance(event, types.PatientEvent):
        assert_type(event.data, Union[types.Patient, types.Deleted, None])


async def asynchronous(api: svc.AsyncClient) -> None:
    assert_type(await api.cases.get("case_1"), types.Case)
    async for one in api.cases.list():
        assert_type(one, types.Case)
    page = await api.cases.list(limit=2)
    assert_type(page, types.AsyncPage[types.Case])
    assert_type(await page.next(), Optional[types.AsyncPage[types.Case]])
    raw = await api.cases.with_raw_response.get("case_1")
    assert_type(raw, types.RawResponse[types.Case])
    assert_type((await api.cases.with_raw_response.list()).data, types.AsyncPage[types.Case])


def refused(api: svc.Client) -> None:
    """Each line is a type error; if one isn't, its ignore comment is itself an error."""
    api.patients.get(1)  # type: ignore[arg-type]
    api.test.cases.decide("case_1", decision="aprove")  # type: ignore[arg-type]
    api.patients.update("pat_1", sex_at_birth="femal")  # type: ignore[arg-type]
    api.webhook_endpoints.create(
        url="https://example.com",
        event_types=["case.aproved.v1"],  # type: ignore[list-item]
    )
    api.cases.create(patient="pat_1")  # type: ignore[call-arg]
    api.cases.list(statuses="approved")  # type: ignore[call-arg]
    api.cases.get("case_1").status = "approved"  # type: ignore[misc]
    print(api.cases.get("case_1").nothing)  # type: ignore[attr-defined]
