// Many attempts in one statement, and the same as if each had come by itself.

import { afterAll, describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { invokeOk } from '../../testing/call.ts'
import { openFixtures } from '../../testing/fixtures.ts'
import { queryAsOwner } from '../../testing/assertions.ts'
import { claim, type Claimed } from './claim.ts'
import { clockOf } from './clock.ts'
import { dispatch } from './dispatch.ts'
import { type Attempted, type Ended, record } from './record.ts'
import { openRecorder } from './batch-recorder.ts'
import { clearEndpoints } from '../../testing/valid-calls.ts'
import { good } from '../../jobs/testing/worker.ts'

const fixtures = await openFixtures({ allowed: ['127.0.0.1'] })
const worker = fixtures.workerContext.pools.test
const clock = clockOf()
afterAll(() => fixtures.close())

let claims = 0
const listen = async () =>
  (
    await invokeOk(fixtures, 'createWebhookEndpoint', {
      body: { url: 'https://hooks.brand.example/', event_types: ['order.shipped.v1'] },
    })
  ).id
/** So many events for every endpoint, each of them under way. */
async function underWay(events: number): Promise<Claimed[]> {
  for (let at = 0; at < events; at++) {
    await invokeOk(fixtures, 'triggerWebhook', { body: { type: 'order.shipped.v1' } })
  }
  const announced = fixtures.context.realtime.announce('test')
  await worker.use(connection => dispatch(connection, clock, announced))
  const free = { all: 200, slow: 200 }
  return worker.use(connection => claim(connection, 'test', clock, free, `claim ${++claims}`))
}
const bad: Attempted = { ...good, succeeded: false, status: 500 }
const note = (ended: readonly Ended[]) => worker.use(connection => record(connection, clock, ended))
const laneOf = async (id: string) =>
  (
    await queryAsOwner<{ slots: number; successes: number; slow: boolean }>(
      fixtures,
      sql`select slots, successes, slow from test.endpoint_queues where webhook_endpoint = ${id}`,
    )
  )[0]
const failedOf = async (id: string) =>
  (await queryAsOwner(fixtures, sql`select from test.failed_events where webhook_endpoint = ${id}`))
    .length

describe('attempts that ended together', () => {
  test('are recorded in order: what counts for an endpoint is what came last', async () => {
    const [one, other] = [await listen(), await listen()]
    const claimed = await underWay(6)
    const of = (id: string) => claimed.filter(each => each.webhook_endpoint === id)
    // The last rung of the ladder: a failure is for good.
    const last = of(one).map(each => ({ ...each, attempt: 8 }))
    const mixed = last.map((each, at) => ({ claimed: each, attempted: at === 3 ? good : bad }))
    const fine = of(other).map(each => ({ claimed: each, attempted: good }))
    const found = await note([...mixed, ...fine])
    const failed = ['failed', 'failed', 'failed', 'delivered', 'failed', 'failed'] as const
    expect(found).toEqual([...failed, ...fine.map(() => 'delivered' as const)])
    expect(await failedOf(one)).toBe(2)
    expect(await laneOf(one)).toEqual({ slots: 2, successes: 0, slow: false })
    expect(await laneOf(other)).toEqual({ slots: 8, successes: 6, slow: false })
    expect(await note([...mixed, ...fine])).toEqual([...mixed, ...fine].map(() => null))
    await clearEndpoints(fixtures)
  })

  test('of the same endpoints never stop each other, nor the dispatcher', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, listen))
    for (let round = 0; round < 4; round++) {
      const claimed = await underWay(4)
      const parts = [0, 1, 2, 3].map(part =>
        claimed
          .filter((_, at) => at % 4 === part)
          .map(each => ({ claimed: each, attempted: good })),
      )
      const [reversed = [], ...rest] = parts
      await invokeOk(fixtures, 'triggerWebhook', { body: { type: 'order.shipped.v1' } })
      const announced = fixtures.context.realtime.announce('test')
      const [made, ...found] = await Promise.all([
        worker.use(connection => dispatch(connection, clock, announced)),
        note(reversed.toReversed()),
        ...rest.map(note),
      ])
      expect(made).toMatchObject({ made: ids.length })
      expect(found.flat().every(status => status === 'delivered')).toBe(true)
    }
    await clearEndpoints(fixtures)
  })
})

describe('a recorder', () => {
  type Written = readonly Ended[]
  const ended = (id: string) => ({ claimed: { own: '1', id } as Claimed, attempted: good })

  test('writes together what ended together, and no delivery twice at once', async () => {
    const written: Written[] = []
    const recorder = openRecorder(worker, async (_connection, all) => {
      written.push(all)
      return all.map(() => 'delivered')
    })
    const ids = ['a', 'b', 'a', 'c']
    expect(await Promise.all(ids.map(id => recorder(ended(id))))).toEqual(
      ids.map(() => 'delivered' as const),
    )
    expect(written.map(all => all.map(one => one.claimed.id).join(''))).toEqual(['abc', 'a'])
  })

  test('writes each alone when they cannot be written together', async () => {
    const recorder = openRecorder(worker, async (_connection, all) => {
      if (all.some(one => one.claimed.id === 'poison')) throw new Error('not this one')
      return all.map(() => 'delivered')
    })
    const each = ['a', 'poison', 'b'].map(id => recorder(ended(id)).catch(() => 'refused'))
    expect(await Promise.all(each)).toEqual(['delivered', 'refused', 'delivered'])
  })
})
