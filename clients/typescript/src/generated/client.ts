// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { Transport } from '../transport.ts'
import { OrganizationResource } from './resources/organization.ts'
import { MedicationsResource } from './resources/medications.ts'
import { PatientsResource } from './resources/patients.ts'
import { Consents } from '../consents.ts'
import { ExportsResource } from './resources/exports.ts'
import { Cases } from '../cases.ts'
import { MessagesResource } from './resources/messages.ts'
import { PrescriptionsResource } from './resources/prescriptions.ts'
import { OrdersResource } from './resources/orders.ts'
import { VisitsResource } from './resources/visits.ts'
import { Files } from '../files.ts'
import { UsageResource } from './resources/usage.ts'
import { InvoicesResource } from './resources/invoices.ts'
import { Events } from '../events.ts'
import { Realtime } from '../realtime/realtime.ts'
import { WebhookEndpointsResource } from './resources/webhook-endpoints.ts'
import { TestResource } from './resources/test.ts'

/** Every operation of the API. */
export class GeneratedClient {
  readonly organization: OrganizationResource
  readonly medications: MedicationsResource
  readonly patients: PatientsResource
  readonly consents: Consents
  readonly exports: ExportsResource
  readonly cases: Cases
  readonly messages: MessagesResource
  readonly prescriptions: PrescriptionsResource
  readonly orders: OrdersResource
  readonly visits: VisitsResource
  readonly files: Files
  readonly usage: UsageResource
  readonly invoices: InvoicesResource
  readonly events: Events
  readonly realtime: Realtime
  readonly webhookEndpoints: WebhookEndpointsResource
  readonly test: TestResource

  constructor(transport: Transport) {
    this.organization = new OrganizationResource(transport)
    this.medications = new MedicationsResource(transport)
    this.patients = new PatientsResource(transport)
    this.consents = new Consents(transport)
    this.exports = new ExportsResource(transport)
    this.cases = new Cases(transport)
    this.messages = new MessagesResource(transport)
    this.prescriptions = new PrescriptionsResource(transport)
    this.orders = new OrdersResource(transport)
    this.visits = new VisitsResource(transport)
    this.files = new Files(transport)
    this.usage = new UsageResource(transport)
    this.invoices = new InvoicesResource(transport)
    this.events = new Events(transport)
    this.realtime = new Realtime(transport)
    this.webhookEndpoints = new WebhookEndpointsResource(transport)
    this.test = new TestResource(transport)
  }
}
