# Generated from the contract by clients/generate/generate.ts; do not edit.
"""Texts with a list of values. A later version of the API may have one that is not here."""

from __future__ import annotations

from typing import Literal, Union

__all__ = [
    "Mode",
    "Scope",
    "MedicationCategory",
    "SexAtBirth",
    "State",
    "ConsentKind",
    "ConsentStatus",
    "ExportStatus",
    "CaseStatus",
    "AnswerType",
    "QuestionTarget",
    "FileMime",
    "FileStatus",
    "PrescriptionStatus",
    "OrderStatus",
    "TrackingCarrier",
    "EventType",
    "MessageKind",
    "MessageAuthor",
    "MessageCreateAuthor",
    "VisitStatus",
    "InvoiceStatus",
    "ChargeStatus",
    "DeliveryStatus",
    "DeliveryFailure",
    "WebhookEndpointEventType",
    "WebhookEndpointStatus",
    "Decision",
    "ProblemCode",
    "FieldErrorCode",
]


Mode = Union[Literal["test", "live"], str]

Scope = Union[
    Literal[
        "organization:read",
        "patients:read",
        "patients:write",
        "cases:read",
        "cases:write",
        "events:read",
        "webhooks:manage",
        "realtime:subscribe",
        "test:manage",
        "billing:read",
        "visits:read",
        "visits:write",
    ],
    str,
]

MedicationCategory = Union[
    Literal[
        "weight_management",
        "sexual_health",
        "hair_loss",
        "dermatology",
        "contraception",
        "menopause",
        "mental_health",
        "sleep",
        "primary_care",
        "acute_care",
    ],
    str,
]

SexAtBirth = Union[Literal["female", "male", "intersex", "unknown"], str]

State = Union[
    Literal[
        "AL",
        "AK",
        "AZ",
        "AR",
        "CA",
        "CO",
        "CT",
        "DE",
        "DC",
        "FL",
        "GA",
        "HI",
        "ID",
        "IL",
        "IN",
        "IA",
        "KS",
        "KY",
        "LA",
        "ME",
        "MD",
        "MA",
        "MI",
        "MN",
        "MS",
        "MO",
        "MT",
        "NE",
        "NV",
        "NH",
        "NJ",
        "NM",
        "NY",
        "NC",
        "ND",
        "OH",
        "OK",
        "OR",
        "PA",
        "RI",
        "SC",
        "SD",
        "TN",
        "TX",
        "UT",
        "VT",
        "VA",
        "WA",
        "WV",
        "WI",
        "WY",
    ],
    str,
]

ConsentKind = Union[Literal["telehealth", "privacy"], str]

ConsentStatus = Union[Literal["current", "superseded"], str]

ExportStatus = Union[Literal["pending", "completed", "failed"], str]

CaseStatus = Union[
    Literal[
        "received",
        "queued",
        "in_review",
        "waiting_on_patient",
        "waiting_on_integration",
        "approved",
        "declined",
        "cancelled",
        "withdrawn",
    ],
    str,
]

AnswerType = Union[Literal["string", "number", "boolean", "date"], str]

QuestionTarget = Union[Literal["patient", "integration"], str]

FileMime = Union[Literal["application/pdf", "image/jpeg", "image/png", "image/heic"], str]

FileStatus = Union[Literal["reserved", "attached"], str]

PrescriptionStatus = Union[Literal["active", "filled", "cancelled", "expired"], str]

OrderStatus = Union[
    Literal["created", "at_pharmacy", "shipped", "delivered", "blocked", "failed"], str
]

TrackingCarrier = Union[Literal["usps", "ups", "fedex", "dhl", "other"], str]

EventType = Union[
    Literal[
        "patient.created.v1",
        "patient.updated.v1",
        "patient.deleted.v1",
        "case.received.v1",
        "case.queued.v1",
        "case.in_review.v1",
        "case.waiting_on_patient.v1",
        "case.waiting_on_integration.v1",
        "case.approved.v1",
        "case.declined.v1",
        "case.cancelled.v1",
        "case.withdrawn.v1",
        "case.question_asked.v1",
        "case.message_created.v1",
        "prescription.created.v1",
        "prescription.updated.v1",
        "order.created.v1",
        "order.at_pharmacy.v1",
        "order.shipped.v1",
        "order.delivered.v1",
        "order.blocked.v1",
        "order.failed.v1",
        "visit.booked.v1",
        "visit.rescheduled.v1",
        "visit.cancelled.v1",
        "visit.started.v1",
        "visit.completed.v1",
        "visit.no_show.v1",
        "consent.recorded.v1",
        "file.attached.v1",
        "charge.created.v1",
        "webhook_endpoint.disabled.v1",
    ],
    str,
]

MessageKind = Union[Literal["message", "question", "answer"], str]

MessageAuthor = Union[Literal["patient", "integration", "clinician"], str]

MessageCreateAuthor = Union[Literal["integration", "patient"], str]

VisitStatus = Union[Literal["scheduled", "started", "completed", "cancelled", "no_show"], str]

InvoiceStatus = Union[Literal["open", "paid", "void", "uncollectible"], str]

ChargeStatus = Union[Literal["pending", "invoiced"], str]

DeliveryStatus = Union[Literal["pending", "delivered", "failed"], str]

DeliveryFailure = Union[
    Literal[
        "timeout",
        "dns_failure",
        "connection_failed",
        "tls_failure",
        "blocked_address",
        "endpoint_disabled",
        "endpoint_deleted",
        "not_granted",
    ],
    str,
]

WebhookEndpointEventType = Union[
    Literal[
        "patient.created.v1",
        "patient.updated.v1",
        "patient.deleted.v1",
        "case.received.v1",
        "case.queued.v1",
        "case.in_review.v1",
        "case.waiting_on_patient.v1",
        "case.waiting_on_integration.v1",
        "case.approved.v1",
        "case.declined.v1",
        "case.cancelled.v1",
        "case.withdrawn.v1",
        "case.question_asked.v1",
        "case.message_created.v1",
        "prescription.created.v1",
        "prescription.updated.v1",
        "order.created.v1",
        "order.at_pharmacy.v1",
        "order.shipped.v1",
        "order.delivered.v1",
        "order.blocked.v1",
        "order.failed.v1",
        "visit.booked.v1",
        "visit.rescheduled.v1",
        "visit.cancelled.v1",
        "visit.started.v1",
        "visit.completed.v1",
        "visit.no_show.v1",
        "consent.recorded.v1",
        "file.attached.v1",
        "charge.created.v1",
        "webhook_endpoint.disabled.v1",
        "*",
    ],
    str,
]

WebhookEndpointStatus = Union[Literal["enabled", "disabled"], str]

Decision = Union[Literal["approve", "decline", "needs_info"], str]

ProblemCode = Union[
    Literal[
        "invalid_request",
        "idempotency_key_required",
        "organization_required",
        "unauthorized",
        "forbidden",
        "insufficient_scope",
        "organization_not_granted",
        "baa_required",
        "not_found",
        "method_not_allowed",
        "invalid_transition",
        "idempotency_in_progress",
        "slot_unavailable",
        "join_not_open",
        "export_not_ready",
        "upload_missing",
        "endpoint_disabled",
        "endpoint_limit_reached",
        "gone",
        "payload_too_large",
        "unsupported_media_type",
        "consent_required",
        "idempotency_key_reused",
        "rate_limited",
        "internal_error",
        "live_not_available",
        "service_unavailable",
    ],
    str,
]

FieldErrorCode = Union[
    Literal[
        "required",
        "unknown_field",
        "wrong_type",
        "invalid_format",
        "invalid_json",
        "not_in_enum",
        "too_short",
        "too_long",
        "too_small",
        "too_large",
        "too_few",
        "too_many",
        "not_unique",
        "unknown_reference",
        "mismatch",
        "not_allowed",
        "not_allowed_in_live",
        "invalid_cursor",
        "unsafe_url",
    ],
    str,
]
