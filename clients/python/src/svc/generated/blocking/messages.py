# Generated from the contract by clients/generate/generate.ts; do not edit.
from __future__ import annotations

from typing import Optional

from ..._calls import Options, given
from ..._pages import Page
from ..._resource import Resource, raw
from ..results import Message
from ..words import MessageCreateAuthor


class Messages(Resource):
    """`messages` of `Client`."""

    @property
    def with_raw_response(self) -> MessagesWithRawResponse:
        """The same methods; each returns its result together with the response."""
        return MessagesWithRawResponse(Messages(self._caller, raw=True))

    def list(
        self,
        case_id: str,
        *,
        limit: Optional[int] = None,
        starting_after: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Page[Message]:
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

    def create(
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
        return self._request(
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


class MessagesWithRawResponse:
    """The methods of `Messages`, with their responses."""

    def __init__(self, messages: Messages) -> None:
        self.list = raw(messages.list)
        self.create = raw(messages.create)
