// Actions for the cursor tests: creating endpoints and events, and reading which events an endpoint
// receives.

import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../../../testing/assertions.ts'
import { invokeOk, rivera } from '../../../testing/call.ts'
import type { Fixtures } from '../../../testing/fixtures.ts'

export const openCursorCalls = (fixtures: Fixtures) => ({
  async listen(types = ['patient.created.v1']): Promise<string> {
    const body = { url: 'https://hooks.brand.example/', event_types: types }
    return (await invokeOk(fixtures, 'createWebhookEndpoint', { body })).id
  },
  /** Creates a patient, which writes an event, and returns the patient's ID. */
  async write(): Promise<string> {
    return (await invokeOk(fixtures, 'createPatient', { body: rivera })).id
  },
  /** Returns the patients whose creation events an endpoint was sent, in delivery order. */
  async sentTo(id: string): Promise<string[]> {
    const rows = await queryAsOwner<{ patient: string }>(
      fixtures,
      sql`select e.resource_id as patient from test.deliveries d
            join test.events e on e.tenant = d.event_tenant and e.id = d.event
           where d.webhook_endpoint = ${id} order by d.id`,
    )
    return rows.map(({ patient }) => patient)
  },
})
