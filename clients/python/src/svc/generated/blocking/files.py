# Generated from the contract by clients/generate/generate.ts; do not edit.
from __future__ import annotations

from typing import Optional

from ..._calls import Options, given
from ..._resource import Resource, raw
from ..results import Deleted, File, FileUpload
from ..words import FileMime


class Files(Resource):
    """`files` of `Client`."""

    @property
    def with_raw_response(self) -> FilesWithRawResponse:
        """The same methods; each returns its result together with the response."""
        return FilesWithRawResponse(Files(self._caller, raw=True))

    def create(
        self,
        *,
        patient: str,
        mime: FileMime,
        kind: Optional[str] = None,
        filename: Optional[str] = None,
        case: Optional[str] = None,
        size_bytes: Optional[int] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> FileUpload:
        """Reserve a file and receive a signed URL to upload it to.

        PUT the bytes to upload_url with every entry of upload_headers, then confirm. You can
        repeat the PUT until then; the last upload counts. An unconfirmed reservation ends
        after an hour. Test mode measures the bytes and stores none.

        Scope: patients:write.

        Args:
            kind: What it shows, in a word of your choice, such as photo_id, selfie,
                clinical_photo, lab_result, insurance_card, prior_prescription or other.
            filename: Without a folder, a control character or a change of writing direction.
            case: A case of this patient that is not canceled or withdrawn.
            size_bytes: If present, no other size is accepted.

        Raises:
            InvalidTransitionError
        """
        return self._request(
            FileUpload,
            "POST",
            "/v1/files",
            body=given(
                {
                    "patient": patient,
                    "mime": mime,
                    "kind": kind,
                    "filename": filename,
                    "case": case,
                    "size_bytes": size_bytes,
                }
            ),
            options=Options(
                idempotency_key=idempotency_key,
                timeout=timeout,
                max_retries=max_retries,
                organization=organization,
            ),
        )

    def confirm(
        self,
        file_id: str,
        *,
        patient: str,
        kind: str,
        filename: str,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> File:
        """Confirm an uploaded file.

        In live mode the file gets a new id: use the id in this response from now on, not
        that of the reservation. Test mode keeps the id, and does not check the bytes.

        Scope: patients:write. Events: file.attached.v1.

        Args:
            patient: The patient of the reservation.
            kind: What it shows, in a word of your choice, such as photo_id, selfie,
                clinical_photo, lab_result, insurance_card, prior_prescription or other.
            filename: Without a folder, a control character or a change of writing direction.

        Raises:
            NotFoundError
            InvalidTransitionError
            UploadMissingError
        """
        return self._request(
            File,
            "POST",
            "/v1/files/{id}/confirm",
            ids={"id": file_id},
            body=given({"patient": patient, "kind": kind, "filename": filename}),
            options=Options(
                idempotency_key=idempotency_key,
                timeout=timeout,
                max_retries=max_retries,
                organization=organization,
            ),
        )

    def get(
        self,
        file_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> File:
        """Read a file or a reservation.

        Scope: patients:read.

        Raises:
            NotFoundError
        """
        return self._request(
            File,
            "GET",
            "/v1/files/{id}",
            ids={"id": file_id},
            options=Options(timeout=timeout, max_retries=max_retries, organization=organization),
        )

    def delete(
        self,
        file_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Deleted:
        """Delete a file, in test mode.

        It is also removed from its case. In live mode every id is refused with
        live_not_available: only the clinic can remove a document.

        Scope: patients:write.

        Raises:
            NotFoundError
            LiveNotAvailableError
        """
        return self._request(
            Deleted,
            "DELETE",
            "/v1/files/{id}",
            ids={"id": file_id},
            options=Options(
                idempotency_key=idempotency_key,
                timeout=timeout,
                max_retries=max_retries,
                organization=organization,
            ),
        )


class FilesWithRawResponse:
    """The methods of `Files`, with their responses."""

    def __init__(self, files: Files) -> None:
        self.create = raw(files.create)
        self.confirm = raw(files.confirm)
        self.get = raw(files.get)
        self.delete = raw(files.delete)
