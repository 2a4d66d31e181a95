"""The in-memory sandbox as a client's transport."""

from __future__ import annotations

import json
import re
from typing import Any, Callable, Dict, List, Pattern, Tuple
from urllib.parse import parse_qsl, unquote, urlsplit

from .._errors import SvcError
from .._http import HttpRequest, HttpResponse
from ._endpoints import Sandbox
from ._store import Refusal

# Methods with a JSON body. PUT isn't one: it uploads bytes to storage.
WRITES = ("POST", "PATCH", "DELETE")

Answer = Tuple[int, Any]
Handler = Callable[..., Any]


class SandboxTransport:
    """Each instance has its own sandbox."""

    def __init__(self) -> None:
        self._sandbox = Sandbox()
        self._answers: Dict[str, Tuple[Tuple[str, str, bytes], Answer]] = {}
        self._routes: List[Tuple[str, Pattern[str], int, Handler]] = [
            (method, re.compile(re.sub(r"\{\w+\}", "([^/]+)", path)), status, handler)
            for method, path, status, handler in self._sandbox.routes()
        ]

    def send(self, request: HttpRequest, timeout: float) -> HttpResponse:
        sandbox = self._sandbox
        request_id = sandbox.new_id("req")
        replayed = False
        try:
            (status, body), replayed = self._perform(request)
        except Refusal as refusal:
            status, body = refusal.status, refusal.problem(request_id)
        headers = {"content-type": "application/json", "request-id": request_id}
        if replayed:
            headers["idempotent-replayed"] = "true"
        return HttpResponse(status, headers, json.dumps(body).encode())

    def close(self) -> None:
        pass

    def _perform(self, request: HttpRequest) -> Tuple[Answer, bool]:
        key = request.headers.get("Idempotency-Key")
        asked = (request.method, request.url, request.body or b"")
        if key is None:
            return self._handle(request), False
        if key in self._answers:
            first, answer = self._answers[key]
            if first != asked:
                raise Refusal("idempotency_key_reused")
            return answer, True
        answer = self._handle(request)
        self._answers[key] = (asked, json.loads(json.dumps(answer)))
        return answer, False

    def _handle(self, request: HttpRequest) -> Answer:
        parts = urlsplit(request.url)
        for method, pattern, status, handler in self._routes:
            found = pattern.fullmatch(parts.path)
            if method == request.method and found is not None:
                ids = [unquote(one) for one in found.groups()]
                given: Any = json.loads(request.body or b"{}") if method in WRITES else request.body
                query = dict(parse_qsl(parts.query))
                return status, handler(*ids, query if method == "GET" else given)
        raise SvcError(
            f"The in-memory sandbox doesn't support {request.method} {parts.path}; use a platform "
            "sandbox."
        )


class AsyncSandboxTransport:
    """Like `SandboxTransport`, for `AsyncClient`."""

    def __init__(self) -> None:
        self._transport = SandboxTransport()

    async def send(self, request: HttpRequest, timeout: float) -> HttpResponse:
        return self._transport.send(request, timeout)

    async def close(self) -> None:
        pass
