// Tests which writes wake the workers, and which tenants the wake-up names.
import { expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { invoke, invokeOk, rivera } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'

const fixtures = useFixtures()

/** Returns the tenants that a call wakes the workers for. */
async function wokenBy(options: object) {
  const woken: string[] = []
  const wakeUp = { notify: (tenant: string) => void woken.push(tenant), close: async () => {} }
  const context = { ...fixtures.context, wakeUps: { test: wakeUp, live: wakeUp } }
  const { status } = await invoke({ ...fixtures, context }, 'createPatient', options)
  return { status, woken }
}

test('a write wakes workers immediately for its tenant only if an endpoint follows its event', async () => {
  expect(await wokenBy({ body: rivera })).toEqual({ status: 201, woken: [] })
  const body = { url: 'https://example.com/hooks', event_types: ['patient.created.v1'] }
  await invokeOk(fixtures, 'createWebhookEndpoint', { body })
  const key = 'wakes-the-workers'
  const { integration, organization } = fixtures.ada
  const [tenant] = await queryAsOwner<{ id: string }>(
    fixtures,
    sql`select id::text from test.tenants where integration = ${integration}
           and organization = ${organization} and retired_at is null`,
  )
  const followed = { status: 201, woken: [tenant?.id ?? ''] }
  expect(await wokenBy({ body: rivera, key })).toEqual(followed)
  // A replay writes no event.
  expect(await wokenBy({ body: rivera, key })).toEqual({ status: 201, woken: [] })
})
