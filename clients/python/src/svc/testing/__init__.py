"""Helpers for testing programs that use this package: sample results and an in-memory sandbox."""

from __future__ import annotations

from typing import Callable, List, Tuple, TypeVar

from .._async_client import AsyncClient
from .._client import Client
from ..generated.contract import SLUG
from ..generated.results import Event
from . import fixtures
from ._transport import AsyncSandboxTransport, SandboxTransport

__all__ = [
    "AsyncSandboxTransport",
    "SandboxTransport",
    "fixtures",
    "mock_async_client",
    "mock_client",
    "record_events",
]

T = TypeVar("T")


def mock_client() -> Client:
    """Creates a client for a new in-memory sandbox, which needs no network or key.

    The sandbox supports patients, consents, cases, messages, prescriptions, orders, visits, files,
    webhook endpoints and events, including the API's errors. It doesn't deliver webhooks.
    """
    return Client(
        api_key=f"{SLUG}_sk_test_memory",
        base_url="http://localhost",
        transport=SandboxTransport(),
        max_retries=0,
    )


def mock_async_client() -> AsyncClient:
    """Like `mock_client`, for asyncio."""
    return AsyncClient(
        api_key=f"{SLUG}_sk_test_memory",
        base_url="http://localhost",
        transport=AsyncSandboxTransport(),
        max_retries=0,
    )


def record_events(svc: Client, action: Callable[[], T]) -> Tuple[T, List[Event]]:
    """Runs `action`. Returns its result and the events written during it, in order."""
    last = [event.id for event in svc.events.list()][-1:]
    result = action()
    return result, list(svc.events.list(starting_after=last[0] if last else None))
