# Generated from the contract by clients/generate/generate.ts; do not edit.
from __future__ import annotations

from datetime import date
from typing import Optional, Union

from ..._calls import Options, given
from ..._given import NOT_GIVEN, NotGiven
from ..._pages import AsyncPage
from ..._resource import AsyncResource, async_raw
from ..parameters import AddressParams
from ..results import Deleted, Patient
from ..words import SexAtBirth


class AsyncPatients(AsyncResource):
    """`patients` of `AsyncClient`."""

    @property
    def with_raw_response(self) -> AsyncPatientsWithRawResponse:
        """The same methods; each returns its result together with the response."""
        return AsyncPatientsWithRawResponse(AsyncPatients(self._caller, raw=True))

    async def create(
        self,
        *,
        first_name: str,
        last_name: str,
        date_of_birth: Union[date, str],
        sex_at_birth: SexAtBirth,
        email: str,
        phone: str,
        address: AddressParams,
        middle_name: Optional[str] = None,
        external_id: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Patient:
        """Create a patient.

        Scope: patients:write. Events: patient.created.v1.

        Args:
            email: Not unique.
            phone: E.164.
        """
        return await self._request(
            Patient,
            "POST",
            "/v1/patients",
            body=given(
                {
                    "first_name": first_name,
                    "last_name": last_name,
                    "date_of_birth": date_of_birth,
                    "sex_at_birth": sex_at_birth,
                    "email": email,
                    "phone": phone,
                    "address": address,
                    "middle_name": middle_name,
                    "external_id": external_id,
                }
            ),
            options=Options(
                idempotency_key=idempotency_key,
                timeout=timeout,
                max_retries=max_retries,
                organization=organization,
            ),
        )

    def list(
        self,
        *,
        limit: Optional[int] = None,
        starting_after: Optional[str] = None,
        external_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> AsyncPage[Patient]:
        """List patients, or find one by your own id.

        Scope: patients:read.

        Args:
            limit: Items per page. Default: `20`.
            starting_after: The id of the last item you received. It works even after that item
                was deleted.
            external_id: Exact match.
        """
        return self._page(
            Patient,
            "/v1/patients",
            cursor="id",
            query=given(
                {"limit": limit, "starting_after": starting_after, "external_id": external_id}
            ),
            options=Options(timeout=timeout, max_retries=max_retries, organization=organization),
        )

    async def get(
        self,
        patient_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Patient:
        """Read a patient.

        Scope: patients:read.

        Raises:
            NotFoundError
        """
        return await self._request(
            Patient,
            "GET",
            "/v1/patients/{id}",
            ids={"id": patient_id},
            options=Options(timeout=timeout, max_retries=max_retries, organization=organization),
        )

    async def update(
        self,
        patient_id: str,
        *,
        first_name: Optional[str] = None,
        last_name: Optional[str] = None,
        date_of_birth: Optional[Union[date, str]] = None,
        sex_at_birth: Optional[SexAtBirth] = None,
        email: Optional[str] = None,
        phone: Optional[str] = None,
        address: Optional[AddressParams] = None,
        middle_name: Union[Optional[str], NotGiven] = NOT_GIVEN,
        external_id: Union[Optional[str], NotGiven] = NOT_GIVEN,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Patient:
        """Update a patient.

        An omitted field is unchanged, null clears middle_name or external_id, and an address
        is replaced as a whole. If no value changes, nothing is written and no event is sent.

        Scope: patients:write. Events: patient.updated.v1.

        Args:
            email: Not unique.
            phone: E.164.
            middle_name: None clears it.
            external_id: Your own id for the patient. Not unique; the list can be filtered by
                it. None clears it.

        Raises:
            NotFoundError
        """
        return await self._request(
            Patient,
            "PATCH",
            "/v1/patients/{id}",
            ids={"id": patient_id},
            body=given(
                {
                    "first_name": first_name,
                    "last_name": last_name,
                    "date_of_birth": date_of_birth,
                    "sex_at_birth": sex_at_birth,
                    "email": email,
                    "phone": phone,
                    "address": address,
                    "middle_name": middle_name,
                    "external_id": external_id,
                },
                clears=(
                    "middle_name",
                    "external_id",
                ),
            ),
            options=Options(
                idempotency_key=idempotency_key,
                timeout=timeout,
                max_retries=max_retries,
                organization=organization,
            ),
        )

    async def delete(
        self,
        patient_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Deleted:
        """Delete a patient and withdraw their open cases.

        Open cases are withdrawn and scheduled visits are canceled. In test the details are
        erased; in live they are hidden from you, and the clinic keeps its record. Cases,
        prescriptions, orders and visits stay readable.

        Scope: patients:write. Events: case.withdrawn.v1, visit.cancelled.v1,
        patient.deleted.v1.

        Raises:
            NotFoundError
        """
        return await self._request(
            Deleted,
            "DELETE",
            "/v1/patients/{id}",
            ids={"id": patient_id},
            options=Options(
                idempotency_key=idempotency_key,
                timeout=timeout,
                max_retries=max_retries,
                organization=organization,
            ),
        )


class AsyncPatientsWithRawResponse:
    """The methods of `AsyncPatients`, with their responses."""

    def __init__(self, patients: AsyncPatients) -> None:
        self.create = async_raw(patients.create)
        self.list = async_raw(patients.list)
        self.get = async_raw(patients.get)
        self.update = async_raw(patients.update)
        self.delete = async_raw(patients.delete)
