"""Sample results for made-up people, as the API would return them.

Each argument replaces a field: `fixtures.case(status="approved")`.
"""

from __future__ import annotations

import copy
from typing import Any, Dict, Type, TypeVar

from .._model import Model
from .._wire import to_json
from ..generated.contract import EVENT_RESOURCES
from ..generated.examples import EXAMPLES, PATIENT_PARAMS
from ..generated.results import (
    Case,
    Consent,
    Delivery,
    Event,
    File,
    Medication,
    Message,
    Order,
    Organization,
    Patient,
    Prescription,
    Visit,
    WebhookEndpoint,
)
from ..generated.words import EventType
from ..webhooks import read_event

M = TypeVar("M", bound=Model)

_NAMES = {"webhook_endpoint": "WebhookEndpoint"}


def _made(cls: Type[M], changes: Dict[str, Any]) -> M:
    return cls.from_dict(_members(cls.__name__, changes))


def _members(name: str, changes: Dict[str, Any]) -> Dict[str, Any]:
    example = copy.deepcopy(EXAMPLES[name])
    unknown = changes.keys() - example.keys()
    if unknown:
        raise TypeError(f"{name} has no {', '.join(sorted(unknown))}.")
    return {**example, **to_json(changes)}


def patient_params(**changes: Any) -> Dict[str, Any]:
    """Sample arguments for `patients.create`."""
    return {**copy.deepcopy(PATIENT_PARAMS), **changes}


def organization(**changes: Any) -> Organization:
    return _made(Organization, changes)


def medication(**changes: Any) -> Medication:
    return _made(Medication, changes)


def patient(**changes: Any) -> Patient:
    return _made(Patient, changes)


def consent(**changes: Any) -> Consent:
    return _made(Consent, changes)


def case(**changes: Any) -> Case:
    return _made(Case, changes)


def message(**changes: Any) -> Message:
    return _made(Message, changes)


def prescription(**changes: Any) -> Prescription:
    return _made(Prescription, changes)


def order(**changes: Any) -> Order:
    return _made(Order, changes)


def visit(**changes: Any) -> Visit:
    return _made(Visit, changes)


def file(**changes: Any) -> File:
    return _made(File, changes)


def webhook_endpoint(**changes: Any) -> WebhookEndpoint:
    return _made(WebhookEndpoint, changes)


def delivery(**changes: Any) -> Delivery:
    return _made(Delivery, changes)


def event(type: EventType, **changes: Any) -> Event:
    """A sample event of this type, about a sample resource."""
    kind = EVENT_RESOURCES.get(type, type.split(".")[0])
    charges = EXAMPLES["Invoice"]["charges"]
    example = EXAMPLES.get(_NAMES.get(kind, kind.capitalize()))
    resource = charges[0] if example is None else example
    about = {
        "type": type,
        "resource": {"type": kind, "id": resource["id"]},
        "status": type.split(".")[1],
        "previous_status": None,
    }
    data = {"data": to_json(changes.pop("data"))} if "data" in changes else {}
    return read_event({**_members("Event", {**about, **changes}), **data})
