"""The in-memory sandbox's visits.

Its only clinician is available on weekdays, every hour from 17:00 to 22:00 UTC, which is daytime in
every state.
"""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Iterator, List, Optional

from .._wire import read_moment, write_moment
from ..generated.examples import LIMITS
from ..generated.time_zones import TIME_ZONES
from ._cases import CaseSandbox
from ._patients import Route
from ._store import ALPHABET, Refusal, Row, id_at, page_of

HOURS = range(17, 23)
SATURDAY = 5
AHEAD = timedelta(days=LIMITS["bookableDays"])
WINDOW = timedelta(days=LIMITS["slotWindowDays"])
SLOT = timedelta(minutes=LIMITS["slotMinutes"])
JOIN_BEFORE = timedelta(minutes=LIMITS["joinOpensMinutesBefore"])
JOIN_AFTER = timedelta(minutes=LIMITS["joinClosesMinutesAfter"])
LINK = timedelta(minutes=LIMITS["joinLinkMinutes"])


def is_slot(start: datetime) -> bool:
    is_full = start == start.replace(minute=0, second=0, microsecond=0)
    return is_full and start.hour in HOURS and start.weekday() < SATURDAY


class VisitSandbox(CaseSandbox):
    def routes(self) -> List[Route]:
        visit = "/v1/visits/{id}"
        test = "/v1/test/visits/{id}"
        return [
            *super().routes(),
            ("GET", "/v1/visits/slots", 200, self.list_slots),
            ("POST", "/v1/visits", 201, self.book),
            ("GET", visit, 200, lambda one, query: self.find(self.visits, one)),
            ("POST", f"{visit}/cancel", 200, self.cancel_visit),
            ("POST", f"{visit}/reschedule", 200, self.reschedule),
            ("GET", f"{visit}/join", 200, self.join),
            ("POST", f"{test}/start", 200, self.start),
            ("POST", f"{test}/complete", 200, self.complete),
            ("POST", f"{test}/no_show", 200, self.no_show),
        ]

    def time(self) -> datetime:
        return datetime.fromtimestamp(self.tick() / 1000, timezone.utc)

    def is_taken(self, state: str, start: datetime) -> bool:
        text = write_moment(start)
        return any(
            row["state"] == state
            and row["starts_at"] == text
            and row["status"] in ("scheduled", "started")
            for row in self.visits.values()
        )

    def free(self, state: str, start: datetime, end: datetime) -> Iterator[Row]:
        moment = start.replace(minute=0, second=0, microsecond=0)
        half = ALPHABET[list(TIME_ZONES).index(state) % 32] * 16
        while moment < end:
            if moment >= start and is_slot(moment) and not self.is_taken(state, moment):
                yield {
                    "id": f"slot_{id_at(int(moment.timestamp() * 1000))}{half}",
                    "state": state,
                    "time_zone": TIME_ZONES[state],
                    "starts_at": write_moment(moment),
                    "ends_at": write_moment(moment + SLOT),
                }
            moment += timedelta(hours=1)

    def list_slots(self, query: Row) -> Row:
        now = self.time()
        start = max(now, read_moment(query["from"]) if "from" in query else now)
        end = read_moment(query["to"]) if "to" in query else start + WINDOW
        return page_of(list(self.free(query["state"], start, min(end, now + AHEAD))), query)

    def times(self, state: str, text: str) -> Row:
        """The times of a visit that starts at `text`. Raises if no slot is available then."""
        now, start = self.time(), read_moment(text)
        detail: Optional[str] = None
        if start <= now:
            detail = "The start is in the past."
        elif start > now + AHEAD:
            detail = f"The start is more than {AHEAD.days} days ahead."
        elif not is_slot(start):
            detail = "This state has no slot at that time."
        elif self.is_taken(state, start):
            detail = "The slot is already taken."
        if detail is not None:
            raise Refusal("slot_unavailable", detail, starts_at=text)
        return {
            "starts_at": write_moment(start),
            "ends_at": write_moment(start + SLOT),
            "join_opens_at": write_moment(start - JOIN_BEFORE),
        }

    def book(self, body: Row) -> Row:
        patient = self.named("patient", body["patient"])
        if body.get("case") is not None:
            self.named("case", body["case"], body["patient"])
        state = patient["address"]["state"]
        times = self.times(state, body["starts_at"])
        now = self.now()
        visit: Row = {
            "id": self.new_id("vis"),
            "patient": body["patient"],
            "case": body.get("case"),
            "status": "scheduled",
            "state": state,
            "time_zone": TIME_ZONES[state],
            **times,
            "clinician_name": "Sandbox Clinician, MD",
            "started_at": None,
            "ended_at": None,
            "created_at": now,
            "updated_at": now,
        }
        self.visits[visit["id"]] = visit
        self.emit("visit", "booked", visit, None)
        return visit

    def allowed_visit(self, visit_id: str, operation: str) -> Row:
        """Returns the visit. Raises if its status doesn't allow the operation."""
        return self.allowed_in(self.visits, "visit", visit_id, operation)

    def reschedule(self, visit_id: str, body: Row) -> Row:
        visit = self.allowed_visit(visit_id, "rescheduleVisit")
        if read_moment(body["starts_at"]) == read_moment(visit["starts_at"]):
            detail = "The visit already starts at that time."
            raise Refusal("slot_unavailable", detail, starts_at=body["starts_at"])
        times = self.times(visit["state"], body["starts_at"])
        visit.update(times, updated_at=self.now())
        self.emit("visit", "rescheduled", visit, "scheduled")
        return visit

    def join(self, visit_id: str, query: Row) -> Row:
        visit = self.allowed_visit(visit_id, "getJoinLink")
        opens, closes = visit["join_opens_at"], read_moment(visit["ends_at"]) + JOIN_AFTER
        now = self.time()
        if not read_moment(opens) <= now <= closes:
            detail = "The visit can be joined only between opens_at and closes_at."
            closes_at = write_moment(closes)
            raise Refusal("join_not_open", detail, opens_at=opens, closes_at=closes_at)
        return {
            "visit": visit_id,
            "patient": visit["patient"],
            "url": f"http://localhost/visits/join/{visit_id}",
            "expires_at": write_moment(now + LINK),
        }

    def cancel_visit(self, visit_id: str, body: Row) -> Row:
        visit = self.allowed_visit(visit_id, "cancelVisit")
        return self.move_visit(visit, "cancelled", "ended_at")

    def start(self, visit_id: str, body: Row) -> Row:
        visit = self.allowed_visit(visit_id, "startVisit")
        return self.move_visit(visit, "started", "started_at")

    def complete(self, visit_id: str, body: Row) -> Row:
        visit = self.allowed_visit(visit_id, "completeVisit")
        self.move_visit(visit, "completed", "ended_at")
        self.emit("charge", "created", {"id": self.new_id("chg"), "status": "pending"}, None)
        return visit

    def no_show(self, visit_id: str, body: Row) -> Row:
        visit = self.allowed_visit(visit_id, "noShowVisit")
        return self.move_visit(visit, "no_show", "ended_at")
