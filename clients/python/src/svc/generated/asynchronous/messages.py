# Generated from the contract by clients/generate/generate.ts; do not edit.
from __future__ import annotations

from typing import Optional

from ..._calls import Options, given
from ..._pages import AsyncPage
from ..._resource import AsyncResource, async_raw
from ..results import Message
from ..words import MessageCreateAuthor


class AsyncMessages(AsyncResource):
    """`messages` of `AsyncClient`."""

    @property
    def with_raw_response(self) -> AsyncMessagesWithRawResponse:
        """The same methods; each returns its result together with the response."""
        return AsyncMessagesWithRawResponse(AsyncMessages(self._caller, raw=True))

    def list(
        self,
        case_id: str,
        *,
        limit: Optional[int] = None,
        starting_after: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> AsyncPage[Message]:
        """List a case's thread.

        Scope: cases:read.

        Args:
            limit: Items per page. Default: `20`.
            starting_after: The id of the last item you received. It works even after that item
                was deleted.

        Raises:
            NotFoundError
        """
        return self._page(
            Message,
            "/v1/cases/{id}/messages",
            cursor="id",
            ids={"id": case_id},
            query=given({"limit": limit, "starting_after": starting_after}),
            options=Options(timeout=timeout, max_retries=max_retries, organization=organization),
        )

    async def create(
        self,
        case_id: str,
        *,
        body: str,
        author: Optional[MessageCreateAuthor] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Message:
        """Send a message on a case's thread.

        A message never changes the status. To answer a question, call POST
        /v1/cases/{id}/answers.

        Scope: cases:write. Events: case.message_created.v1.

        Args:
            author: Default: `"integration"`.

        Raises:
            NotFoundError
            InvalidTransitionError
        """
        return await self._request(
            Message,
            "POST",
            "/v1/cases/{id}/messages",
            ids={"id": case_id},
            body=given({"body": body, "author": author}),
            options=Options(
                idempotency_key=idempotency_key,
                timeout=timeout,
                max_retries=max_retries,
                organization=organization,
            ),
        )


class AsyncMessagesWithRawResponse:
    """The methods of `AsyncMessages`, with their responses."""

    def __init__(self, messages: AsyncMessages) -> None:
        self.list = async_raw(messages.list)
        self.create = async_raw(messages.create)
