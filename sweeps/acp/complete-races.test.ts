import { afterAll, beforeAll, expect, test } from 'bun:test'
import { untilPaused } from '#http/testing/pauses.ts'
import { createIdempotencyStore } from '#booking/idempotency/store.ts'
import { randomBytes } from '#database/clock.ts'
import { until } from '#http/testing/until.ts'
import { type AgentsFixture, openAgents } from '#gateway/testing/agents.ts'
import {
  create as createAt,
  newKey,
  post as postTo,
  type AcpRequest,
  newBuyer,
} from '../testing/acp-agent.ts'

// Concurrent completions of checkout sessions.
let context: AgentsFixture
beforeAll(async () => {
  context = await openAgents()
}, 60_000)
afterAll(() => context?.close())

const post = (path: string, sent?: AcpRequest) => postTo(context, path, sent)
const create = () => createAt(context)
const complete = async (buyer: object, sent: AcpRequest = {}, id?: string) =>
  post(`/${id ?? (await create())}/complete`, { body: { buyer }, ...sent })

/** One email to the buyer and one to the company. */
const once = { bookings: 1, mail: 2 }

test('one of twenty concurrent retries with one key books; the others replay it or get 409', async () => {
  const [buyer, key, id] = [newBuyer(), newKey(), await create()]
  const all = Array.from({ length: 20 }, () => complete(buyer, { key }, id))
  const answers = await Promise.all(all)
  const fresh = answers.filter(
    each => each.status === 200 && !each.headers.has('idempotent-replayed'),
  )
  expect(fresh).toHaveLength(1)
  for (const each of answers) {
    if (each.status === 200) expect(each.text).toBe(fresh[0]?.text ?? '')
    else {
      expect([each.status, each.body['code']]).toEqual([409, 'idempotency_in_flight'])
      expect(each.headers.get('retry-after')).toBe('1')
    }
  }
  expect(await context.rowsOf(buyer.email)).toEqual(once)
})

test('one of ten concurrent people in one session books', async () => {
  const id = await create()
  const people = Array.from({ length: 10 }, newBuyer)
  const answers = await Promise.all(people.map(buyer => complete(buyer, { key: newKey() }, id)))
  const statuses = answers.map(({ status }) => status).toSorted()
  expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 405)])
  const rows = await Promise.all(people.map(({ email }) => context.rowsOf(email)))
  expect(rows.filter(({ bookings }) => bookings > 0)).toEqual([once])
})

test('one of ten concurrent requests for one person with different keys books, and all get its response', async () => {
  const [buyer, id] = [newBuyer(), await create()]
  const calls = Array.from({ length: 10 }, () => complete(buyer, { key: newKey() }, id))
  const answers = await Promise.all(calls)
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(await context.rowsOf(buyer.email)).toEqual(once)
})

test('a request waits a second for the one that books, and gets its response', async () => {
  const [buyer, id] = [newBuyer(), await create()]
  const { running } = await context.owner.begin(async connection => {
    await connection`lock table site.bookings in exclusive mode`
    // The promise is wrapped in an object, because a bare promise would be awaited before the
    // commit.
    const calls = [1, 2].map(() => complete(buyer, { key: newKey() }, id))
    await untilPaused(20, 20)
    return { running: Promise.all(calls) }
  })
  const answers = await running
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(answers[0]?.text).toBe(answers[1]?.text ?? '')
  expect(await context.rowsOf(buyer.email)).toEqual(once)
})

test('a request that waits three seconds for the one that books is refused as in flight', async () => {
  const [buyer, id] = [newBuyer(), await create()]
  const store = createIdempotencyStore({
    pool: context.bookingService.pool,
    secret: 'a secret of a test',
    randomBytes,
  })
  const { promise, resolve } = Promise.withResolvers<{ status: number; body: string }>()
  const session = { scope: 'acp session', key: id, content: buyer.email }
  const booking = store.once(session, () => promise)
  await until(async () => (await store.find(session)) !== undefined)
  const began = performance.now()
  const { status, headers, body } = await complete(buyer, {}, id)
  expect([status, body['code']]).toEqual([409, 'idempotency_in_flight'])
  expect(headers.get('retry-after')).toBe('1')
  expect(body['message']).toBe('Another call is completing this session. Try again in 1 second.')
  expect(performance.now() - began).toBeGreaterThanOrEqual(3000)
  resolve({ status: 500, body: '' })
  await booking
}, 20_000)
