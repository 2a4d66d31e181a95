"""Reads and computes webhook signatures, and explains mismatches."""

from __future__ import annotations

import json
import re
from typing import (
    Any,
    Iterable,
    List,
    NoReturn,
    Optional,
    Protocol,
    Sequence,
    Set,
    Tuple,
    Union,
)

from ._errors import SignatureVerificationError
from .generated.contract import SLUG, WEBHOOK_SIGNATURE_HEADER

Body = Union[str, bytes, bytearray]
Secrets = Union[str, Sequence[str]]


class HasItems(Protocol):
    """A mapping, or a framework's own header type."""

    def items(self) -> Iterable[Tuple[Any, Any]]: ...


Headers = Union[str, HasItems, Iterable[Tuple[Any, Any]]]

_TIME = re.compile(r"\d{1,12}")
FRAMEWORKS = (
    "Flask: request.get_data(). Django: request.body. FastAPI and Starlette: await request.body(). "
    "AWS Lambda: event['body'], decoded when isBase64Encoded is set."
)


def refuse(reason: str, message: str) -> NoReturn:
    raise SignatureVerificationError(reason, message)


def checked_secrets(secret: Secrets) -> List[str]:
    secrets = [secret] if isinstance(secret, str) else list(secret)
    if not secrets or not all(secrets):
        raise TypeError("secret must be the signing secret of the endpoint: it is empty.")
    if any(one.startswith(f"{SLUG}_") for one in secrets):
        refuse(
            "wrong_secret_kind",
            "the secret is an API key or a token. Pass the endpoint's secret, which starts with "
            "whsec_ and was shown when you created the endpoint.",
        )
    for one in secrets:
        if not one.isascii():
            refuse("wrong_secret_kind", "the secret has characters an endpoint secret can't have.")
    return secrets


def header_of(headers: Headers) -> str:
    if isinstance(headers, str):
        return headers
    wanted = WEBHOOK_SIGNATURE_HEADER.lower()
    pairs: Any = getattr(headers, "items", lambda: headers)()
    found: Set[str] = set()
    for name, value in pairs:
        # WSGI renames the header to HTTP_SERVICE_SIGNATURE, and ASGI passes bytes.
        if _text(name).lower().replace("_", "-").replace("http-", "", 1) == wanted:
            found.update(map(_text, value if isinstance(value, (list, tuple)) else [value]))
    if len(found) > 1:
        refuse("malformed_header", f"the request has several {WEBHOOK_SIGNATURE_HEADER} headers.")
    for value in found:
        return value
    refuse("missing_header", f"the request has no {WEBHOOK_SIGNATURE_HEADER} header.")


def bytes_of(raw_body: Body) -> bytes:
    if not isinstance(raw_body, str):
        return bytes(raw_body)
    try:
        # Restores bytes that a server couldn't decode: it escaped 0xE9 as "\\udce9".
        return raw_body.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        refuse("body_parsed", f"raw_body was decoded with the wrong character set. {FRAMEWORKS}")


def _text(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def parts_of(header: str) -> Tuple[str, List[str]]:
    pairs = [part.strip().partition("=") for part in header.split(",")]
    times = [value for name, _, value in pairs if name == "t"]
    digests = [value for name, _, value in pairs if name == "v1"]
    if len(times) != 1 or not _TIME.fullmatch(times[0]):
        refuse("malformed_header", "the signature must have one t with seconds since 1970.")
    if not digests:
        refuse("malformed_header", "the signature has no v1.")
    return times[0], digests


def digest(secret: str, seconds: str, body: bytes) -> str:
    import hmac

    return hmac.new(secret.encode(), f"{seconds}.".encode() + body, "sha256").hexdigest()


def equal(given: str, own: str) -> bool:
    import hmac

    return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), own.encode())


def diagnosis(secrets: List[str], seconds: str, digests: List[str], body: bytes) -> str:
    """Explains a mismatch by checking for common mistakes."""

    def explains(secret: str, changed: bytes) -> bool:
        own = digest(secret, seconds, changed)
        return any(equal(given, own) for given in digests)

    for secret in secrets:
        if explains(secret.strip(), body):
            return "the secret has spaces or line breaks around it. Strip them where you read it."
        if explains(secret, body.rstrip(b"\r\n")):
            return "the body has an extra line break at the end. Pass the bytes received."
        if explains(secret, _decoded(body)):
            return "the body is still base64 encoded. Decode it when isBase64Encoded is set."
        compact = _written_again(body)
        if compact is not None and explains(secret, compact):
            return f"the body was parsed and serialized again. {FRAMEWORKS}"
    try:
        json.loads(body)
    except ValueError:
        return f"the body was decoded with the wrong character set, or cut off. {FRAMEWORKS}"
    return (
        "no signature matches this body and secret. Either the secret is another endpoint's or the "
        f"body was changed before it was verified. {FRAMEWORKS}"
    )


def _decoded(body: bytes) -> bytes:
    import base64

    try:
        return base64.b64decode(body)
    except ValueError:
        return body


def _written_again(body: bytes) -> Optional[bytes]:
    try:
        return json.dumps(json.loads(body), separators=(",", ":"), ensure_ascii=False).encode()
    except ValueError:
        return None
