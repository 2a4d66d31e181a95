// Queues shared by several tenants: a tenant whose single item arrives last waits for only one turn
// of a tenant with many items.

import { afterEach, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { claim } from '../pharmacy/claim.ts'
import { openPharmacyClinic } from '../pharmacy/testing/clinic.ts'
import { stepOnce } from '../replays/step.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { invokeOk, queuedCase } from '../testing/call.ts'
import { completePending, requestExport } from '../testing/exports.ts'
import { attachFile, scanAll } from '../testing/files.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { endpoint } from '../testing/valid-calls.ts'
import { openTurns } from './turns.ts'

const fixtures = useFixtures()
afterEach(() => expect(fixtures.errors.splice(0)).toEqual([]))

const noisyCount = 6
type Mode = 'test' | 'live'

/** Creates several pieces of work for one tenant, then one piece for another tenant. */
async function work(mode: Mode, make: (as: string) => Promise<string>): Promise<string> {
  for (let n = 0; n < noisyCount; n++) await make(fixtures.ada[mode])
  return make(fixtures.ben[mode])
}

test('scans: two run concurrently, and a quiet tenant waits for the two already running', async () => {
  const quiet = await work('live', async as => {
    const { id } = await queuedCase(fixtures, as)
    return (await attachFile(fixtures, { as, case: id })).id
  })
  expect(await scanAll(fixtures)).toBe(noisyCount + 1)
  const scanned = await queryAsOwner<{ target: string }>(
    fixtures,
    sql`select target from audit.entries
         where action = 'clearFile' and surface = 'worker' order by seq`,
  )
  // Another piece of the noisy tenant's work may finish first.
  expect(scanned.findIndex(({ target }) => target === quiet)).toBeLessThanOrEqual(3)
  expect(scanned).toHaveLength(noisyCount + 1)
}, 60_000)

test('exports: a quiet tenant waits for one export', async () => {
  const quiet = await work('test', async as => (await requestExport(fixtures, as)).id)
  expect(await completePending(fixtures)).toBe(noisyCount + 1)
  const done = await queryAsOwner<{ id: string }>(
    fixtures,
    sql`select id from test.exports where status = 'completed' order by expires_at, id`,
  )
  expect(done.findIndex(({ id }) => id === quiet)).toBe(1)
})

test('replays: a quiet tenant waits for one step', async () => {
  const since = new Date(fixtures.context.now() - 3_600_000).toISOString()
  const quiet = await work('test', async as => {
    const { id } = await invokeOk(fixtures, 'createWebhookEndpoint', { as, body: endpoint })
    const body = { webhook_endpoint: id, since, only: 'all' }
    return (await invokeOk(fixtures, 'replayEvents', { as, body })).id
  })
  const turns = openTurns()
  const steps: string[] = []
  for (let n = 0; n < 2; n++) {
    const step = await fixtures.workerContext.pools.test.use(one => stepOnce(one, turns))
    if (step === null) throw new Error('nothing was due')
    turns.took(step.tenant)
    steps.push(step.id)
  }
  expect(steps.at(-1)).toBe(quiet)
})

test('prescriptions: each pharmacy’s first is sent before any second, and pharmacies take turns', async () => {
  const clinic = await openPharmacyClinic(fixtures)
  const send = async (pharmacy: string) => {
    const { order } = await clinic.approve()
    await queryAsOwner(
      fixtures,
      sql`insert into pharmacy.connections (id, organization, name, url, secret, ended_at)
          values (${pharmacy}, ${fixtures.clinic}, 'Pharmacy', 'https://a.example', '', now())
              on conflict do nothing`,
    )
    await queryAsOwner(
      fixtures,
      sql`update pharmacy.transmissions set connection = ${pharmacy} where "order" = ${order}`,
    )
  }
  await clinic.connect()
  for (const pharmacy of ['noisy', 'noisy', 'noisy', 'noisy', 'loud', 'loud', 'quiet']) {
    await send(pharmacy)
  }
  const turns = openTurns()
  const claimNext = async (most: number) => {
    const { claimed } = await clinic.parts.pool.use(one => claim(one, most, () => 'lease', turns))
    return claimed.map(({ connection }) => connection)
  }
  const first = new Set(await claimNext(2))
  expect(first.size).toBe(2)
  expect(first.union(new Set(await claimNext(2)))).toEqual(new Set(['noisy', 'loud', 'quiet']))
  expect(await claimNext(9)).toHaveLength(3)
  await clinic.close()
})
