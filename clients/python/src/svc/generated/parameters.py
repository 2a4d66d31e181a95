# Generated from the contract by clients/generate/generate.ts; do not edit.
"""Objects inside of what the API takes. What an operation takes itself are its arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Optional, TypedDict, Union

from .words import AnswerType, State, TrackingCarrier

if TYPE_CHECKING:
    from typing_extensions import NotRequired

__all__ = [
    "AddressParams",
    "RequestedMedicationParams",
    "AnswerParams",
    "AnswerToClinicianParams",
    "PlanLineParams",
    "TrackingParams",
]


class AddressParams(TypedDict):
    line1: str
    line2: NotRequired[Optional[str]]
    city: str
    state: State
    """USPS code: the 50 states and DC."""
    postal_code: str
    country: NotRequired[Union[Literal["US"], str]]
    """Default: `"US"`."""


class RequestedMedicationParams(TypedDict):
    medication_id: str
    """From GET /v1/medications."""
    quantity: NotRequired[int]
    """1 to the entry's max_quantity."""
    refills: NotRequired[int]
    """Default: `0`."""
    days_supply: NotRequired[int]
    directions: NotRequired[str]


class AnswerParams(TypedDict):
    id: str
    """Your id for the question. An answer to a clinician has the question's msg_ id."""
    question: str
    """As the patient read it."""
    answer: str
    type: NotRequired[AnswerType]
    """Default: `"string"`."""


class AnswerToClinicianParams(TypedDict):
    id: NotRequired[str]
    """Your id for the question. An answer to a clinician has the question's msg_ id."""
    question: NotRequired[str]
    """As the patient read it."""
    answer: str
    type: NotRequired[AnswerType]
    """Default: `"string"`."""


class PlanLineParams(TypedDict):
    medication_id: str
    """From GET /v1/medications."""
    quantity: NotRequired[int]
    """1 to the entry's max_quantity."""
    refills: NotRequired[int]
    """Default: `0`."""
    days_supply: NotRequired[int]
    directions: NotRequired[str]
    dispensable: NotRequired[bool]


class TrackingParams(TypedDict):
    carrier: TrackingCarrier
    number: str
    url: NotRequired[Optional[str]]
