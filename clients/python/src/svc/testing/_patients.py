"""The in-memory sandbox's clinic, patients and consents."""

from __future__ import annotations

from typing import Any, Callable, List, Tuple

from ..generated.examples import EXAMPLES, TRANSITIONS
from ._store import Refusal, Row, Store, page_of

Route = Tuple[str, str, int, Callable[..., Any]]


class PatientSandbox(Store):
    def routes(self) -> List[Route]:
        """Method, path, status and handler. A handler receives the IDs, then the query or body."""
        return [
            ("GET", "/v1/organization", 200, lambda query: EXAMPLES["Organization"]),
            ("GET", "/v1/medications", 200, self.list_medications),
            ("GET", "/v1/medications/{id}", 200, self.get_medication),
            ("POST", "/v1/patients", 201, self.create_patient),
            ("GET", "/v1/patients", 200, self.list_patients),
            ("GET", "/v1/patients/{id}", 200, lambda one, query: self.find(self.patients, one)),
            ("PATCH", "/v1/patients/{id}", 200, self.update_patient),
            ("DELETE", "/v1/patients/{id}", 200, self.delete_patient),
            ("POST", "/v1/patients/{id}/consents", 201, self.record_consent),
            ("GET", "/v1/patients/{id}/consents", 200, self.list_consents),
            ("GET", "/v1/events", 200, self.events),
            ("GET", "/v1/events/{id}", 200, lambda one, query: self.find(self.event_rows, one)),
            ("POST", "/v1/test/reset", 200, self.reset),
        ]

    def list_medications(self, query: Row) -> Row:
        return page_of([EXAMPLES["Medication"]], query, "medication_id")

    def get_medication(self, medication_id: str, query: Row) -> Row:
        return self.find(
            {EXAMPLES["Medication"]["medication_id"]: EXAMPLES["Medication"]}, medication_id
        )

    def create_patient(self, body: Row) -> Row:
        now = self.now()
        patient: Row = {
            "id": self.new_id("pat"),
            "external_id": None,
            "status": "active",
            "middle_name": None,
            **body,
            "address": {"line2": None, "country": "US", **body["address"]},
            "created_at": now,
            "updated_at": now,
        }
        self.patients[patient["id"]] = patient
        self.emit("patient", "created", patient, None)
        return patient

    def list_patients(self, query: Row) -> Row:
        wanted = query.get("external_id")
        rows = [
            row for row in self.patients.values() if wanted is None or row["external_id"] == wanted
        ]
        return page_of(rows, query)

    def update_patient(self, patient_id: str, body: Row) -> Row:
        patient = self.find(self.patients, patient_id)
        if any(patient[name] != value for name, value in body.items()):
            patient.update(body, updated_at=self.now())
            self.emit("patient", "updated", patient, "active")
        return patient

    def delete_patient(self, patient_id: str, body: Row) -> Row:
        patient = self.find(self.patients, patient_id)
        for case in self.cases.values():
            is_open = case["status"] in TRANSITIONS["withdrawCase"]["from"]
            if is_open and case["patient"] == patient_id:
                self.move(case, "withdrawn", question=None, reason="The patient was deleted.")
        for visit in self.visits.values():
            if visit["patient"] == patient_id and visit["status"] == "scheduled":
                self.move_visit(visit, "cancelled", "ended_at")
        for rows in (self.consents, self.files):
            for row in [one for one in rows.values() if one["patient"] == patient_id]:
                del rows[row["id"]]
        del self.patients[patient_id]
        self.emit("patient", "deleted", {**patient, "status": "deleted"}, "active")
        return {"id": patient_id, "deleted": True}

    def record_consent(self, patient_id: str, body: Row) -> Row:
        self.find(self.patients, patient_id)
        for other in self.consents_of(patient_id):
            if other["kind"] == body["kind"]:
                other["status"] = "superseded"
        now = self.now()
        consent: Row = {
            "id": self.new_id("cons"),
            "patient": patient_id,
            "kind": body["kind"],
            "version": body["version"],
            "status": "current",
            "accepted_at": body.get("accepted_at", now),
            "created_at": now,
        }
        self.consents[consent["id"]] = consent
        self.emit("consent", "recorded", consent, None)
        return consent

    def consents_of(self, patient_id: str) -> List[Row]:
        return [row for row in self.consents.values() if row["patient"] == patient_id]

    def list_consents(self, patient_id: str, query: Row) -> Row:
        self.find(self.patients, patient_id)
        return page_of(self.consents_of(patient_id), query)

    def check_consents(self, patient_id: str, consent_ids: List[str]) -> None:
        current = {
            row["kind"]
            for row in self.consents_of(patient_id)
            if row["id"] in consent_ids and row["status"] == "current"
        }
        missing = [kind for kind in ("telehealth", "privacy") if kind not in current]
        if missing:
            detail = (
                f"The case does not name the patient's current {' and '.join(missing)} consent."
            )
            raise Refusal("consent_required", detail, missing=missing)

    def reset(self, body: Row) -> Row:
        kinds = (self.patients, self.consents, self.cases, self.messages, self.visits, self.files)
        count = sum(map(len, (*kinds, self.prescriptions, self.orders)))
        self.clear()
        return {"reset": True, "resources_deleted": count}
