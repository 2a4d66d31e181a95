// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { Transport } from '../transport.ts'
import { OrganizationResource } from './resources/organization.ts'
import { MedicationsResource } from './resources/medications.ts'
import { PatientsResource } from './resources/patients.ts'
import { ConsentsResource } from './resources/consents.ts'
import { ExportsResource } from './resources/exports.ts'
import { CasesResource } from './resources/cases.ts'
import { MessagesResource } from './resources/messages.ts'
import { PrescriptionsResource } from './resources/prescriptions.ts'
import { OrdersResource } from './resources/orders.ts'
import { VisitsResource } from './resources/visits.ts'
import { FilesResource } from './resources/files.ts'
import { UsageResource } from './resources/usage.ts'
import { InvoicesResource } from './resources/invoices.ts'
import { EventsResource } from './resources/events.ts'
import { RealtimeResource } from './resources/realtime.ts'
import { WebhookEndpointsResource } from './resources/webhook-endpoints.ts'
import { TestResource } from './resources/test.ts'

/** Every operation of the API. */
export class GeneratedClient {
  readonly organization: OrganizationResource
  readonly medications: MedicationsResource
  readonly patients: PatientsResource
  readonly consents: ConsentsResource
  readonly exports: ExportsResource
  readonly cases: CasesResource
  readonly messages: MessagesResource
  readonly prescriptions: PrescriptionsResource
  readonly orders: OrdersResource
  readonly visits: VisitsResource
  readonly files: FilesResource
  readonly usage: UsageResource
  readonly invoices: InvoicesResource
  readonly events: EventsResource
  readonly realtime: RealtimeResource
  readonly webhookEndpoints: WebhookEndpointsResource
  readonly test: TestResource

  constructor(transport: Transport) {
    this.organization = new OrganizationResource(transport)
    this.medications = new MedicationsResource(transport)
    this.patients = new PatientsResource(transport)
    this.consents = new ConsentsResource(transport)
    this.exports = new ExportsResource(transport)
    this.cases = new CasesResource(transport)
    this.messages = new MessagesResource(transport)
    this.prescriptions = new PrescriptionsResource(transport)
    this.orders = new OrdersResource(transport)
    this.visits = new VisitsResource(transport)
    this.files = new FilesResource(transport)
    this.usage = new UsageResource(transport)
    this.invoices = new InvoicesResource(transport)
    this.events = new EventsResource(transport)
    this.realtime = new RealtimeResource(transport)
    this.webhookEndpoints = new WebhookEndpointsResource(transport)
    this.test = new TestResource(transport)
  }
}
