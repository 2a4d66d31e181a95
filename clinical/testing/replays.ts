// Shared by the replay tests. The worker's steps run one at a time, each as if a second had passed.

import { expect } from 'bun:test'
import { momentText, now } from '#database/clock.ts'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { type Step, stepOnce } from '../replays/step.ts'
import { queryAsOwner } from './assertions.ts'
import { invokeOk, rivera } from './call.ts'
import type { Fixtures } from './fixtures.ts'
import { endpoint } from './valid-calls.ts'

/** Waits until real time passes the tenant's clock, which a test's writes move ahead. */
export async function nextMoment(fixtures: Fixtures): Promise<string> {
  const [row] = await queryAsOwner<{ at: string }>(
    fixtures,
    sql`select iso(max(last) + interval '1 ms') as at from test.tenants
         where integration = ${fixtures.ada.integration}`,
  )
  const at = row?.at ?? ''
  await until(() => now() > Date.parse(at))
  return momentText(now())
}
type Item = { id: string; event: string; status: string }

export const listen = async (fixtures: Fixtures, more: object = {}): Promise<string> =>
  (
    await invokeOk(fixtures, 'createWebhookEndpoint', {
      body: { ...endpoint, event_types: ['patient.created.v1'], ...more },
    })
  ).id

/** Creates this many events, each about its own patient, and returns their IDs. */
export async function createEvents(fixtures: Fixtures, count: number): Promise<string[]> {
  const [{ at } = { at: '' }] = await queryAsOwner<{ at: string }>(
    fixtures,
    sql`select coalesce(max(id), '') as at from test.events`,
  )
  for (let made = 0; made < count; made++)
    await invokeOk(fixtures, 'createPatient', { body: rivera })
  const rows = await queryAsOwner<{ id: string }>(
    fixtures,
    sql`select id from test.events where id > ${at} order by id`,
  )
  expect(rows).toHaveLength(count)
  return rows.map(({ id }) => id)
}

/** Runs one step, a second after the previous one. */
export async function step(fixtures: Fixtures): Promise<Step | null> {
  await queryAsOwner(fixtures, sql`update test.replays set due_at = now() where status = 'running'`)
  return fixtures.workerContext.pools.test.use(stepOnce)
}

/** Returns an endpoint's deliveries in order. */
export const deliveriesOf = (fixtures: Fixtures, webhook_endpoint: string) =>
  queryAsOwner<Item>(
    fixtures,
    sql`select d.id, d.event, d.status from test.deliveries d join test.due_deliveries q
            on q.tenant = d.tenant and q.delivery = d.id
         where d.webhook_endpoint = ${webhook_endpoint} order by q.due_at, d.id`,
  )
