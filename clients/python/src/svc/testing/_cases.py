"""The in-memory sandbox's cases, clinician and pharmacy."""

from __future__ import annotations

from typing import Any, Dict, List, Optional

from ..generated.examples import EXAMPLES, TRANSITIONS
from ._patients import PatientSandbox, Route
from ._store import Refusal, Row, page_of, wrong


class CaseSandbox(PatientSandbox):
    def routes(self) -> List[Route]:
        case = "/v1/cases/{id}"
        test = "/v1/test/cases/{id}"
        return [
            *super().routes(),
            ("POST", "/v1/cases", 201, self.create_case),
            ("GET", "/v1/cases", 200, self.list_cases),
            ("GET", case, 200, lambda one, query: self.find(self.cases, one)),
            ("POST", f"{case}/release", 200, self.release),
            ("POST", f"{case}/cancel", 200, self.cancel),
            ("POST", f"{case}/withdraw", 200, self.withdraw),
            ("POST", f"{case}/answers", 200, self.answer),
            ("GET", f"{case}/events", 200, self.case_events),
            ("GET", f"{case}/messages", 200, lambda one, query: self.of(one, self.messages, query)),
            ("POST", f"{case}/messages", 201, self.create_message),
            ("GET", f"{case}/prescriptions", 200, self.list_prescriptions),
            ("GET", f"{case}/orders", 200, lambda one, query: self.of(one, self.orders, query)),
            ("GET", "/v1/prescriptions/{id}", 200, self.get_prescription),
            ("GET", "/v1/orders/{id}", 200, lambda one, query: self.find(self.orders, one)),
            ("POST", f"{test}/decision", 200, self.decide),
            ("POST", f"{test}/clinician_message", 201, self.clinician_message),
            ("POST", f"{test}/ship", 200, self.ship),
            ("POST", f"{test}/deliver", 200, self.deliver),
            ("POST", f"{test}/block", 200, self.block),
            ("POST", f"{test}/fail", 200, self.fail),
        ]

    def of(self, case_id: str, rows: Dict[str, Row], query: Row) -> Row:
        self.find(self.cases, case_id)
        return page_of([row for row in rows.values() if row["case"] == case_id], query)

    def list_prescriptions(self, case_id: str, query: Row) -> Row:
        return self.of(case_id, self.prescriptions, query)

    def get_prescription(self, prescription_id: str, query: Row) -> Row:
        return self.find(self.prescriptions, prescription_id)

    def line(self, given: Row, pointer: str) -> Row:
        """Fills in a medication's catalog defaults."""
        entry = EXAMPLES["Medication"]
        if given["medication_id"] != entry["medication_id"]:
            message = "medication_id must be an ID from GET /v1/medications."
            raise wrong(f"{pointer}/medication_id", "unknown_reference", message)
        return {
            "medication_id": given["medication_id"],
            "quantity": given.get("quantity", entry["default_quantity"]),
            "refills": given.get("refills", 0),
            "days_supply": given.get("days_supply", entry["default_days_supply"]),
            "directions": given.get("directions", entry["default_directions"]),
        }

    def create_case(self, body: Row) -> Row:
        self.named("patient", body["patient"])
        for at, file_id in enumerate(body.get("files", [])):
            file = self.files.get(file_id, {"status": None})
            if (file["status"], file.get("patient"), file.get("case")) != (
                "attached",
                body["patient"],
                None,
            ):
                message = f"files[{at}] must be an attached file of this patient without a case."
                raise wrong(f"#/files/{at}", "unknown_reference", message)
        requested = [
            self.line(one, f"#/requested_medications/{at}")
            for at, one in enumerate(body["requested_medications"])
        ]
        self.check_consents(body["patient"], body.get("consent_ids", []))
        now = self.now()
        held = body.get("hold", False)
        case: Row = {
            "id": self.new_id("case"),
            "patient": body["patient"],
            "status": "received" if held else "queued",
            "consent_ids": body["consent_ids"],
            "requested_medications": requested,
            "answers": [{"type": "string", **one} for one in body.get("answers", [])],
            "hold": held,
            "files": body.get("files", []),
            "plan": None,
            "question": None,
            "reason": None,
            "prescription_ids": [],
            "order_ids": [],
            "created_at": now,
            "updated_at": now,
        }
        self.cases[case["id"]] = case
        for file_id in case["files"]:
            self.files[file_id]["case"] = case["id"]
        self.emit("case", case["status"], case, None)
        return case

    def list_cases(self, query: Row) -> Row:
        rows = [
            row
            for row in self.cases.values()
            if query.get("status") in (None, row["status"])
            and query.get("patient") in (None, row["patient"])
            and row["created_at"] > query.get("created_after", "")
        ]
        return page_of(rows, query)

    def case_events(self, case_id: str, query: Row) -> Row:
        self.find(self.cases, case_id)
        rows = [row for row in self.event_rows.values() if row["resource"]["id"] == case_id]
        return page_of(rows, query)

    def allowed(self, case_id: str, operation: str) -> Row:
        """Returns the case. Raises if its status doesn't allow the operation."""
        return self.allowed_in(self.cases, "case", case_id, operation)

    def release(self, case_id: str, body: Row) -> Row:
        case = self.allowed(case_id, "releaseCase")
        self.move(case, "queued")
        return case

    def cancel(self, case_id: str, body: Row) -> Row:
        case = self.allowed(case_id, "cancelCase")
        self.move(case, "cancelled", question=None, reason=body.get("reason"))
        return case

    def withdraw(self, case_id: str, body: Row) -> Row:
        case = self.allowed(case_id, "withdrawCase")
        self.move(case, "withdrawn", question=None, reason=body.get("reason"))
        return case

    def message(self, case: Row, kind: str, author: str, text: str, target: Optional[str]) -> Row:
        message: Row = {
            "id": self.new_id("msg"),
            "status": "sent",
            "case": case["id"],
            "kind": kind,
            "author": author,
            "target": target,
            "body": text,
            "created_at": self.now(),
        }
        self.messages[message["id"]] = message
        change = "question_asked" if kind == "question" else "message_created"
        self.emit("case", change, case, case["status"])
        return message

    def create_message(self, case_id: str, body: Row) -> Row:
        case = self.allowed(case_id, "createMessage")
        return self.message(case, "message", body.get("author", "integration"), body["body"], None)

    def clinician_message(self, case_id: str, body: Row) -> Row:
        case = self.allowed(case_id, "createMessage")
        return self.message(case, "message", "clinician", body["body"], None)

    def answer(self, case_id: str, body: Row) -> Row:
        case = self.allowed(case_id, "answerCase")
        question = case["question"]
        known = {"id": question["message"], "question": question["body"], "type": "string"}
        answers = [{**known, **one} for one in body["answers"]]
        self.move(case, "in_review", question=None, answers=[*case["answers"], *answers])
        text = "\n".join(one["answer"] for one in answers)
        self.message(case, "answer", question["target"], text, None)
        return case

    def decide(self, case_id: str, body: Row) -> Row:
        decision = body["decision"]
        needed = {"decline": ["reason"], "needs_info": ["target", "question"]}.get(decision, [])
        for name in needed:
            if name not in body:
                message = f"{name} must be present when decision is {decision}."
                raise wrong(f"#/{name}", "required", message)
        case = self.allowed(case_id, "decideCase")
        if case["status"] != "in_review":
            self.move(case, "in_review", question=None)
        if decision == "decline":
            self.move(case, "declined", reason=body["reason"])
        elif decision == "needs_info":
            self.ask(case, body["target"], body["question"])
        else:
            lines: Any = body.get("plan", case["requested_medications"])
            plan = [self.line(one, f"#/plan/{at}") for at, one in enumerate(lines)]
            self.move(case, "approved", plan=[{**one, "dispensable": True} for one in plan])
            for one in plan:
                self.prescribe(case, one)
        return case

    def ask(self, case: Row, target: str, text: str) -> None:
        self.move(case, f"waiting_on_{target}")
        message = self.message(case, "question", "clinician", text, target)
        case["question"] = {
            "message": message["id"],
            "target": target,
            "body": text,
            "asked_at": message["created_at"],
        }

    def prescribe(self, case: Row, line: Row) -> None:
        now = self.now()
        ids = {"case": case["id"], "patient": case["patient"]}
        prescription: Row = {**EXAMPLES["Prescription"], **line, **ids, "id": self.new_id("rx")}
        order: Row = {**EXAMPLES["Order"], **ids, "id": self.new_id("ord"), "tracking": None}
        prescription.update(order=order["id"], status="active", created_at=now, updated_at=now)
        order.update(
            prescription=prescription["id"],
            status="created",
            medication_id=line["medication_id"],
            quantity=line["quantity"],
            ship_to=self.patients[case["patient"]]["address"],
            reason=None,
            shipped_at=None,
            delivered_at=None,
            created_at=now,
            updated_at=now,
        )
        self.prescriptions[prescription["id"]] = prescription
        self.orders[order["id"]] = order
        case["prescription_ids"].append(prescription["id"])
        case["order_ids"].append(order["id"])
        self.emit("prescription", "created", prescription, None)
        self.emit("order", "created", order, None)

    def movable(self, case_id: str, verb: str) -> List[Row]:
        """The case's orders whose status allows `verb`. Raises if there are none."""
        case = self.find(self.cases, case_id)
        start = TRANSITIONS[f"{verb}Case"]["from"]
        orders = [self.orders[one] for one in case["order_ids"]]
        found = [order for order in orders if order["status"] in start]
        if not found:
            raise Refusal(
                "invalid_transition",
                f"None of this case's orders has a status that {verb} accepts.",
                resource={"type": "case", "id": case_id},
                current_status=case["status"],
                allowed_from=sorted(start),
                orders=[{"id": order["id"], "status": order["status"]} for order in orders],
            )
        return found

    def move_order(self, order: Row, status: str, **members: Any) -> None:
        previous = order["status"]
        order.update(members, status=status, updated_at=self.now())
        self.emit("order", status, order, previous)

    def end_prescription(self, order: Row, status: str) -> None:
        prescription = self.prescriptions[order["prescription"]]
        previous = prescription["status"]
        if previous == "active":
            prescription.update(status=status, updated_at=self.now())
            self.emit("prescription", "updated", prescription, previous)

    def ship(self, case_id: str, body: Row) -> Row:
        for order in self.movable(case_id, "ship"):
            if order["status"] != "at_pharmacy":
                self.move_order(order, "at_pharmacy", reason=None)
            tracking = body.get("tracking")
            given = None if tracking is None else {"url": None, **tracking}
            self.move_order(order, "shipped", tracking=given, shipped_at=self.now())
            self.end_prescription(order, "filled")
        return self.cases[case_id]

    def deliver(self, case_id: str, body: Row) -> Row:
        for order in self.movable(case_id, "deliver"):
            self.move_order(order, "delivered", delivered_at=self.now())
        return self.cases[case_id]

    def block(self, case_id: str, body: Row) -> Row:
        for order in self.movable(case_id, "block"):
            self.move_order(order, "blocked", reason=body["reason"])
        return self.cases[case_id]

    def fail(self, case_id: str, body: Row) -> Row:
        for order in self.movable(case_id, "fail"):
            self.move_order(order, "failed")
            self.end_prescription(order, "cancelled")
        return self.cases[case_id]
