"""Decides whether to retry a call, and after what pause."""

from __future__ import annotations

import time
from typing import Mapping, Optional

from .generated.contract import (
    PAUSE_FIRST_SECONDS,
    PAUSE_LONGEST_SECONDS,
    RETRIED_CODES,
    RETRIED_STATUSES,
)


def may_retry(status: int, code: str) -> bool:
    return status in RETRIED_STATUSES or code in RETRIED_CODES


def pause(attempt: int) -> float:
    """Seconds before the next attempt: random, up to a limit that doubles with every attempt."""
    import random

    return random.uniform(0, min(PAUSE_LONGEST_SECONDS, PAUSE_FIRST_SECONDS * 2 ** (attempt - 1)))


def retry_after(headers: Mapping[str, str]) -> Optional[float]:
    """Seconds to wait according to Retry-After: a number, or a date by the server's clock."""
    value = headers.get("retry-after")
    if value is None:
        return None
    if value.isdigit():
        return float(value)
    from email.utils import parsedate_to_datetime

    date = headers.get("date")
    try:
        now = parsedate_to_datetime(date).timestamp() if date else time.time()
        return max(0.0, parsedate_to_datetime(value).timestamp() - now)
    except (TypeError, ValueError):
        return None
