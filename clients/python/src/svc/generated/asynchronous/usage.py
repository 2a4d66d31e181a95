# Generated from the contract by clients/generate/generate.ts; do not edit.
from __future__ import annotations

from datetime import datetime
from typing import Optional, Union

from ..._calls import Options, given
from ..._resource import AsyncResource, async_raw
from ..results import Usage


class AsyncUsageResource(AsyncResource):
    """`usage` of `AsyncClient`."""

    @property
    def with_raw_response(self) -> AsyncUsageResourceWithRawResponse:
        """The same methods; each returns its result together with the response."""
        return AsyncUsageResourceWithRawResponse(AsyncUsageResource(self._caller, raw=True))

    async def get(
        self,
        *,
        from_: Optional[Union[datetime, str]] = None,
        to: Optional[Union[datetime, str]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Usage:
        """Read the charges of a time window in totals, by kind.

        The window can be at most 366 days.

        Scope: billing:read.

        Args:
            from_: Inclusive. Default: the first of the current month, UTC.
            to: Exclusive, after from. Default: now.
        """
        return await self._request(
            Usage,
            "GET",
            "/v1/usage",
            query=given({"from": from_, "to": to}),
            options=Options(timeout=timeout, max_retries=max_retries, organization=organization),
        )


class AsyncUsageResourceWithRawResponse:
    """The methods of `AsyncUsageResource`, with their responses."""

    def __init__(self, usage: AsyncUsageResource) -> None:
        self.get = async_raw(usage.get)
