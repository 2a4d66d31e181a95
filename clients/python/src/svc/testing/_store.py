"""The in-memory sandbox's IDs, times, rows, events and problem responses."""

from __future__ import annotations

import secrets
import time
from datetime import datetime, timezone
from typing import Any, Dict, List, Optional

from .._wire import write_moment
from ..generated.contract import PAGE_MAX
from ..generated.examples import EXAMPLES, PROBLEM_TEXTS, TRANSITIONS

Row = Dict[str, Any]

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
PAGE = 20


class Refusal(Exception):
    """A problem response."""

    def __init__(self, code: str, detail: Optional[str] = None, **members: Any) -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail
        self.members = members
        self.status: int = PROBLEM_TEXTS[code]["status"]

    def problem(self, request_id: str) -> Row:
        texts = PROBLEM_TEXTS[self.code]
        return {
            "type": f"http://localhost/problems/{self.code}",
            "title": texts["title"],
            "status": texts["status"],
            "detail": self.detail or texts["title"],
            "code": self.code,
            "request_id": request_id,
            "hint": texts["hint"],
            **self.members,
        }


def wrong(pointer: str, code: str, message: str) -> Refusal:
    """A problem response about one value."""
    errors = [{"pointer": pointer, "code": code, "message": message}]
    return Refusal("invalid_request", "1 value in the request is not valid.", errors=errors)


def page_of(rows: List[Row], query: Row, cursor: str = "id") -> Row:
    """One page of rows, in ascending ID order."""
    after = query.get("starting_after")
    limit = int(query.get("limit", PAGE))
    if not 1 <= limit <= PAGE_MAX:
        raise wrong("?limit", "out_of_range", f"limit must be 1 to {PAGE_MAX}.")
    rest = [row for row in rows if after is None or row[cursor] > after]
    return {"data": rest[:limit], "has_more": len(rest) > limit}


def id_at(milliseconds: int) -> str:
    """The timestamp part of an ID."""
    return "".join(ALPHABET[(milliseconds >> shift) & 31] for shift in range(45, -1, -5))


class Store:
    """One sandbox's rows. IDs and times increase with every row, as in the API."""

    def __init__(self) -> None:
        self._milliseconds = 0
        # A reset keeps endpoints.
        self.endpoints: Dict[str, Row] = {}
        self.clear()

    def clear(self) -> None:
        self.patients: Dict[str, Row] = {}
        self.consents: Dict[str, Row] = {}
        self.cases: Dict[str, Row] = {}
        self.messages: Dict[str, Row] = {}
        self.prescriptions: Dict[str, Row] = {}
        self.orders: Dict[str, Row] = {}
        self.visits: Dict[str, Row] = {}
        self.files: Dict[str, Row] = {}
        self.event_rows: Dict[str, Row] = {}

    def tick(self) -> int:
        """A time in milliseconds, later than every earlier one."""
        self._milliseconds = max(self._milliseconds + 1, int(time.time() * 1000))
        return self._milliseconds

    def now(self) -> str:
        return write_moment(datetime.fromtimestamp(self.tick() / 1000, timezone.utc))

    def new_id(self, prefix: str) -> str:
        rest = "".join(secrets.choice(ALPHABET) for _ in range(16))
        return f"{prefix}_{id_at(self.tick())}{rest}"

    def emit(self, kind: str, change: str, row: Row, previous: Optional[str]) -> None:
        """Records an event."""
        event_id = self.new_id("evt")
        self.event_rows[event_id] = {
            "id": event_id,
            "type": f"{kind}.{change}.v1",
            "created_at": self.now(),
            "organization": EXAMPLES["Organization"]["id"],
            "mode": "test",
            "resource": {"type": kind, "id": row["id"]},
            "status": row["status"],
            "previous_status": previous,
        }

    def move(self, case: Row, status: str, **members: Any) -> None:
        previous = case["status"]
        case.update(members, status=status, updated_at=self.now())
        self.emit("case", status, case, previous)

    def move_visit(self, visit: Row, status: str, stamp: str) -> Row:
        previous, now = visit["status"], self.now()
        visit.update({"status": status, stamp: now, "updated_at": now})
        self.emit("visit", status, visit, previous)
        return visit

    def find(self, rows: Dict[str, Row], row_id: str) -> Row:
        if row_id not in rows:
            raise Refusal(
                "not_found",
                "No such resource exists for this integration, organization and mode.",
            )
        return rows[row_id]

    def allowed_in(self, rows: Dict[str, Row], noun: str, row_id: str, operation: str) -> Row:
        """Returns the row. Raises if its status doesn't allow the operation."""
        row = self.find(rows, row_id)
        transition = TRANSITIONS[operation]
        if row["status"] not in transition["from"]:
            raise Refusal(
                "invalid_transition",
                f"{transition['says']} The status of this {noun} is {row['status']}.",
                resource={"type": noun, "id": row_id},
                current_status=row["status"],
                allowed_from=sorted(transition["from"]),
            )
        return row

    def named(self, noun: str, row_id: str, patient_id: Optional[str] = None) -> Row:
        """Finds a row that the request body names. Another patient's case counts as unknown."""
        rows = self.patients if noun == "patient" else self.cases
        row = rows.get(row_id)
        if row is None or patient_id not in (None, row.get("patient")):
            whose = "one of your patients" if noun == "patient" else "a case of this patient"
            raise wrong(f"#/{noun}", "unknown_reference", f"{noun} must be the ID of {whose}.")
        return row

    def events(self, query: Row) -> Row:
        since, kind = query.get("since", ""), query.get("type")
        rows = [
            row
            for row in self.event_rows.values()
            if row["created_at"] > since and kind in (None, row["type"])
        ]
        return page_of(rows, query)
