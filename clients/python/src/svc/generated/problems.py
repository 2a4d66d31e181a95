# Generated from the contract by clients/generate/generate.ts; do not edit.
"""One error for each code of the API."""

from __future__ import annotations

from datetime import datetime
from typing import Dict, List, Optional, Type

from .._errors import APIError
from .results import ProblemOrder, ProblemOrganization, ProblemResource
from .words import Scope

__all__ = [
    "InvalidRequestError",
    "IdempotencyKeyRequiredError",
    "OrganizationRequiredError",
    "UnauthorizedError",
    "ForbiddenError",
    "InsufficientScopeError",
    "OrganizationNotGrantedError",
    "BaaRequiredError",
    "NotFoundError",
    "MethodNotAllowedError",
    "InvalidTransitionError",
    "IdempotencyInProgressError",
    "SlotUnavailableError",
    "JoinNotOpenError",
    "ExportNotReadyError",
    "UploadMissingError",
    "EndpointDisabledError",
    "EndpointLimitReachedError",
    "GoneError",
    "PayloadTooLargeError",
    "UnsupportedMediaTypeError",
    "ConsentRequiredError",
    "IdempotencyKeyReusedError",
    "RateLimitedError",
    "InternalError",
    "LiveNotAvailableError",
    "ServiceUnavailableError",
]


class InvalidRequestError(APIError):
    """The request is not valid (400). Fix each entry of errors and send the request again."""


class IdempotencyKeyRequiredError(APIError):
    """An Idempotency-Key header is required (400). Send an Idempotency-Key of 1 to 255
    printable ASCII characters, such as a UUID, and the same one when you retry.
    """


class OrganizationRequiredError(APIError):
    """An organization must be named (400). Send one of the ids in organizations in the
    Service-Organization header.
    """

    organizations: Optional[List[ProblemOrganization]] = None
    """Those that granted access."""


class UnauthorizedError(APIError):
    """The credential is missing or not valid (401). Send Authorization: Bearer followed by an
    API key or an access token. One in the URL or the body is ignored. WWW-Authenticate leads
    to the server that gives tokens.
    """


class ForbiddenError(APIError):
    """This credential cannot call this operation (403). Use a credential of test mode for
    operations of the sandbox, and one of live mode for live data.
    """


class InsufficientScopeError(APIError):
    """A scope is missing (403). Use a key or an access token that has required_scope. If yours
    has it, the grant of the clinic lacks it, or the role of the member whom the token acts
    for. GET /v1/organization lists the scopes you have.
    """

    required_scope: Optional[Scope] = None
    granted_scopes: Optional[List[Scope]] = None
    """The scopes you have."""


class OrganizationNotGrantedError(APIError):
    """The organization is not granted (403). Name an organization that has granted this
    integration access, or omit Service-Organization when only one has.
    """


class BaaRequiredError(APIError):
    """A business associate agreement is required (403). Live calls work once an owner of the
    integration has accepted the agreement in the portal, on the page Go live. Test mode
    needs none.
    """


class NotFoundError(APIError):
    """Not found (404). Check the id and the path. The contract is at /openapi/v1.json. A
    credential of test mode cannot see live data, nor one of live mode test data.
    """


class MethodNotAllowedError(APIError):
    """The method is not allowed here (405). Use one of the methods in the Allow header."""


class InvalidTransitionError(APIError):
    """The current status does not allow this operation (409). Read the resource again, and act
    on its current status.
    """

    resource: Optional[ProblemResource] = None
    """What cannot move."""
    current_status: Optional[str] = None
    allowed_from: Optional[List[str]] = None
    """The statuses that allow the operation."""
    orders: Optional[List[ProblemOrder]] = None


class IdempotencyInProgressError(APIError):
    """The first request is still running (409). Wait for Retry-After seconds, then send the
    same request with the same key.
    """


class SlotUnavailableError(APIError):
    """The slot is not available (409). Choose another start from GET /v1/visits/slots."""

    starts_at: Optional[datetime] = None


class JoinNotOpenError(APIError):
    """The visit cannot be joined now (409). Call again between opens_at and closes_at: GET
    /v1/visits/{id}/join.
    """

    opens_at: Optional[datetime] = None
    closes_at: Optional[datetime] = None


class ExportNotReadyError(APIError):
    """The export is not ready (409). Poll GET /v1/exports/{id} until its status is completed."""

    current_status: Optional[str] = None


class UploadMissingError(APIError):
    """Nothing was uploaded (409). PUT the bytes to upload_url with every entry of
    upload_headers, then confirm the file again.
    """


class EndpointDisabledError(APIError):
    """The endpoint is disabled (409). Enable the endpoint first: PATCH
    /v1/webhook_endpoints/{id} with status enabled.
    """


class EndpointLimitReachedError(APIError):
    """Too many webhook endpoints (409). Delete an endpoint that you no longer use: DELETE
    /v1/webhook_endpoints/{id}.
    """

    limit: Optional[int] = None


class GoneError(APIError):
    """The download has expired (410). Create a new export: POST /v1/patients/{id}/exports."""

    expires_at: Optional[datetime] = None
    """When the download ended."""


class PayloadTooLargeError(APIError):
    """The body is too large (413). Send at most limit_bytes."""

    limit_bytes: Optional[int] = None


class UnsupportedMediaTypeError(APIError):
    """The body must be JSON (415). Send Content-Type: application/json, and no
    Content-Encoding.
    """


class ConsentRequiredError(APIError):
    """Both consents are required (422). Record what is missing with POST
    /v1/patients/{id}/consents and send its id in consent_ids.
    """

    missing: Optional[List[str]] = None
    """The kinds to record."""


class IdempotencyKeyReusedError(APIError):
    """The Idempotency-Key was used for another request (422). Use a new key for a new request.
    A key belongs to one method, path, query and body.
    """


class RateLimitedError(APIError):
    """Too many requests (429). Wait for Retry-After seconds, then send the request again."""


class InternalError(APIError):
    """Something failed on our side (500). Send the request again, and report request_id to the
    operator if it fails again.
    """


class LiveNotAvailableError(APIError):
    """Not available in live mode (501). Ask the clinic: only the clinic can do it."""


class ServiceUnavailableError(APIError):
    """Temporarily unavailable (503). Send the same request again after Retry-After seconds."""


PROBLEMS: Dict[str, Type[APIError]] = {
    "invalid_request": InvalidRequestError,
    "idempotency_key_required": IdempotencyKeyRequiredError,
    "organization_required": OrganizationRequiredError,
    "unauthorized": UnauthorizedError,
    "forbidden": ForbiddenError,
    "insufficient_scope": InsufficientScopeError,
    "organization_not_granted": OrganizationNotGrantedError,
    "baa_required": BaaRequiredError,
    "not_found": NotFoundError,
    "method_not_allowed": MethodNotAllowedError,
    "invalid_transition": InvalidTransitionError,
    "idempotency_in_progress": IdempotencyInProgressError,
    "slot_unavailable": SlotUnavailableError,
    "join_not_open": JoinNotOpenError,
    "export_not_ready": ExportNotReadyError,
    "upload_missing": UploadMissingError,
    "endpoint_disabled": EndpointDisabledError,
    "endpoint_limit_reached": EndpointLimitReachedError,
    "gone": GoneError,
    "payload_too_large": PayloadTooLargeError,
    "unsupported_media_type": UnsupportedMediaTypeError,
    "consent_required": ConsentRequiredError,
    "idempotency_key_reused": IdempotencyKeyReusedError,
    "rate_limited": RateLimitedError,
    "internal_error": InternalError,
    "live_not_available": LiveNotAvailableError,
    "service_unavailable": ServiceUnavailableError,
}
