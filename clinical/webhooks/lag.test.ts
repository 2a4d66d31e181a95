// Deliveries that are behind: nobody may ask for more, and events go on being written.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { limits } from '#contract/limits.ts'
import { sql } from '#database/sql.ts'
import { ask, must, rivera } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { validCalls } from '../testing/valid-calls.ts'
import { queryAsOwner, refused } from '../testing/assertions.ts'

let fixtures: Fixtures
beforeAll(async () => {
  fixtures = await openFixtures()
})
afterAll(async () => {
  expect(fixtures.errors).toEqual([])
  await fixtures.close()
})

const type = 'order.shipped.v1'
/** By so many seconds the oldest event waits for the dispatcher. */
const wait = (seconds: number) =>
  queryAsOwner(
    fixtures,
    sql`update test.outbox set created_at = now() - ${seconds}::int * interval '1 second'`,
  )
const believed = (rows: number) =>
  queryAsOwner(
    fixtures,
    sql`update pg_class set reltuples = ${rows}::int where oid = 'test.due_deliveries'::regclass`,
  )

test('429 to redeliver and trigger while the outbox is a minute late; writes go on', async () => {
  const { id } = await must(fixtures, 'triggerWebhook', { body: { type } })
  await wait(limits.webhookBehindSeconds / 2)
  await must(fixtures, 'redeliverEvent', { id, body: {} })
  await wait(limits.webhookBehindSeconds + 1)
  for (const again of [
    () => refused(fixtures, 'triggerWebhook', 'rate_limited', { body: { type } }),
    () => refused(fixtures, 'redeliverEvent', 'rate_limited', { id, body: {}, key: 'the-same' }),
  ]) {
    const { headers, body } = await again()
    expect(headers['retry-after']).toBe(String(limits.webhookBehindSeconds))
    expect(body.detail).toContain('Deliveries are behind')
  }
  // Whoever is another tenant's is nobody's, late or not.
  const as = fixtures.ben.test
  expect((await ask(fixtures, 'redeliverEvent', { as, id, body: {} })).code).toBe('not_found')
  const { id: patient } = await must(fixtures, 'createPatient', { body: rivera })
  const { data } = await must(fixtures, 'listEvents')
  expect(data.at(-1).resource.id).toBe(patient)
  await queryAsOwner(fixtures, sql`delete from test.outbox`)
  expect((await ask(fixtures, 'redeliverEvent', { id, body: {}, key: 'the-same' })).status).toBe(
    202,
  )
})

test('a sweep of every operation is not behind, however long it lasts', async () => {
  await must(fixtures, 'triggerWebhook', { body: { type } })
  for (const id of ['redeliverEvent', 'listDeliveries', 'triggerWebhook'] as const) {
    await wait(2 * limits.webhookBehindSeconds)
    const asked = await validCalls[id](fixtures, fixtures.ada.test)
    await must(fixtures, id, { as: fixtures.ada.test, ...asked })
  }
})

test('429 while there are a million to make; live and test are each their own', async () => {
  const { id } = await must(fixtures, 'triggerWebhook', { body: { type } })
  await believed(limits.webhookDueMax)
  await must(fixtures, 'redeliverEvent', { id, body: {} })
  await believed(limits.webhookDueMax + 1000)
  await refused(fixtures, 'redeliverEvent', 'rate_limited', { id, body: {} })
  const as = fixtures.ada.live
  await must(fixtures, 'createPatient', { as, body: rivera })
  const { data } = await must(fixtures, 'listEvents', { as })
  await must(fixtures, 'redeliverEvent', { as, id: data[0].id, body: {} })
})
