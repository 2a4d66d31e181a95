"""`Client` methods that make several API calls."""

from __future__ import annotations

import time
from datetime import datetime
from typing import (
    IO,
    Any,
    Dict,
    Iterable,
    Iterator,
    Mapping,
    NamedTuple,
    Optional,
    Tuple,
    Union,
)

from ._answers import RawResponse
from ._calls import STORAGE_PATH, Call
from ._errors import APIError, SvcError, TimeoutError, WaitTimeoutError, is_refusal
from ._events import EventStream, Moment, listed
from ._options import CallOptions, Options, Remaining, WaitOptions, WriteOptions, checked
from ._pages import Page
from ._settings import new_key
from ._streams import Stream
from ._typing import Unpack
from .generated.blocking import cases, consents, events, exports, files
from .generated.contract import UPLOAD_TIMEOUT_SECONDS
from .generated.results import Case, Consent, Event, ExportBundle, File, FileUpload
from .generated.words import CaseStatus, EventType, FileMime


class BothConsents(NamedTuple):
    """Both consents that a case requires."""

    telehealth: Consent
    privacy: Consent


class Waiting:
    """Plans the requests of `wait_for`: each one's timeout and the pause after it."""

    def __init__(
        self, status: Union[str, Iterable[str]], timeout: float, options: Mapping[str, Any]
    ) -> None:
        self._wanted = listed(status)
        self._timeout = timeout or float("inf")
        self._ends = time.monotonic() + self._timeout
        self._options = options
        self._last = "not known"

    def questions(self) -> Iterator[Tuple[Dict[str, Any], float]]:
        """Yields each request's options and the pause after it, until time runs out."""
        pause = 1.0
        while True:
            left = self._ends - time.monotonic()
            if left <= 0:
                return
            yield {**self._options, "total_timeout": left}, min(pause, left)
            pause = min(pause * 1.5, 10.0)

    def is_over(self, case: Case) -> bool:
        self._last = case.status
        return case.status in self._wanted

    def ended_by(self, error: TimeoutError) -> bool:
        # A retry would start after the end, or a timer ended early, by a tick of the clock.
        is_late = isinstance(error.__cause__, SvcError)
        return is_late or self._ends - time.monotonic() <= 0.02

    def failure(self) -> WaitTimeoutError:
        wanted = " or ".join(self._wanted)
        return WaitTimeoutError(
            f"The case is {self._last} after {self._timeout:g} s, not {wanted}."
        )


class _Derived:
    """Several calls whose keys derive from one, which their errors get. A retry repeats nothing."""

    def __init__(self, given: Mapping[str, Any], client: Options) -> None:
        self._options = {**given}
        self._key = self._options.pop("idempotency_key", None) or new_key()
        self._remaining = Remaining(given, client)

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Optional[BaseException], traceback: Any) -> None:
        if isinstance(error, SvcError):
            error.idempotency_key = self._key

    def _of(self, step: str, **members: Any) -> Dict[str, Any]:
        key = {"idempotency_key": f"{self._key}-{step}"}
        return {**members, **self._options, **self._remaining.options(), **key}


class Both(_Derived):
    """Both calls of `record_both`."""

    def __init__(
        self, members: Mapping[str, Any], given: Mapping[str, Any], client: Options
    ) -> None:
        super().__init__(given, client)
        self._members = members

    def of(self, kind: str, version: str) -> Dict[str, Any]:
        return self._of(kind, **self._members, kind=kind, version=version)


class Upload(_Derived):
    """An upload's three calls.

    Storage refuses the bytes of a file that an earlier call confirmed, so the confirmation decides.
    """

    _refusal: Optional[APIError] = None

    def __init__(
        self,
        file: Mapping[str, Any],
        body: Union[bytes, IO[bytes]],
        given: Mapping[str, Any],
        client: Options,
    ) -> None:
        super().__init__(given, client)
        self.content = body if isinstance(body, bytes) else body.read()
        self._file = file

    def reserve(self) -> Dict[str, Any]:
        return self._of("create", **self._file, size_bytes=len(self.content))

    def put(self) -> Call:
        own = {"timeout": UPLOAD_TIMEOUT_SECONDS, **self._options, **self._remaining.options()}
        # Storage accepts only the reservation's headers.
        return Call("PUT", STORAGE_PATH, options=checked({**own, "headers": None}))

    def confirm(self) -> Dict[str, Any]:
        shared = {name: self._file[name] for name in ("patient", "kind", "filename")}
        return self._of("confirm", **shared)

    def refused(self, reserved: RawResponse[FileUpload], refusal: APIError) -> None:
        """Raises storage's refusal, unless an earlier call may have confirmed the file."""
        if refusal.status != 403 or not reserved.replayed:
            raise refusal
        refusal.idempotency_key = self._key
        self._refusal = refusal

    def __exit__(self, kind: Any, error: Optional[BaseException], traceback: Any) -> None:
        super().__exit__(kind, error, traceback)
        if self._refusal is not None and isinstance(error, APIError) and is_refusal(error):
            raise self._refusal from error


def export_call(export_id: str, if_none_match: Optional[str], options: Options) -> Call:
    return Call(
        "GET",
        "/v1/exports/{id}/download",
        ExportBundle,
        "download",
        ids={"id": export_id},
        options=options,
        if_none_match=if_none_match,
    )


class Cases(cases.Cases):
    def wait_for(
        self,
        case_id: str,
        *,
        status: Union[CaseStatus, Iterable[CaseStatus]],
        timeout: float = 60.0,
        **options: Unpack[WaitOptions],
    ) -> Case:
        """Polls the case until it has one of these statuses.

        Prefer webhooks if you can receive them.

        Args:
            status: One status, or several.
            timeout: Seconds for the whole wait; 0 means no limit.

        Raises:
            WaitTimeoutError: `timeout` seconds passed first.
        """
        waiting = Waiting(status, timeout, options)
        for asked, pause in waiting.questions():
            try:
                case = self.get(case_id, **asked)
            except TimeoutError as error:
                if not waiting.ended_by(error):
                    raise
                raise waiting.failure() from error
            if waiting.is_over(case):
                return case
            time.sleep(pause)
        raise waiting.failure()


class Consents(consents.Consents):
    def record_both(
        self,
        patient_id: str,
        *,
        telehealth: str,
        privacy: str,
        accepted_at: Optional[Union[datetime, str]] = None,
        **options: Unpack[WriteOptions],
    ) -> BothConsents:
        """Records both consents that a case requires, with the document versions the patient saw.

        Both requests derive their keys from `idempotency_key`, so repeating the call with the same
        key, which an error has, records nothing twice.
        """
        both = Both({"accepted_at": accepted_at}, options, self._caller.settings.options)
        with both:
            return BothConsents(
                self.record(patient_id, **both.of("telehealth", telehealth)),
                self.record(patient_id, **both.of("privacy", privacy)),
            )


class Events(events.Events):
    def iterate(
        self,
        *,
        since: Optional[Moment] = None,
        types: Optional[Iterable[EventType]] = None,
        include_resource: Optional[bool] = None,
        poll_seconds: float = 5.0,
        **options: Unpack[CallOptions],
    ) -> EventStream:
        """Polls for events and yields each one once, in order, without end.

        Args:
            since: The `cursor` of an earlier stream. Default: now, by the server's clock.
            types: Yield only these types.
            poll_seconds: Seconds to pause before polling again.
        """

        def fetch(**query: Any) -> Page[Event]:
            return self.list(include_resource=include_resource, **query, **options)

        session = self._caller.settings.session
        return EventStream(fetch, session, since, types, poll_seconds)


class Exports(exports.Exports):
    def stream(
        self,
        export_id: str,
        *,
        if_none_match: Optional[str] = None,
        **options: Unpack[CallOptions],
    ) -> Stream:
        """Like `download`, but in parts: `with svc.exports.stream(id) as file: file.save(path)`."""
        return Stream(self._caller, export_call(export_id, if_none_match, checked(options)))


class Files(files.Files):
    def upload(
        self,
        *,
        patient: str,
        kind: str,
        filename: str,
        mime: FileMime,
        body: Union[bytes, IO[bytes]],
        case: Optional[str] = None,
        **options: Unpack[WriteOptions],
    ) -> File:
        """Reserves a file, uploads its bytes and confirms it.

        Use the result's ID, which in live mode differs from the reservation's. Repeating the call
        with the same `idempotency_key`, which an error has, uploads nothing twice.
        """
        file = {"patient": patient, "kind": kind, "filename": filename, "mime": mime, "case": case}
        upload = Upload(file, body, options, self._caller.settings.options)
        with upload:
            reserved = self.with_raw_response.create(**upload.reserve())
            url, headers = reserved.data.upload_url, reserved.data.upload_headers
            try:
                self._caller.upload(url, headers, upload.content, upload.put())
            except APIError as error:
                upload.refused(reserved, error)
            return self.confirm(reserved.data.id, **upload.confirm())
