"""Methods of `AsyncClient` beyond those of the contract: each makes a few calls of it."""

from __future__ import annotations

import asyncio
import uuid
from datetime import datetime
from typing import IO, Iterable, Optional, Union

from ._calls import Call, Options
from ._errors import WaitTimeoutError
from ._events import AsyncEventStream, Moment, listed, pauses
from ._extended import BothConsents
from ._pages import AsyncPage
from .generated.asynchronous import cases, consents, events, files
from .generated.contract import PAGE_MAX, UPLOAD_TIMEOUT_SECONDS
from .generated.results import Case, Event, File
from .generated.words import FileMime


class AsyncCases(cases.AsyncCases):
    async def wait_for(
        self, case_id: str, *, status: Union[str, Iterable[str]], timeout: float = 60.0
    ) -> Case:
        """Reads the case again and again until its status is one of these.

        Raises:
            WaitTimeoutError
        """
        wanted = listed(status)
        case = await self.get(case_id)
        for pause in pauses(timeout):
            if case.status in wanted:
                return case
            await asyncio.sleep(pause)
            case = await self.get(case_id)
        if case.status in wanted:
            return case
        raise WaitTimeoutError(f"{case.id} is {case.status} after {timeout:g} s, not {wanted}.")


class AsyncConsents(consents.AsyncConsents):
    async def record_both(
        self,
        patient_id: str,
        *,
        telehealth: str,
        privacy: str,
        accepted_at: Optional[Union[datetime, str]] = None,
        idempotency_key: Optional[str] = None,
    ) -> BothConsents:
        """Records the two consents that a case needs, by the versions that the patient saw.

        Args:
            idempotency_key: Two keys are made of it, so that a retry repeats neither consent.
        """
        key = idempotency_key or f"svcsdk_{uuid.uuid4()}"
        return BothConsents(
            *[
                await self.record(
                    patient_id,
                    kind=kind,
                    version=version,
                    accepted_at=accepted_at,
                    idempotency_key=f"{key}-{kind}",
                )
                for kind, version in (("telehealth", telehealth), ("privacy", privacy))
            ]
        )


class AsyncEvents(events.AsyncEvents):
    def iterate(
        self,
        *,
        since: Optional[Moment] = None,
        types: Optional[Iterable[str]] = None,
        include_resource: Optional[bool] = None,
        poll_seconds: float = 5.0,
    ) -> AsyncEventStream:
        """Events as they happen, by polling: none is missed or repeated.

        Args:
            since: The `cursor` of an earlier stream. Default: now.
            types: Only events of these types.
            poll_seconds: The pause after everything was read.
        """

        async def fetch(cursor: Moment) -> AsyncPage[Event]:
            return await self.list(since=cursor, limit=PAGE_MAX, include_resource=include_resource)

        return AsyncEventStream(fetch, since, types, poll_seconds)


class AsyncFiles(files.AsyncFiles):
    async def upload(
        self,
        *,
        patient: str,
        kind: str,
        filename: str,
        mime: FileMime,
        body: Union[bytes, IO[bytes]],
        case: Optional[str] = None,
        timeout: float = UPLOAD_TIMEOUT_SECONDS,
        idempotency_key: Optional[str] = None,
    ) -> File:
        """Reserves a file, sends its bytes to storage and confirms it.

        Use the id of the result: in live mode it is not that of the reservation.
        """
        content = body if isinstance(body, bytes) else body.read()
        key = idempotency_key or f"svcsdk_{uuid.uuid4()}"
        reserved = await self.create(
            patient=patient,
            mime=mime,
            kind=kind,
            filename=filename,
            case=case,
            size_bytes=len(content),
            idempotency_key=f"{key}-create",
        )
        call = Call("PUT", "(storage)", None, "resource", {}, {}, None, Options(timeout=timeout))
        await self._caller.upload(reserved.upload_url, reserved.upload_headers, content, call)
        return await self.confirm(
            reserved.id,
            patient=patient,
            kind=kind,
            filename=filename,
            idempotency_key=f"{key}-confirm",
        )
