# Generated from the contract by clients/generate/generate.ts; do not edit.
from __future__ import annotations

from typing import Optional, Sequence, Union

from ..._calls import Options, given
from ..._given import NOT_GIVEN, NotGiven
from ..._pages import Page
from ..._resource import Resource, raw
from ..results import Deleted, Delivery, WebhookEndpoint
from ..words import DeliveryStatus, WebhookEndpointEventType, WebhookEndpointStatus


class WebhookEndpoints(Resource):
    """`webhook_endpoints` of `Client`."""

    @property
    def with_raw_response(self) -> WebhookEndpointsWithRawResponse:
        """The same methods; each returns its result together with the response."""
        return WebhookEndpointsWithRawResponse(WebhookEndpoints(self._caller, raw=True))

    def create(
        self,
        *,
        url: str,
        event_types: Sequence[WebhookEndpointEventType],
        include_resource: Optional[bool] = None,
        description: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> WebhookEndpoint:
        """Create an endpoint and get its secret.

        With include_resource the key must have the read scope of every resource in
        event_types.

        Scope: webhooks:manage.

        Args:
            url: https, without credentials or fragment. Its host must resolve to public
                addresses, here and before every attempt.
            event_types: Exact event types, or `*` alone for all, including future ones.
            include_resource: Default: `False`.

        Raises:
            EndpointLimitReachedError
        """
        return self._request(
            WebhookEndpoint,
            "POST",
            "/v1/webhook_endpoints",
            body=given(
                {
                    "url": url,
                    "event_types": event_types,
                    "include_resource": include_resource,
                    "description": description,
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
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Page[WebhookEndpoint]:
        """List your endpoints.

        Scope: webhooks:manage.

        Args:
            limit: Items per page. Default: `20`.
            starting_after: The id of the last item you received. It works even after that item
                was deleted.
        """
        return self._page(
            WebhookEndpoint,
            "/v1/webhook_endpoints",
            cursor="id",
            query=given({"limit": limit, "starting_after": starting_after}),
            options=Options(timeout=timeout, max_retries=max_retries, organization=organization),
        )

    def get(
        self,
        webhook_endpoint_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> WebhookEndpoint:
        """Read an endpoint.

        Scope: webhooks:manage.

        Raises:
            NotFoundError
        """
        return self._request(
            WebhookEndpoint,
            "GET",
            "/v1/webhook_endpoints/{id}",
            ids={"id": webhook_endpoint_id},
            options=Options(timeout=timeout, max_retries=max_retries, organization=organization),
        )

    def update(
        self,
        webhook_endpoint_id: str,
        *,
        url: Optional[str] = None,
        event_types: Optional[Sequence[WebhookEndpointEventType]] = None,
        include_resource: Optional[bool] = None,
        description: Union[Optional[str], NotGiven] = NOT_GIVEN,
        status: Optional[WebhookEndpointStatus] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> WebhookEndpoint:
        """Update, disable or enable an endpoint.

        Disabling an endpoint fails its pending deliveries. Enabling it resets its count of
        failures and sends nothing: redeliver the events that it missed.

        Scope: webhooks:manage.

        Args:
            url: https, without credentials or fragment. Its host must resolve to public
                addresses, here and before every attempt.
            event_types: Exact event types, or `*` alone for all, including future ones.
            description: None clears it.

        Raises:
            NotFoundError
        """
        return self._request(
            WebhookEndpoint,
            "PATCH",
            "/v1/webhook_endpoints/{id}",
            ids={"id": webhook_endpoint_id},
            body=given(
                {
                    "url": url,
                    "event_types": event_types,
                    "include_resource": include_resource,
                    "description": description,
                    "status": status,
                },
                clears=("description",),
            ),
            options=Options(
                idempotency_key=idempotency_key,
                timeout=timeout,
                max_retries=max_retries,
                organization=organization,
            ),
        )

    def delete(
        self,
        webhook_endpoint_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Deleted:
        """Delete an endpoint. Its pending deliveries fail.

        Scope: webhooks:manage.

        Raises:
            NotFoundError
        """
        return self._request(
            Deleted,
            "DELETE",
            "/v1/webhook_endpoints/{id}",
            ids={"id": webhook_endpoint_id},
            options=Options(
                idempotency_key=idempotency_key,
                timeout=timeout,
                max_retries=max_retries,
                organization=organization,
            ),
        )

    def rotate_secret(
        self,
        webhook_endpoint_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> WebhookEndpoint:
        """Replace the secret of an endpoint.

        Deliveries are signed with both secrets, the new one first, for 24 hours. Rotating
        again removes the oldest at once.

        Scope: webhooks:manage.

        Raises:
            NotFoundError
        """
        return self._request(
            WebhookEndpoint,
            "POST",
            "/v1/webhook_endpoints/{id}/rotate_secret",
            ids={"id": webhook_endpoint_id},
            options=Options(
                idempotency_key=idempotency_key,
                timeout=timeout,
                max_retries=max_retries,
                organization=organization,
            ),
        )

    def deliveries(
        self,
        webhook_endpoint_id: str,
        *,
        limit: Optional[int] = None,
        starting_after: Optional[str] = None,
        status: Optional[DeliveryStatus] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        organization: Optional[str] = None,
    ) -> Page[Delivery]:
        """List the deliveries of an endpoint.

        Scope: webhooks:manage.

        Args:
            limit: Items per page. Default: `20`.
            starting_after: The id of the last item you received. It works even after that item
                was deleted.

        Raises:
            NotFoundError
        """
        return self._page(
            Delivery,
            "/v1/webhook_endpoints/{id}/deliveries",
            cursor="id",
            ids={"id": webhook_endpoint_id},
            query=given({"limit": limit, "starting_after": starting_after, "status": status}),
            options=Options(timeout=timeout, max_retries=max_retries, organization=organization),
        )


class WebhookEndpointsWithRawResponse:
    """The methods of `WebhookEndpoints`, with their responses."""

    def __init__(self, webhook_endpoints: WebhookEndpoints) -> None:
        self.create = raw(webhook_endpoints.create)
        self.list = raw(webhook_endpoints.list)
        self.get = raw(webhook_endpoints.get)
        self.update = raw(webhook_endpoints.update)
        self.delete = raw(webhook_endpoints.delete)
        self.rotate_secret = raw(webhook_endpoints.rotate_secret)
        self.deliveries = raw(webhook_endpoints.deliveries)
