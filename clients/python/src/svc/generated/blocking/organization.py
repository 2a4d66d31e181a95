# Generated from the contract by clients/generate/generate.ts; do not edit.
from __future__ import annotations

from typing import Optional

from ..._calls import Options
from ..._resource import Resource, raw
from ..results import Organization


class OrganizationResource(Resource):
    """`organization` of `Client`."""

    @property
    def with_raw_response(self) -> OrganizationResourceWithRawResponse:
        """The same methods; each returns its result together with the response."""
        return OrganizationResourceWithRawResponse(OrganizationResource(self._caller, raw=True))

    def get(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Organization:
        """Read the organization you act for, and your scopes there.

        Scope: organization:read.
        """
        return self._request(
            Organization,
            "GET",
            "/v1/organization",
            options=Options(timeout=timeout, max_retries=max_retries, organization=organization),
        )


class OrganizationResourceWithRawResponse:
    """The methods of `OrganizationResource`, with their responses."""

    def __init__(self, organization: OrganizationResource) -> None:
        self.get = raw(organization.get)
