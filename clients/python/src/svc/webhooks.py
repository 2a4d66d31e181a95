"""Webhooks: whether a delivery is from the API, what it says, and deliveries for your own tests."""

from __future__ import annotations

import json
import re
import time
from typing import (
    Any,
    Dict,
    Iterable,
    List,
    Mapping,
    NamedTuple,
    NoReturn,
    Optional,
    Protocol,
    Sequence,
    Tuple,
    Union,
)

from ._errors import SignatureVerificationError
from ._settings import environment
from .generated.contract import (
    SIGNATURE_TOLERANCE_SECONDS,
    SLUG,
    WEBHOOK_DELIVERY_HEADER,
    WEBHOOK_EVENT_HEADER,
    WEBHOOK_SIGNATURE_HEADER,
    WEBHOOK_TYPE_HEADER,
)
from .generated.results import Event

__all__ = [
    "SignatureVerificationError",
    "SignedWebhook",
    "Webhooks",
    "sign_webhook",
    "unwrap",
    "verifySignature",
    "verify_signature",
]

Body = Union[str, bytes, bytearray]
Secrets = Union[str, Sequence[str]]


class HasItems(Protocol):
    """A mapping, or what a framework has in its place."""

    def items(self) -> Iterable[Tuple[Any, Any]]: ...


Headers = Union[str, HasItems, Iterable[Tuple[Any, Any]]]

_TIME = re.compile(r"\d{1,12}")
_FRAMEWORKS = (
    "Flask: request.get_data(). Django: request.body. FastAPI and Starlette: await request.body(). "
    "AWS Lambda: event['body'], decoded when isBase64Encoded is set."
)


class SignedWebhook(NamedTuple):
    """A delivery as the API would send it."""

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
    """Returns when the delivery is from the API; otherwise raises `SignatureVerificationError`.

    Args:
        raw_body: The body as it was received, before anything parsed it.
        headers: Of the request, in any case, or the value of Service-Signature.
        secret: Of the endpoint; several while a secret is being replaced.
        tolerance_seconds: How far the time of the signature may be from `now`.
    """
    if not isinstance(raw_body, (str, bytes, bytearray)):
        _refuse(
            "body_parsed",
            f"raw_body is {type(raw_body).__name__}: the body was parsed before it was verified. "
            f"{_FRAMEWORKS}",
        )
    body = raw_body.encode() if isinstance(raw_body, str) else bytes(raw_body)
    secrets = _checked_secrets(secret)
    seconds, digests = _parts_of(_header_of(headers))
    expected = [_digest(one, seconds, body) for one in secrets]
    # Every pair is compared, so that the time taken does not say which one matched.
    matches = [_equal(given, own) for given in digests for own in expected]
    if not any(matches):
        _refuse("no_match", _diagnosis(secrets, seconds, digests, body))
    age = (time.time() if now is None else now) - int(seconds)
    if age > tolerance_seconds:
        _refuse(
            "timestamp_too_old",
            f"the signature is {age:.0f} s old; {tolerance_seconds:g} s are allowed. Verify when "
            "the delivery arrives, not later from a queue, and check the clock of this machine.",
        )
    if age < -tolerance_seconds:
        _refuse(
            "timestamp_in_future",
            f"the signature is {-age:.0f} s ahead of the clock of this machine. Set the clock.",
        )


#: The name that all clients share.
verifySignature = verify_signature


def unwrap(
    raw_body: Body,
    headers: Headers,
    secret: Secrets,
    *,
    tolerance_seconds: float = SIGNATURE_TOLERANCE_SECONDS,
    now: Optional[float] = None,
) -> Event:
    """The event of a delivery, after its signature was verified."""
    verify_signature(raw_body, headers, secret, tolerance_seconds=tolerance_seconds, now=now)
    return Event.from_dict(json.loads(raw_body))


def sign_webhook(
    event: Union[Event, Mapping[str, Any]],
    secret: str,
    *,
    timestamp: Optional[int] = None,
    previous_secret: Optional[str] = None,
    delivery_id: str = "dlv_00000000000000000000000000",
) -> SignedWebhook:
    """The headers and body of a delivery, for tests of your receiver."""
    members = event.to_dict() if isinstance(event, Event) else dict(event)
    body = json.dumps(members, separators=(",", ":"), ensure_ascii=False).encode()
    seconds = str(int(time.time()) if timestamp is None else timestamp)
    secrets = [secret] if previous_secret is None else [secret, previous_secret]
    signature = ",".join(
        [f"t={seconds}", *(f"v1={_digest(one, seconds, body)}" for one in secrets)]
    )
    headers = {
        "Content-Type": "application/json",
        WEBHOOK_SIGNATURE_HEADER: signature,
        WEBHOOK_EVENT_HEADER: str(members.get("id", "")),
        WEBHOOK_TYPE_HEADER: str(members.get("type", "")),
        WEBHOOK_DELIVERY_HEADER: delivery_id,
    }
    return SignedWebhook(headers, body)


class Webhooks:
    """`webhooks` of a client: the functions of this module with the secret of the client."""

    def __init__(self, secret: Optional[Secrets]) -> None:
        self._secret = secret

    def _chosen(self, secret: Optional[Secrets]) -> Secrets:
        found = secret or self._secret or environment("WEBHOOK_SECRET")
        if not found:
            raise TypeError(
                "There is no secret: pass it, or webhook_secret, or set SVC_WEBHOOK_SECRET."
            )
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


def _refuse(reason: str, message: str) -> NoReturn:
    raise SignatureVerificationError(reason, message)


def _checked_secrets(secret: Secrets) -> List[str]:
    secrets = [secret] if isinstance(secret, str) else list(secret)
    if not secrets or not all(secrets):
        raise TypeError("secret must be the signing secret of the endpoint: it is empty.")
    if any(one.startswith(f"{SLUG}_") for one in secrets):
        _refuse(
            "wrong_secret_kind",
            "the secret is an API key or a token. Pass the secret of the endpoint, which begins "
            "with whsec_ and was shown when the endpoint was made.",
        )
    return secrets


def _header_of(headers: Headers) -> str:
    if isinstance(headers, str):
        return headers
    wanted = WEBHOOK_SIGNATURE_HEADER.lower()
    pairs: Any = getattr(headers, "items", lambda: headers)()
    for name, value in pairs:
        # WSGI calls it HTTP_SERVICE_SIGNATURE, and ASGI has bytes.
        if _text(name).lower().replace("_", "-").replace("http-", "", 1) == wanted:
            return _text(value[0] if isinstance(value, (list, tuple)) else value)
    _refuse("missing_header", f"the request has no {WEBHOOK_SIGNATURE_HEADER} header.")


def _text(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _parts_of(header: str) -> Tuple[str, List[str]]:
    pairs = [part.strip().partition("=") for part in header.split(",")]
    times = [value for name, _, value in pairs if name == "t"]
    digests = [value for name, _, value in pairs if name == "v1"]
    if len(times) != 1 or not _TIME.fullmatch(times[0]):
        _refuse("malformed_header", "the signature must have one t with seconds since 1970.")
    if not digests:
        _refuse("malformed_header", "the signature has no v1.")
    return times[0], digests


def _digest(secret: str, seconds: str, body: bytes) -> str:
    import hmac

    return hmac.new(secret.encode(), f"{seconds}.".encode() + body, "sha256").hexdigest()


def _equal(given: str, own: str) -> bool:
    import hmac

    return hmac.compare_digest(given.encode(), own.encode())


def _diagnosis(secrets: List[str], seconds: str, digests: List[str], body: bytes) -> str:
    """What explains the digest, found by trying common mistakes."""

    def explains(secret: str, changed: bytes) -> bool:
        own = _digest(secret, seconds, changed)
        return any(_equal(given, own) for given in digests)

    for secret in secrets:
        if explains(secret.strip(), body):
            return "the secret has white space around it. Strip it where you read it."
        if explains(secret, body.rstrip(b"\r\n")):
            return (
                "the body has a line break at its end that was not sent. Pass the bytes received."
            )
        compact = _written_again(body)
        if compact is not None and explains(secret, compact):
            return f"the body was parsed and written again. Pass the bytes received. {_FRAMEWORKS}"
    return (
        "no signature matches the body. Either the secret is of another endpoint or mode, or the "
        f"body was changed before it was verified. {_FRAMEWORKS}"
    )


def _written_again(body: bytes) -> Optional[bytes]:
    try:
        return json.dumps(json.loads(body), separators=(",", ":"), ensure_ascii=False).encode()
    except ValueError:
        return None
