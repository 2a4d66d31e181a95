"""The in-memory sandbox's webhook endpoints. It sends no deliveries."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import List

from .._wire import read_moment, write_moment
from ..generated.examples import LIMITS
from ._files import FileSandbox
from ._patients import Route
from ._store import Refusal, Row, page_of


def new_secret() -> str:
    return f"whsec_{secrets.token_hex(16)}"


class Sandbox(FileSandbox):
    def routes(self) -> List[Route]:
        all_of_them = "/v1/webhook_endpoints"
        endpoint = f"{all_of_them}/{{id}}"
        return [
            *super().routes(),
            ("POST", all_of_them, 201, self.create_endpoint),
            ("GET", all_of_them, 200, self.list_endpoints),
            ("GET", endpoint, 200, lambda one, query: self.find(self.endpoints, one)),
            ("PATCH", endpoint, 200, self.update_endpoint),
            ("DELETE", endpoint, 200, self.delete_endpoint),
            ("POST", f"{endpoint}/rotate_secret", 200, self.rotate),
            ("GET", f"{endpoint}/deliveries", 200, self.deliveries),
        ]

    def create_endpoint(self, body: Row) -> Row:
        limit = LIMITS["webhookEndpointsMax"]
        if len(self.endpoints) >= limit:
            detail = f"You already have {limit} endpoints, which is the limit."
            raise Refusal("endpoint_limit_reached", detail, limit=limit)
        now = self.now()
        endpoint: Row = {
            "id": self.new_id("we"),
            "include_resource": False,
            "description": None,
            **body,
            "status": "enabled",
            "previous_secret_expires_at": None,
            "disabled_at": None,
            "created_at": now,
            "updated_at": now,
        }
        self.endpoints[endpoint["id"]] = endpoint
        return {**endpoint, "secret": new_secret()}

    def list_endpoints(self, query: Row) -> Row:
        return page_of(list(self.endpoints.values()), query)

    def update_endpoint(self, endpoint_id: str, body: Row) -> Row:
        endpoint = self.find(self.endpoints, endpoint_id)
        if any(endpoint[name] != value for name, value in body.items()):
            now = self.now()
            endpoint.update(body, updated_at=now)
            is_disabled = endpoint["status"] == "disabled"
            endpoint["disabled_at"] = (endpoint["disabled_at"] or now) if is_disabled else None
        return endpoint

    def delete_endpoint(self, endpoint_id: str, body: Row) -> Row:
        self.find(self.endpoints, endpoint_id)
        del self.endpoints[endpoint_id]
        return {"id": endpoint_id, "deleted": True}

    def rotate(self, endpoint_id: str, body: Row) -> Row:
        endpoint = self.find(self.endpoints, endpoint_id)
        now = self.now()
        ends = read_moment(now) + timedelta(hours=LIMITS["webhookSecretGraceHours"])
        endpoint.update(previous_secret_expires_at=write_moment(ends), updated_at=now)
        return {**endpoint, "secret": new_secret()}

    def deliveries(self, endpoint_id: str, query: Row) -> Row:
        self.find(self.endpoints, endpoint_id)
        return page_of([], query)
