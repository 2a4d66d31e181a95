# Generated from the contract by clients/generate/generate.ts; do not edit.
"""What the API answers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Dict, List, Literal, Optional, Union

from .._model import Model
from .words import (
    AnswerType,
    CaseStatus,
    ChargeStatus,
    ConsentKind,
    ConsentStatus,
    DeliveryFailure,
    DeliveryStatus,
    EventType,
    ExportStatus,
    FieldErrorCode,
    FileMime,
    FileStatus,
    InvoiceStatus,
    MedicationCategory,
    MessageAuthor,
    MessageKind,
    Mode,
    OrderStatus,
    PrescriptionStatus,
    QuestionTarget,
    Scope,
    SexAtBirth,
    State,
    TrackingCarrier,
    VisitStatus,
    WebhookEndpointEventType,
    WebhookEndpointStatus,
)

__all__ = [
    "Organization",
    "Medication",
    "Patient",
    "Address",
    "Deleted",
    "Consent",
    "Export",
    "ExportBundle",
    "Case",
    "RequestedMedication",
    "Answer",
    "PlanLine",
    "CaseQuestion",
    "File",
    "Prescription",
    "Order",
    "Tracking",
    "ExportBundleDocument",
    "Event",
    "EventResource",
    "Message",
    "Slot",
    "Visit",
    "JoinLink",
    "FileUpload",
    "Usage",
    "UsageTotal",
    "Invoice",
    "Charge",
    "ChargeResource",
    "Delivery",
    "RealtimeToken",
    "WebhookEndpoint",
    "Autopilot",
    "SandboxReset",
    "FieldError",
    "ProblemOrganization",
    "ProblemResource",
    "ProblemOrder",
]


@dataclass(frozen=True, repr=False)
class Organization(Model):
    """A clinic the integration acts for. Real patient information must never be sent to test
    mode.
    """

    id: str
    name: str
    slug: str
    kind: Union[Literal["DIRECT"], str]
    status: Union[Literal["active"], str]
    mode: Mode
    scopes: List[Scope]
    """The scopes of the credential that the organization granted."""


@dataclass(frozen=True, repr=False)
class Medication(Model):
    """A catalog entry."""

    medication_id: str
    name: str
    """The generic name."""
    form: str
    strength: str
    category: MedicationCategory
    unit: str
    """The unit of quantity."""
    default_quantity: int
    max_quantity: int
    """A larger quantity is refused."""
    default_days_supply: int
    default_directions: str
    dispensable: bool
    """false: can be on a plan, but is never filled."""
    controlled: bool
    """Always false: the catalog has no controlled substances."""


@dataclass(frozen=True, repr=False)
class Patient(Model):
    """The person the consult is for."""

    id: str
    external_id: Optional[str]
    """Your own id for the patient. Not unique; the list can be filtered by it."""
    status: Union[Literal["active"], str]
    """`deleted` appears only in patient.deleted.v1."""
    first_name: str
    middle_name: Optional[str]
    last_name: str
    date_of_birth: date
    sex_at_birth: SexAtBirth
    email: str
    """Not unique."""
    phone: str
    """E.164."""
    address: Address
    """A US address."""
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, repr=False)
class Address(Model):
    """A US address."""

    line1: str
    line2: Optional[str]
    city: str
    state: State
    """USPS code: the 50 states and DC."""
    postal_code: str
    country: Union[Literal["US"], str]


@dataclass(frozen=True, repr=False)
class Deleted(Model):
    """The response to every DELETE."""

    id: str
    """The id in the path."""
    deleted: bool


@dataclass(frozen=True, repr=False)
class Consent(Model):
    """The patient's consent to one document."""

    id: str
    patient: str
    kind: ConsentKind
    version: str
    """The version of the document the patient saw."""
    status: ConsentStatus
    """The newest of its kind for the patient is current."""
    accepted_at: datetime
    """When the patient agreed."""
    created_at: datetime


@dataclass(frozen=True, repr=False)
class Export(Model):
    """An export job."""

    id: str
    status: ExportStatus
    url: Optional[str]
    """Where to download the bundle with a credential; null until completed."""
    expires_at: Optional[datetime]
    """24 hours after completion; null until completed."""


@dataclass(frozen=True, repr=False)
class ExportBundle(Model):
    """The downloaded file."""

    export: str
    organization: str
    mode: Mode
    created_at: datetime
    """The time of the data in the bundle."""
    patient: Patient
    """The person the consult is for."""
    cases: List[Case]
    """Ascending by id, like all lists below."""
    consents: List[Consent]
    files: List[File]
    """Attached files only."""
    prescriptions: List[Prescription]
    orders: List[Order]
    documents: List[ExportBundleDocument]
    """One entry per file, with the location of its bytes."""


@dataclass(frozen=True, repr=False)
class Case(Model):
    """A consult."""

    id: str
    patient: str
    status: CaseStatus
    consent_ids: List[str]
    requested_medications: List[RequestedMedication]
    answers: List[Answer]
    """Intake answers, then answers to the clinician, in order."""
    hold: bool
    """The value when the case was filed. status says whether it is still held."""
    files: List[str]
    plan: Optional[List[PlanLine]]
    """Set on approval."""
    question: Optional[CaseQuestion]
    """The open question, or null."""
    reason: Optional[str]
    """Why it was declined, canceled or withdrawn. A decline's reason is safe to show the
    patient.
    """
    prescription_ids: List[str]
    order_ids: List[str]
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, repr=False)
class RequestedMedication(Model):
    """One requested medication."""

    medication_id: str
    """From GET /v1/medications."""
    quantity: int
    """1 to the entry's max_quantity."""
    refills: int
    days_supply: int
    directions: str


@dataclass(frozen=True, repr=False)
class Answer(Model):
    """One intake answer."""

    id: str
    """Your id for the question. An answer to a clinician has the question's msg_ id."""
    question: str
    """As the patient read it."""
    answer: str
    type: AnswerType
    """How to read answer, which is always a string."""


@dataclass(frozen=True, repr=False)
class PlanLine(Model):
    """One line of the clinician's plan. It may differ from what was requested."""

    medication_id: str
    """From GET /v1/medications."""
    quantity: int
    """1 to the entry's max_quantity."""
    refills: int
    days_supply: int
    directions: str
    dispensable: bool
    """false: recorded but never filled, so it creates no prescription and no order."""


@dataclass(frozen=True, repr=False)
class CaseQuestion(Model):
    message: str
    target: QuestionTarget
    body: str
    asked_at: datetime


@dataclass(frozen=True, repr=False)
class File(Model):
    """A document of a patient, reserved or filed."""

    id: str
    patient: str
    case: Optional[str]
    """The case it is attached to."""
    kind: Optional[str]
    """null only while reserved."""
    filename: Optional[str]
    """null only while reserved."""
    mime: FileMime
    size_bytes: Optional[int]
    """As storage measured it; null until something is uploaded."""
    status: FileStatus
    attached_at: Optional[datetime]
    created_at: datetime


@dataclass(frozen=True, repr=False)
class Prescription(Model):
    """One dispensable plan line of an approval."""

    id: str
    case: str
    patient: str
    order: str
    """The order that it creates."""
    status: PrescriptionStatus
    medication_id: str
    name: str
    """The catalog name when it was written."""
    form: str
    strength: str
    quantity: int
    refills: int
    days_supply: int
    directions: str
    prescriber_name: str
    expires_at: datetime
    """One year after created_at."""
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, repr=False)
class Order(Model):
    """The pharmacy's work on one prescription."""

    id: str
    case: str
    patient: str
    prescription: str
    status: OrderStatus
    medication_id: str
    quantity: int
    """Units dispensed."""
    ship_to: Address
    """A US address."""
    tracking: Optional[Tracking]
    reason: Optional[str]
    """Why it is blocked, or in live mode why it failed."""
    shipped_at: Optional[datetime]
    delivered_at: Optional[datetime]
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, repr=False)
class Tracking(Model):
    """A parcel."""

    carrier: TrackingCarrier
    number: str
    url: Optional[str]


@dataclass(frozen=True, repr=False)
class ExportBundleDocument(Model):
    file: str
    filename: str
    mime: FileMime
    url: Optional[str]
    """null in the sandbox, which serves no bytes."""
    expires_at: Optional[datetime]
    """null in the sandbox, which serves no bytes."""


@dataclass(frozen=True, repr=False)
class Event(Model):
    """A state change."""

    id: str
    type: EventType
    created_at: datetime
    """Unique and strictly increasing within one integration, organization and mode."""
    organization: str
    mode: Mode
    resource: EventResource
    status: str
    """The resource's status after the transition."""
    previous_status: Optional[str]
    """The status before, or null for a new resource."""
    data: Optional[Dict[str, Any]] = None
    """The resource as it is now. Only with include_resource."""


@dataclass(frozen=True, repr=False)
class EventResource(Model):
    type: str
    """The first word of the event type."""
    id: str


@dataclass(frozen=True, repr=False)
class Message(Model):
    """One entry of a case's thread."""

    id: str
    status: Union[Literal["sent"], str]
    """Live mode may add read."""
    case: str
    kind: MessageKind
    author: MessageAuthor
    target: Optional[QuestionTarget]
    """Who a question is for; null otherwise."""
    body: str
    """Plain text."""
    created_at: datetime


@dataclass(frozen=True, repr=False)
class Slot(Model):
    id: str
    """Only a cursor. To book, send starts_at."""
    state: State
    time_zone: str
    """IANA time zone of the state. Where a state has two, the one in which most of its people
    live.
    """
    starts_at: datetime
    """Send this to book the slot."""
    ends_at: datetime


@dataclass(frozen=True, repr=False)
class Visit(Model):
    """A live video consult with a licensed clinician."""

    id: str
    """Unchanged by a reschedule."""
    patient: str
    case: Optional[str]
    """The case it belongs to, if any."""
    status: VisitStatus
    state: State
    """The patient's state when it was booked."""
    time_zone: str
    """IANA time zone of the state. Where a state has two, the one in which most of its people
    live.
    """
    starts_at: datetime
    ends_at: datetime
    clinician_name: Optional[str]
    """Who sees the patient; null until one is assigned."""
    join_opens_at: datetime
    """One hour before starts_at."""
    started_at: Optional[datetime]
    ended_at: Optional[datetime]
    """When it was completed, canceled or marked as a no-show."""
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, repr=False)
class JoinLink(Model):
    """A link to the waiting room for this patient. It is created on request and not stored."""

    visit: str
    patient: str
    """The patient that the link is for."""
    url: str
    """Opened by the patient's browser."""
    expires_at: datetime
    """15 minutes after the response."""


@dataclass(frozen=True, repr=False)
class FileUpload(Model):
    """Where and how the bytes of a file are sent."""

    id: str
    patient: str
    case: Optional[str]
    """The case it is attached to."""
    kind: Optional[str]
    """What it shows, in a word of your choice, such as photo_id, selfie, clinical_photo,
    lab_result, insurance_card, prior_prescription or other.
    """
    filename: Optional[str]
    """Without a folder, a control character or a change of writing direction."""
    mime: FileMime
    status: str
    upload_method: str
    upload_url: str
    """Signed. It needs no credential, so keep it as secret as one."""
    upload_headers: Dict[str, str]
    """Every entry must be sent, or storage refuses the upload."""
    max_bytes: int
    expires_at: datetime
    """When the reservation ends, unless it is confirmed."""
    created_at: datetime


@dataclass(frozen=True, repr=False)
class Usage(Model):
    """Totals of the charge ledger over a time window, by kind."""

    from_: datetime
    """Inclusive."""
    to: datetime
    """Exclusive."""
    data: List[UsageTotal]
    """One entry per kind and currency, ordered by kind. Empty in test mode."""


@dataclass(frozen=True, repr=False)
class UsageTotal(Model):
    kind: Union[Literal["video_visit"], str]
    """More kinds may be added."""
    count: int
    """Charges minus reversals."""
    amount: int
    """Minor units, reversals subtracted."""
    currency: str
    """ISO 4217."""


@dataclass(frozen=True, repr=False)
class Invoice(Model):
    """One month of charges. Live mode only."""

    id: str
    number: str
    """Unique and readable by people."""
    status: InvoiceStatus
    period_start: datetime
    """Inclusive."""
    period_end: datetime
    """Exclusive."""
    currency: str
    """ISO 4217."""
    total: int
    """Minor units: the sum of its charges. Below zero, it pays later invoices."""
    amount_due: int
    """Minor units still owed, never negative."""
    amount_paid: int
    """Minor units, with what earlier invoices below zero left."""
    issued_at: datetime
    due_at: datetime
    """30 days after issued_at."""
    paid_at: Optional[datetime]
    created_at: datetime
    charges: Optional[List[Charge]] = None
    """Only when one invoice is read, not in the list."""


@dataclass(frozen=True, repr=False)
class Charge(Model):
    """One entry of the charge ledger. Entries never change."""

    id: str
    kind: Union[Literal["video_visit"], str]
    """More kinds may be added."""
    status: ChargeStatus
    resource: ChargeResource
    """What the charge is for."""
    amount: int
    """Minor units; negative on a reversal."""
    currency: str
    """ISO 4217."""
    reverses: Optional[str]
    """The charge that it reverses."""
    invoice: Optional[str]
    created_at: datetime


@dataclass(frozen=True, repr=False)
class ChargeResource(Model):
    type: str
    id: str


@dataclass(frozen=True, repr=False)
class Delivery(Model):
    """The delivery of one event to one endpoint, with all its attempts."""

    id: str
    """Sent as Service-Delivery-Id."""
    event: str
    event_type: EventType
    webhook_endpoint: str
    status: DeliveryStatus
    attempt: int
    """Attempts made so far."""
    http_status: Optional[int]
    """The status of the last attempt; null if none was received."""
    latency_ms: Optional[int]
    """The duration of the last attempt."""
    response_body: Optional[str]
    """The first 1024 bytes of the receiver's last answer."""
    error: Optional[DeliveryFailure]
    """Why no HTTP status was received."""
    next_attempt_at: Optional[datetime]
    """null once delivered or failed."""
    last_attempt_at: Optional[datetime]
    """The end of the last attempt."""
    created_at: datetime


@dataclass(frozen=True, repr=False)
class RealtimeToken(Model):
    """A token that subscribes to one channel, and can do nothing else."""

    token: str
    """Opaque, and a credential: keep it out of logs. It expires after 60 minutes."""
    channel: str
    """`integration:<integration>:<organization>`, with `:test` appended in test mode. Events of
    one mode never reach the channel of the other.
    """
    capability: Union[Literal["subscribe"], str]
    mode: Mode
    expires_at: datetime
    """When the connection is closed."""


@dataclass(frozen=True, repr=False)
class WebhookEndpoint(Model):
    """A receiver of events. It belongs to one integration and one mode."""

    id: str
    url: str
    """https, without credentials or fragment. Its host must resolve to public addresses, here
    and before every attempt.
    """
    event_types: List[WebhookEndpointEventType]
    include_resource: bool
    """Whether each delivery contains the resource, as it is at that time, in `data`."""
    description: Optional[str]
    status: WebhookEndpointStatus
    """Disabled by you, or after 20 failed events in a row."""
    previous_secret_expires_at: Optional[datetime]
    """Until then, deliveries are also signed with the previous secret."""
    disabled_at: Optional[datetime]
    created_at: datetime
    updated_at: datetime
    secret: Optional[str] = None
    """The whole string is the signing key. It is returned only once: store it."""


@dataclass(frozen=True, repr=False)
class Autopilot(Model):
    """The sandbox's timers. They run every full minute."""

    approve_after_s: Optional[int]
    """Seconds from a case entering queued or in_review to its approval. null turns it off."""
    ship_after_s: Optional[int]
    """Seconds from an order's last change to its shipping, then to its delivery. null turns it
    off.
    """


@dataclass(frozen=True, repr=False)
class SandboxReset(Model):
    """What a reset did."""

    reset: bool
    resources_deleted: int
    """How many patients, consents, cases, messages, prescriptions, orders, visits, files,
    exports and charges were deleted.
    """


@dataclass(frozen=True, repr=False)
class FieldError(Model):
    """One error in one request value."""

    pointer: str
    """`#/a/0/b` into the body, `?name` for a query parameter, `API-Version:` for that header."""
    code: FieldErrorCode
    """What is wrong. Stable."""
    message: str
    """What the value must be, in one sentence. It never repeats the value."""


@dataclass(frozen=True, repr=False)
class ProblemOrganization(Model):
    id: str
    name: str


@dataclass(frozen=True, repr=False)
class ProblemResource(Model):
    type: str
    id: str


@dataclass(frozen=True, repr=False)
class ProblemOrder(Model):
    id: str
    status: str
