# Generated from the contract by clients/generate/generate.ts; do not edit.
from __future__ import annotations

from typing import Optional

from ..._calls import Options, given
from ..._pages import AsyncPage
from ..._resource import AsyncResource, async_raw
from ..results import Order


class AsyncOrders(AsyncResource):
    """`orders` of `AsyncClient`."""

    @property
    def with_raw_response(self) -> AsyncOrdersWithRawResponse:
        """The same methods; each returns its result together with the response."""
        return AsyncOrdersWithRawResponse(AsyncOrders(self._caller, raw=True))

    def list(
        self,
        case_id: str,
        *,
        limit: Optional[int] = None,
        starting_after: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> AsyncPage[Order]:
        """List a case's orders.

        Scope: cases:read.

        Args:
            limit: Items per page. Default: `20`.
            starting_after: The id of the last item you received. It works even after that item
                was deleted.

        Raises:
            NotFoundError
        """
        return self._page(
            Order,
            "/v1/cases/{id}/orders",
            cursor="id",
            ids={"id": case_id},
            query=given({"limit": limit, "starting_after": starting_after}),
            options=Options(timeout=timeout, max_retries=max_retries, organization=organization),
        )

    async def get(
        self,
        order_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Order:
        """Read an order.

        Scope: cases:read.

        Raises:
            NotFoundError
        """
        return await self._request(
            Order,
            "GET",
            "/v1/orders/{id}",
            ids={"id": order_id},
            options=Options(timeout=timeout, max_retries=max_retries, organization=organization),
        )


class AsyncOrdersWithRawResponse:
    """The methods of `AsyncOrders`, with their responses."""

    def __init__(self, orders: AsyncOrders) -> None:
        self.list = async_raw(orders.list)
        self.get = async_raw(orders.get)
