"""Converts Python values for requests, and timestamps and dates in responses."""

from __future__ import annotations

import re
from datetime import date, datetime, timezone
from typing import Any, Union

_MOMENT = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?Z")
_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)")


def read_moment(text: Any) -> Any:
    """Parses a response's timestamp into an aware datetime. Returns anything else unchanged."""
    found = _MOMENT.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        return text
    year, month, day, hour, minute, second, fraction = found.groups()
    microsecond = int((fraction or "0").ljust(6, "0"))
    return datetime(
        int(year),
        int(month),
        int(day),
        int(hour),
        int(minute),
        int(second),
        microsecond,
        timezone.utc,
    )


def read_day(text: Any) -> Any:
    """Parses a response's date. Returns anything else unchanged."""
    found = _DAY.fullmatch(text) if isinstance(text, str) else None
    return text if found is None else date(*(int(part) for part in found.groups()))


def write_moment(value: datetime) -> str:
    """Formats a time as the API does: `YYYY-MM-DDTHH:MM:SS.sssZ`."""
    if value.tzinfo is None:
        raise ValueError(
            "A time must have a time zone: use datetime.now(timezone.utc), not datetime.now()."
        )
    moment = value.astimezone(timezone.utc)
    spec = "microseconds" if moment.microsecond % 1000 else "milliseconds"
    return moment.isoformat(timespec=spec).replace("+00:00", "Z")


def to_json(value: Any) -> Any:
    """Converts a parameter or result to a value that `json.dumps` accepts."""
    if isinstance(value, datetime):
        return write_moment(value)
    if isinstance(value, date):
        return value.isoformat()
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, dict):
        return {name: to_json(item) for name, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [to_json(item) for item in value]
    return value


def to_query(value: Union[str, int, bool, date]) -> str:
    """Converts a parameter to query string text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(to_json(value))
