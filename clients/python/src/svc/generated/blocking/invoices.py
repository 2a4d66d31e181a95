# Generated from the contract by clients/generate/generate.ts; do not edit.
from __future__ import annotations

from typing import Optional

from ..._calls import Options, given
from ..._pages import Page
from ..._resource import Resource, raw
from ..results import Invoice


class Invoices(Resource):
    """`invoices` of `Client`."""

    @property
    def with_raw_response(self) -> InvoicesWithRawResponse:
        """The same methods; each returns its result together with the response."""
        return InvoicesWithRawResponse(Invoices(self._caller, raw=True))

    def list(
        self,
        *,
        limit: Optional[int] = None,
        starting_after: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Page[Invoice]:
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

    def get(
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
        return self._request(
            Invoice,
            "GET",
            "/v1/invoices/{id}",
            ids={"id": invoice_id},
            options=Options(timeout=timeout, max_retries=max_retries, organization=organization),
        )


class InvoicesWithRawResponse:
    """The methods of `Invoices`, with their responses."""

    def __init__(self, invoices: Invoices) -> None:
        self.list = raw(invoices.list)
        self.get = raw(invoices.get)
