# Generated from the contract by clients/generate/generate.ts; do not edit.
from __future__ import annotations

from typing import Optional

from ..._calls import Options, given
from ..._pages import AsyncPage
from ..._resource import AsyncResource, async_raw
from ..results import Invoice


class AsyncInvoices(AsyncResource):
    """`invoices` of `AsyncClient`."""

    @property
    def with_raw_response(self) -> AsyncInvoicesWithRawResponse:
        """The same methods; each returns its result together with the response."""
        return AsyncInvoicesWithRawResponse(AsyncInvoices(self._caller, raw=True))

    def list(
        self,
        *,
        limit: Optional[int] = None,
        starting_after: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> AsyncPage[Invoice]:
        """List invoices.

        One for each month and currency, with the charges of every clinic. Made on the first
        of the next month. Empty in test mode.

        Scope: billing:read.

        Args:
            limit: Items per page. Default: `20`.
            starting_after: The id of the last item you received. It works even after that item
                was deleted.
        """
        return self._page(
            Invoice,
            "/v1/invoices",
            cursor="id",
            query=given({"limit": limit, "starting_after": starting_after}),
            options=Options(timeout=timeout, max_retries=max_retries, organization=organization),
        )

    async def get(
        self,
        invoice_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Invoice:
        """Read an invoice with its charges.

        In test mode there is none, so every id answers 404.

        Scope: billing:read.

        Raises:
            NotFoundError
        """
        return await self._request(
            Invoice,
            "GET",
            "/v1/invoices/{id}",
            ids={"id": invoice_id},
            options=Options(timeout=timeout, max_retries=max_retries, organization=organization),
        )


class AsyncInvoicesWithRawResponse:
    """The methods of `AsyncInvoices`, with their responses."""

    def __init__(self, invoices: AsyncInvoices) -> None:
        self.list = async_raw(invoices.list)
        self.get = async_raw(invoices.get)
