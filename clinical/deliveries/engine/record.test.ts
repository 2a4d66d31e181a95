// Recording many attempts in one statement must have the same effect as recording them one by one.

import { afterAll, describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { invokeOk } from '../../testing/call.ts'
import { openFixtures } from '../../testing/fixtures.ts'
import { queryAsOwner } from '../../testing/assertions.ts'
import { runIntoLock } from '../../testing/races.ts'
import { claim, type ClaimedDelivery } from './claim.ts'
import { clockOf } from './clock.ts'
import { dispatchOnce } from './testing/dispatch.ts'
import { type AttemptResult, type EndedAttempt, record } from './record.ts'
import { openRecorder } from './batch-recorder.ts'
import { clearEndpoints } from '../../testing/valid-calls.ts'
import { accepted } from '../../jobs/testing/worker.ts'

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
/** Writes this many events for every endpoint, and claims their deliveries. */
async function underWay(events: number): Promise<ClaimedDelivery[]> {
  for (let at = 0; at < events; at++) {
    await invokeOk(fixtures, 'triggerWebhook', { body: { type: 'order.shipped.v1' } })
  }
  const announced = fixtures.context.realtime.announce('test')
  await worker.use(connection => dispatchOnce(connection, clock, announced))
  const free = { all: 200, slow: 200 }
  return worker.use(connection => claim(connection, 'test', clock, free, `claim ${++claims}`))
}
const bad: AttemptResult = { ...accepted, succeeded: false, status: 500 }
const recordAll = (ended: readonly EndedAttempt[]) =>
  worker.use(connection => record(connection, clock, ended))
const queueOf = async (id: string) =>
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
  test('are recorded in order: the last results decide an endpoint’s state', async () => {
    const [one, other] = [await listen(), await listen()]
    const claimed = await underWay(6)
    const of = (id: string) => claimed.filter(each => each.webhook_endpoint === id)
    // At the retry schedule's last step, a failure is final.
    const last = of(one).map(each => ({ ...each, attempt: 8 }))
    const mixed = last.map((each, at) => ({ claimed: each, attempted: at === 3 ? accepted : bad }))
    const fine = of(other).map(each => ({ claimed: each, attempted: accepted }))
    const found = await recordAll([...mixed, ...fine])
    const failed = ['failed', 'failed', 'failed', 'delivered', 'failed', 'failed'] as const
    expect(found).toEqual([...failed, ...fine.map(() => 'delivered' as const)])
    expect(await failedOf(one)).toBe(2)
    expect(await queueOf(one)).toEqual({ slots: 2, successes: 0, slow: false })
    expect(await queueOf(other)).toEqual({ slots: 8, successes: 6, slow: false })
    expect(await recordAll([...mixed, ...fine])).toEqual([...mixed, ...fine].map(() => null))
    await clearEndpoints(fixtures)
  })

  test('make an endpoint due when its first retry is, and not at all after a success', async () => {
    const id = await listen()
    const dueAfter = async (attempted: AttemptResult) => {
      await recordAll((await underWay(1)).map(claimed => ({ claimed, attempted })))
      const [queue] = await queryAsOwner<{ seconds: number }>(
        fixtures,
        sql`select extract(epoch from next_due - clock_timestamp())::float8 as seconds
              from test.endpoint_queues where webhook_endpoint = ${id}`,
      )
      return queue?.seconds ?? 0
    }
    expect(await dueAfter(accepted)).toBe(Infinity)
    expect(await dueAfter(bad)).toBeWithin(30, 61)
    // A claim that ends with a recorded attempt doesn't count against the delivery.
    const waiting = await queryAsOwner<{ claims: number }>(
      fixtures,
      sql`select claims::int from test.due_deliveries where webhook_endpoint = ${id}`,
    )
    expect(waiting).toEqual([{ claims: 0 }])
    await clearEndpoints(fixtures)
  })

  test('change due times only for their own deliveries; a failure to be retried isn’t a failed event', async () => {
    const id = await listen()
    const [first, last, other] = await underWay(3)
    if (!first || !last || !other) throw new Error('expected three due deliveries')
    let more = 0
    const recordOne = (claimed: ClaimedDelivery, attempted: AttemptResult) =>
      worker.use(connection => record(connection, clock, [{ claimed, attempted }], () => more++))
    const due = () =>
      queryAsOwner(
        fixtures,
        sql`select delivery, claim, retry from test.due_deliveries
             where webhook_endpoint = ${id} order by delivery`,
      )
    const row = ({ id: delivery, claim }: ClaimedDelivery, retry = false) =>
      retry ? { delivery, claim: null, retry } : { delivery, claim, retry }
    const sorted = (rows: { delivery: string }[]) =>
      rows.toSorted((a, b) => (a.delivery < b.delivery ? -1 : 1))
    expect(await recordOne(first, bad)).toEqual(['pending'])
    expect(await failedOf(id)).toBe(0)
    expect(await due()).toEqual(sorted([row(first, true), row(last), row(other)]))
    expect(await recordOne({ ...last, attempt: 8 }, bad)).toEqual(['failed'])
    expect(await failedOf(id)).toBe(1)
    expect(await due()).toEqual(sorted([row(first, true), row(other)]))
    expect(await recordOne(other, accepted)).toEqual(['delivered'])
    expect(await due()).toEqual([row(first, true)])
    // Nothing is due before the retry, so nothing needs claiming.
    expect(more).toBe(0)
    await clearEndpoints(fixtures)
  })

  const timeout = { ...bad, status: null, error: 'timeout' }
  const [inTime, late] = [
    { ...accepted, milliseconds: 3000 },
    { ...accepted, milliseconds: 3001 },
  ]
  test.each<[string, AttemptResult[], boolean]>([
    ['three seconds', [inTime], false],
    ['more than three seconds', [late], true],
    ['a timeout, however short', [timeout], true],
    ['a quick answer after a late one', [late, inTime], false],
    ['a late answer after a quick one', [inTime, late], true],
  ])('when the last one took %s', async (_time, results, slow) => {
    const id = await listen()
    const claimed = await underWay(results.length)
    await recordAll(
      claimed.map((each, at) => ({ claimed: each, attempted: results[at] ?? accepted })),
    )
    expect(await queueOf(id)).toMatchObject({ slow })
    await clearEndpoints(fixtures)
  })

  test('give an endpoint no more than sixteen slots', async () => {
    const id = await listen()
    await queryAsOwner(
      fixtures,
      sql`update test.endpoint_queues set slots = 15, successes = 8 where webhook_endpoint = ${id}`,
    )
    const claimed = await underWay(12)
    await recordAll(claimed.map(each => ({ claimed: each, attempted: accepted })))
    expect(claimed).toHaveLength(12)
    expect(await queueOf(id)).toEqual({ slots: 16, successes: 0, slow: false })
    await recordAll((await underWay(1)).map(each => ({ claimed: each, attempted: accepted })))
    expect(await queueOf(id)).toEqual({ slots: 16, successes: 0, slow: false })
    await clearEndpoints(fixtures)
  })

  test('reset only the consecutive failures of the endpoint that succeeded', async () => {
    const [one, other] = [await listen(), await listen()]
    const failAll = async () => {
      const claimed = await underWay(1)
      return recordAll(claimed.map(each => ({ claimed: { ...each, attempt: 8 }, attempted: bad })))
    }
    await failAll()
    await failAll()
    expect([await failedOf(one), await failedOf(other)]).toEqual([2, 2])
    const claimed = await underWay(1)
    await recordAll(
      claimed.map(each => ({
        claimed: { ...each, attempt: 8 },
        attempted: each.webhook_endpoint === one ? accepted : bad,
      })),
    )
    expect([await failedOf(one), await failedOf(other)]).toEqual([0, 3])
    await clearEndpoints(fixtures)
  })

  test('for the same endpoints cause no deadlock, even with the dispatcher', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, listen))
    for (let round = 0; round < 4; round++) {
      const claimed = await underWay(4)
      const parts = [0, 1, 2, 3].map(part =>
        claimed
          .filter((_, at) => at % 4 === part)
          .map(each => ({ claimed: each, attempted: accepted })),
      )
      const [reversed = [], ...rest] = parts
      await invokeOk(fixtures, 'triggerWebhook', { body: { type: 'order.shipped.v1' } })
      const announced = fixtures.context.realtime.announce('test')
      const [made, ...found] = await Promise.all([
        worker.use(connection => dispatchOnce(connection, clock, announced)),
        recordAll(reversed.toReversed()),
        ...rest.map(recordAll),
      ])
      expect(made).toMatchObject({ made: ids.length })
      expect(found.flat().every(status => status === 'delivered')).toBe(true)
    }
    await clearEndpoints(fixtures)
  })
})

describe('a failure', () => {
  test('leaves a delivery to the worker that’s claiming it right now', async () => {
    const id = await listen()
    const [one] = await underWay(1)
    if (one === undefined) throw new Error('expected a due delivery')
    const found = await runIntoLock(
      fixtures,
      sql`update test.due_deliveries set claim = 'of another' where delivery = ${one.id}`,
      [() => recordAll([{ claimed: one, attempted: bad }])],
    )
    expect(found).toEqual([[null]])
    const due = sql`select claim, retry from test.due_deliveries where webhook_endpoint = ${id}`
    expect(await queryAsOwner(fixtures, due)).toEqual([{ claim: 'of another', retry: false }])
    await clearEndpoints(fixtures)
  })
})

describe('a recorder', () => {
  type Batch = readonly EndedAttempt[]
  const ended = (id: string) => ({
    claimed: { own: '1', id } as ClaimedDelivery,
    attempted: accepted,
  })

  test('records attempts that ended together in one statement, each delivery once', async () => {
    const written: Batch[] = []
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

  test('records 128 attempts in one statement at most', async () => {
    const sizes: number[] = []
    const recorder = openRecorder(worker, async (_connection, all) => {
      sizes.push(all.length)
      return all.map(() => 'delivered')
    })
    await Promise.all(Array.from({ length: 129 }, (_, at) => recorder(ended(`d${at}`))))
    expect(sizes).toEqual([128, 1])
  })

  test('makes attempts that end while a statement runs wait for the next one', async () => {
    const gate = Promise.withResolvers<void>()
    const written: string[] = []
    const recorder = openRecorder(worker, async (_connection, all) => {
      written.push(all.map(one => one.claimed.id).join(''))
      await gate.promise
      return all.map(() => 'delivered')
    })
    const first = recorder(ended('a'))
    await until(() => written.length > 0)
    const others = ['b', 'c'].map(id => recorder(ended(id)))
    gate.resolve()
    await Promise.all([first, ...others])
    expect(written).toEqual(['a', 'bc'])
  })

  test('records each attempt by itself when the batch fails', async () => {
    const recorder = openRecorder(worker, async (_connection, all) => {
      if (all.some(one => one.claimed.id === 'poison')) throw new Error('not this one')
      return all.map(() => 'delivered')
    })
    const each = ['a', 'poison', 'b'].map(id => recorder(ended(id)).catch(() => 'refused'))
    expect(await Promise.all(each)).toEqual(['delivered', 'refused', 'delivered'])
  })
})
