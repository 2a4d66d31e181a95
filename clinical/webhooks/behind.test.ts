// Deliveries that are behind: nobody may ask for more, and events go on being written.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { limits } from '#contract/limits.ts'
import { sql } from '#database/sql.ts'
import { ask, must, rivera } from '../ask.ts'
import { type Cast, openCast } from '../cast.ts'
import { scenes } from '../scenes.ts'
import { owned, refused } from '../watch.ts'

let cast: Cast
beforeAll(async () => {
  cast = await openCast()
})
afterAll(async () => {
  expect(cast.alarms).toEqual([])
  await cast.close()
})

const type = 'order.shipped.v1'
/** By so many seconds the oldest event waits for the dispatcher. */
const wait = (seconds: number) =>
  owned(
    cast,
    sql`update test.outbox set created_at = now() - ${seconds}::int * interval '1 second'`,
  )
const believed = (rows: number) =>
  owned(
    cast,
    sql`update pg_class set reltuples = ${rows}::int where oid = 'test.due_deliveries'::regclass`,
  )

test('429 to redeliver and trigger while the outbox is a minute late; writes go on', async () => {
  const { id } = await must(cast, 'triggerWebhook', { body: { type } })
  await wait(limits.webhookBehindSeconds / 2)
  await must(cast, 'redeliverEvent', { id, body: {} })
  await wait(limits.webhookBehindSeconds + 1)
  for (const again of [
    () => refused(cast, 'triggerWebhook', 'rate_limited', { body: { type } }),
    () => refused(cast, 'redeliverEvent', 'rate_limited', { id, body: {}, key: 'the-same' }),
  ]) {
    const { headers, body } = await again()
    expect(headers['retry-after']).toBe(String(limits.webhookBehindSeconds))
    expect(body.detail).toContain('Deliveries are delayed')
  }
  // Whoever is another tenant's is nobody's, late or not.
  const as = cast.ben.test
  expect((await ask(cast, 'redeliverEvent', { as, id, body: {} })).code).toBe('not_found')
  const { id: patient } = await must(cast, 'createPatient', { body: rivera })
  const { data } = await must(cast, 'listEvents')
  expect(data.at(-1).resource.id).toBe(patient)
  await owned(cast, sql`delete from test.outbox`)
  expect((await ask(cast, 'redeliverEvent', { id, body: {}, key: 'the-same' })).status).toBe(202)
})

test('a sweep of every operation is not behind, however long it lasts', async () => {
  await must(cast, 'triggerWebhook', { body: { type } })
  for (const id of ['redeliverEvent', 'listDeliveries', 'triggerWebhook'] as const) {
    await wait(2 * limits.webhookBehindSeconds)
    const asked = await scenes[id](cast, cast.ada.test)
    await must(cast, id, { as: cast.ada.test, ...asked })
  }
})

test('429 while there are a million to make; live and test are each their own', async () => {
  const { id } = await must(cast, 'triggerWebhook', { body: { type } })
  await believed(limits.webhookDueMax)
  await must(cast, 'redeliverEvent', { id, body: {} })
  await believed(limits.webhookDueMax + 1000)
  await refused(cast, 'redeliverEvent', 'rate_limited', { id, body: {} })
  const as = cast.ada.live
  await must(cast, 'createPatient', { as, body: rivera })
  const { data } = await must(cast, 'listEvents', { as })
  await must(cast, 'redeliverEvent', { as, id: data[0].id, body: {} })
})
