# Generated from the contract by clients/generate/generate.ts; do not edit.
from __future__ import annotations

from typing import Optional

from ..._calls import Options, given
from ..._pages import Page
from ..._resource import Resource, raw
from ..results import Order


class Orders(Resource):
    """`orders` of `Client`."""

    @property
    def with_raw_response(self) -> OrdersWithRawResponse:
        """The same methods; each returns its result together with the response."""
        return OrdersWithRawResponse(Orders(self._caller, raw=True))

    def list(
        self,
        case_id: str,
        *,
        limit: Optional[int] = None,
        starting_after: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Page[Order]:
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

    def get(
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
        return self._request(
            Order,
            "GET",
            "/v1/orders/{id}",
            ids={"id": order_id},
            options=Options(timeout=timeout, max_retries=max_retries, organization=organization),
        )


class OrdersWithRawResponse:
    """The methods of `Orders`, with their responses."""

    def __init__(self, orders: Orders) -> None:
        self.list = raw(orders.list)
        self.get = raw(orders.get)
