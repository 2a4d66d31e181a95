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
        self.organization: OrganizationResource = OrganizationResource(caller)
        self.medications: Medications = Medications(caller)
        self.patients: Patients = Patients(caller)
        self.consents: Consents = Consents(caller)
        self.exports: Exports = Exports(caller)
        self.cases: Cases = Cases(caller)
        self.messages: Messages = Messages(caller)
        self.prescriptions: Prescriptions = Prescriptions(caller)
        self.orders: Orders = Orders(caller)
        self.visits: Visits = Visits(caller)
        self.files: Files = Files(caller)
        self.usage: UsageResource = UsageResource(caller)
        self.invoices: Invoices = Invoices(caller)
        self.events: Events = Events(caller)
        self.realtime: Realtime = Realtime(caller)
        self.webhook_endpoints: WebhookEndpoints = WebhookEndpoints(caller)
        self.test: Test = Test(caller)


class AsyncResources:
    """The resources of the API as members of `AsyncClient`."""

    def __init__(self, caller: AsyncCaller) -> None:
        self.organization: AsyncOrganizationResource = AsyncOrganizationResource(caller)
        self.medications: AsyncMedications = AsyncMedications(caller)
        self.patients: AsyncPatients = AsyncPatients(caller)
        self.consents: AsyncConsents = AsyncConsents(caller)
        self.exports: AsyncExports = AsyncExports(caller)
        self.cases: AsyncCases = AsyncCases(caller)
        self.messages: AsyncMessages = AsyncMessages(caller)
        self.prescriptions: AsyncPrescriptions = AsyncPrescriptions(caller)
        self.orders: AsyncOrders = AsyncOrders(caller)
        self.visits: AsyncVisits = AsyncVisits(caller)
        self.files: AsyncFiles = AsyncFiles(caller)
        self.usage: AsyncUsageResource = AsyncUsageResource(caller)
        self.invoices: AsyncInvoices = AsyncInvoices(caller)
        self.events: AsyncEvents = AsyncEvents(caller)
        self.realtime: AsyncRealtime = AsyncRealtime(caller)
        self.webhook_endpoints: AsyncWebhookEndpoints = AsyncWebhookEndpoints(caller)
        self.test: AsyncTest = AsyncTest(caller)
