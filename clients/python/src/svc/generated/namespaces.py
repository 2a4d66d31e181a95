# Generated from the contract by clients/generate/generate.ts; do not edit.
from __future__ import annotations

from .._async_extended import AsyncCases, AsyncConsents, AsyncEvents, AsyncFiles
from .._extended import Cases, Consents, Events, Files
from .._resource import AsyncCaller, Caller
from .asynchronous.exports import AsyncExports
from .asynchronous.invoices import AsyncInvoices
from .asynchronous.medications import AsyncMedications
from .asynchronous.messages import AsyncMessages
from .asynchronous.orders import AsyncOrders
from .asynchronous.organization import AsyncOrganizationResource
from .asynchronous.patients import AsyncPatients
from .asynchronous.prescriptions import AsyncPrescriptions
from .asynchronous.realtime import AsyncRealtime
from .asynchronous.test import AsyncTest
from .asynchronous.usage import AsyncUsageResource
from .asynchronous.visits import AsyncVisits
from .asynchronous.webhook_endpoints import AsyncWebhookEndpoints
from .blocking.exports import Exports
from .blocking.invoices import Invoices
from .blocking.medications import Medications
from .blocking.messages import Messages
from .blocking.orders import Orders
from .blocking.organization import OrganizationResource
from .blocking.patients import Patients
from .blocking.prescriptions import Prescriptions
from .blocking.realtime import Realtime
from .blocking.test import Test
from .blocking.usage import UsageResource
from .blocking.visits import Visits
from .blocking.webhook_endpoints import WebhookEndpoints


class Resources:
    """The resources of the API as members of `Client`."""

    def __init__(self, caller: Caller) -> None:
        self.organization = OrganizationResource(caller)
        self.medications = Medications(caller)
        self.patients = Patients(caller)
        self.consents = Consents(caller)
        self.exports = Exports(caller)
        self.cases = Cases(caller)
        self.messages = Messages(caller)
        self.prescriptions = Prescriptions(caller)
        self.orders = Orders(caller)
        self.visits = Visits(caller)
        self.files = Files(caller)
        self.usage = UsageResource(caller)
        self.invoices = Invoices(caller)
        self.events = Events(caller)
        self.realtime = Realtime(caller)
        self.webhook_endpoints = WebhookEndpoints(caller)
        self.test = Test(caller)


class AsyncResources:
    """The resources of the API as members of `AsyncClient`."""

    def __init__(self, caller: AsyncCaller) -> None:
        self.organization = AsyncOrganizationResource(caller)
        self.medications = AsyncMedications(caller)
        self.patients = AsyncPatients(caller)
        self.consents = AsyncConsents(caller)
        self.exports = AsyncExports(caller)
        self.cases = AsyncCases(caller)
        self.messages = AsyncMessages(caller)
        self.prescriptions = AsyncPrescriptions(caller)
        self.orders = AsyncOrders(caller)
        self.visits = AsyncVisits(caller)
        self.files = AsyncFiles(caller)
        self.usage = AsyncUsageResource(caller)
        self.invoices = AsyncInvoices(caller)
        self.events = AsyncEvents(caller)
        self.realtime = AsyncRealtime(caller)
        self.webhook_endpoints = AsyncWebhookEndpoints(caller)
        self.test = AsyncTest(caller)
