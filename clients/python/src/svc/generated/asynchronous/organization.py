# Generated from the contract by clients/generate/generate.ts; do not edit.
from __future__ import annotations

from typing import Optional

from ..._calls import Options
from ..._resource import AsyncResource, async_raw
from ..results import Organization


class AsyncOrganizationResource(AsyncResource):
    """`organization` of `AsyncClient`."""

    @property
    def with_raw_response(self) -> AsyncOrganizationResourceWithRawResponse:
        """The same methods; each returns its result together with the response."""
        return AsyncOrganizationResourceWithRawResponse(
            AsyncOrganizationResource(self._caller, raw=True)
        )

    async def get(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Organization:
        """Read the organization you act for, and your scopes there.

        Scope: organization:read.
        """
        return await self._request(
            Organization,
            "GET",
            "/v1/organization",
            options=Options(timeout=timeout, max_retries=max_retries, organization=organization),
        )


class AsyncOrganizationResourceWithRawResponse:
    """The methods of `AsyncOrganizationResource`, with their responses."""

    def __init__(self, organization: AsyncOrganizationResource) -> None:
        self.get = async_raw(organization.get)
