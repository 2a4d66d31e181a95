# Generated from the contract by clients/generate/generate.ts; do not edit.
from __future__ import annotations

from datetime import datetime
from typing import Optional, Union

from ..._calls import Options, given
from ..._pages import Page
from ..._resource import Resource, raw
from ..results import JoinLink, Slot, Visit
from ..words import State


class Visits(Resource):
    """`visits` of `Client`."""

    @property
    def with_raw_response(self) -> VisitsWithRawResponse:
        """The same methods; each returns its result together with the response."""
        return VisitsWithRawResponse(Visits(self._caller, raw=True))

    def slots(
        self,
        *,
        state: State,
        limit: Optional[int] = None,
        starting_after: Optional[str] = None,
        from_: Optional[Union[datetime, str]] = None,
        to: Optional[Union[datetime, str]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Page[Slot]:
        """List the slots that can be booked in a state.

        The window can be at most 14 days. Slots start at most 60 days ahead. Listing them
        reserves nothing.

        Scope: visits:read.

        Args:
            state: USPS code: the patient's state.
            limit: Items per page. Default: `20`.
            starting_after: The id of the last item you received. It works even after that item
                was deleted.
            from_: Inclusive. Default, and earliest: the time of the call.
            to: Exclusive, after from. Default: 14 days after from.
        """
        return self._page(
            Slot,
            "/v1/visits/slots",
            cursor="id",
            query=given(
                {
                    "limit": limit,
                    "starting_after": starting_after,
                    "state": state,
                    "from": from_,
                    "to": to,
                }
            ),
            options=Options(timeout=timeout, max_retries=max_retries, organization=organization),
        )

    def book(
        self,
        *,
        patient: str,
        starts_at: Union[datetime, str],
        case: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Visit:
        """Book a visit.

        Books a slot in the patient's state. Of two callers who want the same slot, one gets
        it. No consent is required.

        Scope: visits:write. Events: visit.booked.v1.

        Args:
            starts_at: The start of a slot in the patient's state, with any offset.
            case: A case of this patient.

        Raises:
            SlotUnavailableError
        """
        return self._request(
            Visit,
            "POST",
            "/v1/visits",
            body=given({"patient": patient, "starts_at": starts_at, "case": case}),
            options=Options(
                idempotency_key=idempotency_key,
                timeout=timeout,
                max_retries=max_retries,
                organization=organization,
            ),
        )

    def get(
        self,
        visit_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Visit:
        """Read a visit.

        Scope: visits:read.

        Raises:
            NotFoundError
        """
        return self._request(
            Visit,
            "GET",
            "/v1/visits/{id}",
            ids={"id": visit_id},
            options=Options(timeout=timeout, max_retries=max_retries, organization=organization),
        )

    def cancel(
        self,
        visit_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Visit:
        """Cancel a scheduled visit and free its slot.

        Scope: visits:write. Events: visit.cancelled.v1.

        Raises:
            NotFoundError
            InvalidTransitionError
        """
        return self._request(
            Visit,
            "POST",
            "/v1/visits/{id}/cancel",
            ids={"id": visit_id},
            options=Options(
                idempotency_key=idempotency_key,
                timeout=timeout,
                max_retries=max_retries,
                organization=organization,
            ),
        )

    def reschedule(
        self,
        visit_id: str,
        *,
        starts_at: Union[datetime, str],
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Visit:
        """Move a scheduled visit to another slot.

        The new slot is booked and the old one freed at once; if the new one is taken, the
        visit is unchanged. The visit keeps the state that it was booked in.

        Scope: visits:write. Events: visit.rescheduled.v1.

        Args:
            starts_at: The start of another slot in the visit's state.

        Raises:
            NotFoundError
            InvalidTransitionError
            SlotUnavailableError
        """
        return self._request(
            Visit,
            "POST",
            "/v1/visits/{id}/reschedule",
            ids={"id": visit_id},
            body=given({"starts_at": starts_at}),
            options=Options(
                idempotency_key=idempotency_key,
                timeout=timeout,
                max_retries=max_retries,
                organization=organization,
            ),
        )

    def join(
        self,
        visit_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> JoinLink:
        """Create the link with which the patient joins.

        Available from 60 minutes before the start until 30 minutes after the end. Each call
        creates a new link that expires after 15 minutes; earlier links stay valid until
        their own expiry. A link works in the browser that enters first; in live mode the
        patient enters with the date of birth.

        Scope: visits:read.

        Raises:
            NotFoundError
            InvalidTransitionError
            JoinNotOpenError
        """
        return self._request(
            JoinLink,
            "GET",
            "/v1/visits/{id}/join",
            ids={"id": visit_id},
            options=Options(timeout=timeout, max_retries=max_retries, organization=organization),
        )


class VisitsWithRawResponse:
    """The methods of `Visits`, with their responses."""

    def __init__(self, visits: Visits) -> None:
        self.slots = raw(visits.slots)
        self.book = raw(visits.book)
        self.get = raw(visits.get)
        self.cancel = raw(visits.cancel)
        self.reschedule = raw(visits.reschedule)
        self.join = raw(visits.join)
