// Runs dispatchers alongside writers, other workers, endpoint changes and resets. Every event
// written while an endpoint listened has one delivery to that endpoint, and no other event has any.

import { afterEach, expect, test } from 'bun:test'
import { until } from '#http/testing/until.ts'
import { sql } from '#database/sql.ts'
import { nextMoment } from '../../testing/replays.ts'
import { runIntoLock } from '../../testing/races.ts'
import { invokeOk, rivera } from '../../testing/call.ts'
import { useFixtures } from '../../testing/fixtures.ts'
import { eventsAfter, queryAsOwner } from '../../testing/assertions.ts'
import { clearEndpoints } from '../../testing/valid-calls.ts'
import { clockOf } from './clock.ts'
import { dispatch } from './dispatch.ts'
import { openCursorCalls } from './testing/cursor-calls.ts'
import { openLoadFixture } from './testing/load.ts'
import { dispatchOnce } from './testing/dispatch.ts'

const fixtures = useFixtures({ poolSize: 16 })
const announced = () => fixtures.context.realtime.announce('test')
const pool = () => fixtures.workerContext.pools.test
const once = () => pool().use(connection => dispatchOnce(connection, clockOf(), announced()))
afterEach(() => clearEndpoints(fixtures))

const { listen, write, sentTo } = openCursorCalls(fixtures)
const atOnce = (count: number, work: () => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, work))
const toRead = async () => (await queryAsOwner(fixtures, sql`select test.tenants_to_read()`)).length

test('four workers create one delivery per event, in event order, while writers run', async () => {
  const id = await listen()
  let isWriting = true
  const writing = () => isWriting
  const work = async () => {
    let made = 0
    while (writing() || (await toRead()) > 0) made += (await once()).made
    return made
  }
  const workers = Promise.all([work(), work(), work(), work()])
  await atOnce(8, async () => {
    for (let n = 0; n < 8; n++) await write()
  })
  isWriting = false
  const made = await workers
  expect(made.reduce((sum, one) => sum + one, 0)).toBe(64)
  const events = await eventsAfter(fixtures, null)
  const written = events.filter(one => one.type === 'patient.created.v1').slice(-64)
  expect(await sentTo(id)).toEqual(written.map(one => one.resource.id))
}, 60_000)

test('an endpoint created or enabled during writes gets every event after the response, and none from before the call', async () => {
  for (const kind of ['created', 'enabled'] as const) {
    const other = kind === 'enabled' ? await listen() : ''
    await invokeOk(fixtures, 'createPatient', { body: rivera })
    if (other)
      await invokeOk(fixtures, 'updateWebhookEndpoint', { id: other, body: { status: 'disabled' } })
    const before: string[] = []
    const after: string[] = []
    let phase: 'before' | 'during' | 'after' | 'over' = 'before'
    const now = () => phase
    const writer = async () => {
      while (now() !== 'over') {
        const [began, patient] = [now(), await write()]
        // Events written before the call must also have been committed before it.
        if (began === 'before' && now() === 'before') before.push(patient)
        if (began === 'after') after.push(patient)
        await once()
      }
    }
    const writers = Promise.all(Array.from({ length: 6 }, writer))
    await until(() => before.length >= 12)
    phase = 'during'
    const body = { status: 'enabled' }
    if (other) await invokeOk(fixtures, 'updateWebhookEndpoint', { id: other, body })
    const id = other || (await listen())
    phase = 'after'
    await until(() => after.length >= 12)
    phase = 'over'
    await writers
    while ((await toRead()) > 0) await once()
    const sent = await sentTo(id)
    expect(new Set(sent).size).toBe(sent.length)
    expect(after.filter(patient => !sent.includes(patient))).toEqual([])
    expect(before.filter(patient => sent.includes(patient))).toEqual([])
  }
}, 60_000)

test('a worker skips a tenant that another has locked, and loses no events', async () => {
  const id = await listen()
  const first = await write()
  await fixtures.owner.use(async connection => {
    await connection.run(sql`begin`)
    await connection.run(sql`select from test.event_cursors for update`)
    expect(await once()).toMatchObject({ read: 0, made: 0 })
    await connection.run(sql`rollback`)
  })
  expect(await once()).toMatchObject({ read: 1, made: 1 })
  // The later dispatch reads the cursor that the earlier dispatch left, but only events from before
  // its own start.
  const second = await write()
  const late = await runIntoLock(
    fixtures,
    sql`select from test.tenants where integration = ${fixtures.ada.integration} for update`,
    [once, once],
  )
  expect(late.map(one => one.made).toSorted()).toEqual([0, 1])
  expect(await sentTo(id)).toEqual([first, second])
})

test('events written while no endpoint was enabled are skipped', async () => {
  const id = await listen()
  await invokeOk(fixtures, 'updateWebhookEndpoint', { id, body: { status: 'disabled' } })
  await atOnce(10, write)
  expect([await toRead(), (await once()).read]).toEqual([0, 0])
  // Ten concurrent writes move the tenant's clock ahead of real time.
  await nextMoment(fixtures)
  await invokeOk(fixtures, 'updateWebhookEndpoint', { id, body: { status: 'enabled' } })
  const last = await write()
  expect(await once()).toMatchObject({ read: 1, made: 1, unfinished: [] })
  expect(await sentTo(id)).toEqual([last])
})

test("reads no more events of a reset tenant, and reads its successor's", async () => {
  const id = await listen()
  await atOnce(3, write)
  await invokeOk(fixtures, 'resetSandbox')
  const last = await write()
  expect(await once()).toMatchObject({ read: 1, made: 1 })
  expect(await sentTo(id)).toEqual([last])
})

test('each tenant’s turn has the same number of events, and the rest wait for its next turn', async () => {
  await listen()
  await invokeOk(fixtures, 'createWebhookEndpoint', {
    as: fixtures.ben.test,
    body: { url: 'https://hooks.brand.example/', event_types: ['patient.created.v1'] },
  })
  await atOnce(20, write)
  await invokeOk(fixtures, 'createPatient', { as: fixtures.ben.test, body: rivera })
  const free = { all: 32, slow: 0 }
  const tenants = await queryAsOwner<{ tenant: string }>(
    fixtures,
    sql`select t::text as tenant from test.tenants_to_read() t order by t`,
  )
  expect(tenants).toHaveLength(2)
  const reading = {
    clock: clockOf(),
    announced: announced(),
    tenants: tenants.map(({ tenant }) => tenant),
  }
  const turn = () =>
    pool().use(connection => dispatch(connection, reading, { mode: 'test', free, name: 'turn' }))
  const first = await turn()
  // Reads sixteen events from one tenant, and the other tenant's only event.
  expect([first.read, first.unfinished.length]).toEqual([17, 1])
  reading.tenants = first.unfinished
  const second = await turn()
  expect([second.read, second.unfinished]).toEqual([4, []])
  await clearEndpoints(fixtures, fixtures.ben.test)
})

test('a dispatch reads 500 events, or as many as sockets are free but at least 32; each turn has eight', async () => {
  // Returns how many of a hundred tenants get a turn in the next dispatch.
  const unknown = Array.from({ length: 100 }, (_, at) => String(1_000_000 + at))
  const leftOf = async (all?: number) => {
    const reading = { clock: clockOf(), announced: announced(), tenants: [...unknown] }
    const claims = { mode: 'test', free: { all: all ?? 0, slow: 0 }, name: 'sizes' } as const
    await pool().use(connection =>
      dispatch(connection, reading, all === undefined ? undefined : claims),
    )
    return reading.tenants.length
  }
  const left: number[] = []
  for (const all of [undefined, 0, 1, 80, 1000]) left.push(await leftOf(all))
  expect(left).toEqual([37, 37, 96, 90, 37])

  while ((await toRead()) > 0) await once()
  const load = await openLoadFixture(fixtures, 1, 'https://hooks.brand.example/')
  await load.emit(501)
  const first = await once()
  expect([first.read, first.made, first.unfinished.length]).toEqual([500, 500, 1])
  expect(await once()).toMatchObject({ read: 1, made: 1, unfinished: [] })
})
