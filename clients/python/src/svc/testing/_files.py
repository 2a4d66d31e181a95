"""The in-memory sandbox's files. Like test mode, it counts bytes but doesn't store them."""

from __future__ import annotations

from datetime import timedelta
from typing import List, Optional

from .._wire import read_moment, write_moment
from ..generated.examples import EXAMPLES, LIMITS
from ._patients import Route
from ._store import Refusal, Row, wrong
from ._visits import VisitSandbox


class FileSandbox(VisitSandbox):
    def routes(self) -> List[Route]:
        file = "/v1/files/{id}"
        return [
            *super().routes(),
            ("POST", "/v1/files", 201, self.create_file),
            ("PUT", "/uploads/{id}", 200, self.receive),
            ("POST", f"{file}/confirm", 200, self.confirm),
            ("GET", file, 200, lambda one, query: self.find(self.files, one)),
            ("DELETE", file, 200, self.delete_file),
        ]

    def attachable(self, case: Row) -> None:
        """Raises if the case no longer accepts files."""
        try:
            self.allowed(case["id"], "createMessage")
        except Refusal as refusal:
            refusal.detail = f"A {case['status']} case does not accept files."
            raise

    def create_file(self, body: Row) -> Row:
        self.named("patient", body["patient"])
        case_id: Optional[str] = body.get("case")
        if case_id is not None:
            self.attachable(self.named("case", case_id, body["patient"]))
        now = self.now()
        common = {
            "id": self.new_id("file"),
            "patient": body["patient"],
            "case": case_id,
            "kind": body.get("kind"),
            "filename": body.get("filename"),
            "mime": body["mime"],
            "status": "reserved",
            "created_at": now,
        }
        self.files[common["id"]] = {**common, "size_bytes": None, "attached_at": None}
        expires = read_moment(now) + timedelta(seconds=LIMITS["reservationSeconds"])
        return {
            **common,
            "upload_method": "PUT",
            "upload_url": f"http://localhost/uploads/{common['id']}",
            "upload_headers": {
                "Content-Type": body["mime"],
                "X-Upload-Reservation": common["id"],
            },
            "max_bytes": EXAMPLES["FileUpload"]["max_bytes"],
            "expires_at": write_moment(expires),
        }

    def receive(self, file_id: str, content: bytes) -> None:
        """Handles an upload as storage would."""
        self.find(self.files, file_id)["size_bytes"] = len(content)

    def confirm(self, file_id: str, body: Row) -> Row:
        file = self.find(self.files, file_id)
        if file["patient"] != body["patient"]:
            message = "patient must match the reservation's patient."
            raise wrong("#/patient", "mismatch", message)
        if file["status"] != "reserved":
            raise Refusal(
                "invalid_transition",
                "Only a reserved file can be confirmed. The status of this file is attached.",
                resource={"type": "file", "id": file_id},
                current_status=file["status"],
                allowed_from=["reserved"],
            )
        now = self.now()
        if file["case"] is not None:
            case = self.find(self.cases, file["case"])
            self.attachable(case)
            case.update(files=[*case["files"], file_id], updated_at=now)
        named = {"kind": body["kind"], "filename": body["filename"]}
        file.update(named, status="attached", attached_at=now)
        self.emit("file", "attached", file, "reserved")
        return file

    def delete_file(self, file_id: str, body: Row) -> Row:
        self.find(self.files, file_id)
        for case in self.cases.values():
            if file_id in case["files"]:
                left = [one for one in case["files"] if one != file_id]
                case.update(files=left, updated_at=self.now())
        del self.files[file_id]
        return {"id": file_id, "deleted": True}
