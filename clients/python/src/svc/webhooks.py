"""Verifies webhook deliveries, reads their events, and creates deliveries for tests."""

from __future__ import annotations

import json
import time
from typing import (
    Any,
    Dict,
    Mapping,
    NamedTuple,
    Optional,
    Union,
)

from ._errors import SignatureVerificationError
from ._model import read_value
from ._settings import environment
from ._signature import (
    FRAMEWORKS,
    Body,
    Headers,
    Secrets,
    bytes_of,
    checked_secrets,
    diagnosis,
    digest,
    equal,
    header_of,
    parts_of,
    refuse,
)
from .generated.contract import (
    SIGNATURE_TOLERANCE_SECONDS,
    WEBHOOK_DELIVERY_HEADER,
    WEBHOOK_EVENT_HEADER,
    WEBHOOK_SIGNATURE_HEADER,
    WEBHOOK_TYPE_HEADER,
)
from .generated.results import BaseEvent, Event

__all__ = [
    "SignatureVerificationError",
    "SignedWebhook",
    "Webhooks",
    "read_event",
    "sign_webhook",
    "unwrap",
    "verifySignature",
    "verify_signature",
]


class SignedWebhook(NamedTuple):
    """A signed delivery, as the API would send it."""

    headers: Dict[str, str]
    body: bytes


def verify_signature(
    raw_body: Body,
    headers: Headers,
    secret: Secrets,
    *,
    tolerance_seconds: float = SIGNATURE_TOLERANCE_SECONDS,
    now: Optional[float] = None,
) -> None:
    """Verifies that the API sent this body recently. Otherwise raises `SignatureVerificationError`.

    Args:
        raw_body: The body exactly as received, before anything parses it.
        headers: The request's headers, with names in any case, or only the Service-Signature value.
        secret: The endpoint's secret; a list during a rotation.
        tolerance_seconds: Maximum seconds between the signature's timestamp and `now`.
        now: Seconds since 1970. Default: this machine's clock.
    """
    for name, value in (("tolerance_seconds", tolerance_seconds), ("now", now)):
        if value is not None and not value >= 0:
            raise TypeError(f"{name} must be a number of seconds.")
    if not isinstance(raw_body, (str, bytes, bytearray)):
        refuse(
            "body_parsed",
            f"raw_body is {type(raw_body).__name__}: the body was parsed before it was verified. "
            f"{FRAMEWORKS}",
        )
    body = bytes_of(raw_body)
    secrets = checked_secrets(secret)
    seconds, digests = parts_of(header_of(headers))
    expected = [digest(one, seconds, body) for one in secrets]
    # Compares every pair, so timing doesn't reveal which one matched.
    matches = [equal(given, own) for given in digests for own in expected]
    if not any(matches):
        refuse("no_match", diagnosis(secrets, seconds, digests, body))
    age = (time.time() if now is None else now) - int(seconds)
    if age > tolerance_seconds:
        refuse(
            "timestamp_too_old",
            f"the signature is {age:.0f} s old; {tolerance_seconds:g} s are allowed. Verify when "
            "the delivery arrives, not later from a queue, and check this machine's clock.",
        )
    if -age > tolerance_seconds:
        refuse(
            "timestamp_in_future",
            f"the signature is {-age:.0f} s ahead of this machine's clock. Set the clock.",
        )


#: This function's name in every client library.
verifySignature = verify_signature


def unwrap(
    raw_body: Body,
    headers: Headers,
    secret: Secrets,
    *,
    tolerance_seconds: float = SIGNATURE_TOLERANCE_SECONDS,
    now: Optional[float] = None,
) -> Event:
    """Verifies a delivery and returns its event. Check `event.type` to narrow `event.data`.

    Flask: `unwrap(request.get_data(), request.headers, secret)`. Django: `unwrap(request.body,
    request.headers, secret)`. FastAPI and Starlette: `unwrap(await request.body(),
    request.headers, secret)`. AWS Lambda: `unwrap(event["body"], event["headers"], secret)`, with
    the body decoded if isBase64Encoded is set.

    Raises:
        SignatureVerificationError: A check failed; `reason` says which one.
    """
    verify_signature(raw_body, headers, secret, tolerance_seconds=tolerance_seconds, now=now)
    return read_event(json.loads(bytes_of(raw_body)))


def read_event(members: Mapping[str, Any]) -> Event:
    """Creates an event from its JSON, such as the body of a delivery you verified earlier."""
    event: Event = read_value(Event, members)
    return event


def sign_webhook(
    event: Union[BaseEvent, Mapping[str, Any]],
    secret: str,
    *,
    timestamp: Optional[int] = None,
    previous_secret: Optional[str] = None,
    delivery_id: str = "dlv_00000000000000000000000000",
) -> SignedWebhook:
    """Creates a signed delivery, for testing your receiver."""
    members = event.to_dict() if isinstance(event, BaseEvent) else dict(event)
    body = json.dumps(members, separators=(",", ":"), ensure_ascii=False).encode()
    seconds = str(int(time.time()) if timestamp is None else timestamp)
    secrets = [secret] if previous_secret is None else [secret, previous_secret]
    signature = ",".join([f"t={seconds}", *(f"v1={digest(one, seconds, body)}" for one in secrets)])
    headers = {
        "Content-Type": "application/json",
        WEBHOOK_SIGNATURE_HEADER: signature,
        WEBHOOK_EVENT_HEADER: str(members.get("id", "")),
        WEBHOOK_TYPE_HEADER: str(members.get("type", "")),
        WEBHOOK_DELIVERY_HEADER: delivery_id,
    }
    return SignedWebhook(headers, body)


class Webhooks:
    """A client's `webhooks`: this module's functions with the client's secret."""

    def __init__(self, secret: Optional[Secrets]) -> None:
        self._secret = secret

    def _chosen(self, secret: Optional[Secrets]) -> Secrets:
        found = secret or self._secret or environment("WEBHOOK_SECRET")
        if not found:
            raise TypeError("No secret: pass it, or webhook_secret, or set SVC_WEBHOOK_SECRET.")
        return found

    def verify_signature(
        self,
        raw_body: Body,
        headers: Headers,
        secret: Optional[Secrets] = None,
        *,
        tolerance_seconds: float = SIGNATURE_TOLERANCE_SECONDS,
        now: Optional[float] = None,
    ) -> None:
        """See `svc.webhooks.verify_signature`."""
        chosen = self._chosen(secret)
        verify_signature(raw_body, headers, chosen, tolerance_seconds=tolerance_seconds, now=now)

    verifySignature = verify_signature

    def unwrap(
        self,
        raw_body: Body,
        headers: Headers,
        secret: Optional[Secrets] = None,
        *,
        tolerance_seconds: float = SIGNATURE_TOLERANCE_SECONDS,
        now: Optional[float] = None,
    ) -> Event:
        """See `svc.webhooks.unwrap`."""
        chosen = self._chosen(secret)
        return unwrap(raw_body, headers, chosen, tolerance_seconds=tolerance_seconds, now=now)
