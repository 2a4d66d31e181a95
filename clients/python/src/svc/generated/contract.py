# Generated from the contract by clients/generate/generate.ts; do not edit.
"""What the contract and all clients have in common."""

SLUG = "svc"
ENVIRONMENT_PREFIX = "SVC"
DEFAULT_BASE_URL = "https://api.example.com"
API_VERSION = "2026-11-20"
PAGE_MAX = 100
TOKEN_PATH = "/api/auth/oauth2/token"
RESOURCE_METADATA_PATH = "/.well-known/oauth-protected-resource"
PAUSE_FIRST_SECONDS = 0.5
PAUSE_LONGEST_SECONDS = 8
MAX_RETRIES = 2
TIMEOUT_SECONDS = 30
UPLOAD_TIMEOUT_SECONDS = 120
RETRY_AFTER_SECONDS_MAX = 60
RETRIED_STATUSES = [408, 429, 500, 502, 503, 504]
RETRIED_CODES = ["idempotency_in_progress"]
TOKEN_RENEWAL_SECONDS = 60
SIGNATURE_TOLERANCE_SECONDS = 300
WEBHOOK_SIGNATURE_HEADER = "Service-Signature"
WEBHOOK_EVENT_HEADER = "Service-Event-Id"
WEBHOOK_TYPE_HEADER = "Service-Event-Type"
WEBHOOK_DELIVERY_HEADER = "Service-Delivery-Id"
EVENT_RESOURCES = {
    "patient.created.v1": "patient",
    "patient.updated.v1": "patient",
    "patient.deleted.v1": "patient",
    "case.received.v1": "case",
    "case.queued.v1": "case",
    "case.in_review.v1": "case",
    "case.waiting_on_patient.v1": "case",
    "case.waiting_on_integration.v1": "case",
    "case.approved.v1": "case",
    "case.declined.v1": "case",
    "case.cancelled.v1": "case",
    "case.withdrawn.v1": "case",
    "case.question_asked.v1": "case",
    "case.message_created.v1": "case",
    "prescription.created.v1": "prescription",
    "prescription.updated.v1": "prescription",
    "order.created.v1": "order",
    "order.at_pharmacy.v1": "order",
    "order.shipped.v1": "order",
    "order.delivered.v1": "order",
    "order.blocked.v1": "order",
    "order.failed.v1": "order",
    "visit.booked.v1": "visit",
    "visit.rescheduled.v1": "visit",
    "visit.cancelled.v1": "visit",
    "visit.started.v1": "visit",
    "visit.completed.v1": "visit",
    "visit.no_show.v1": "visit",
    "consent.recorded.v1": "consent",
    "file.attached.v1": "file",
    "charge.created.v1": "charge",
    "webhook_endpoint.disabled.v1": "webhook_endpoint",
}
