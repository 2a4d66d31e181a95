// Cursor races, forced by a lock. While a dispatcher's statement runs, an endpoint changes, a
// sandbox is reset or the session is lost, and either side may commit first.

import { afterEach, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { runIntoLock } from '../../testing/races.ts'
import { invokeOk } from '../../testing/call.ts'
import { useFixtures } from '../../testing/fixtures.ts'
import { queryAsOwner } from '../../testing/assertions.ts'
import { clearEndpoints } from '../../testing/valid-calls.ts'
import { clockOf } from './clock.ts'
import { openCursorCalls } from './testing/cursor-calls.ts'
import { dispatchOnce } from './testing/dispatch.ts'

const fixtures = useFixtures({ poolSize: 16 })
afterEach(() => clearEndpoints(fixtures))

const made = async () => {
  const announced = fixtures.context.realtime.announce('test')
  const done = await fixtures.workerContext.pools.test.use(connection =>
    dispatchOnce(connection, clockOf(), announced),
  )
  return done.made
}
const { listen, write, sentTo } = openCursorCalls(fixtures)
const turn = (id: string, status: 'enabled' | 'disabled') => () =>
  invokeOk(fixtures, 'updateWebhookEndpoint', { id, body: { status } })
/** Locks the row of the integration's own tenant, whose clock sets deliveries' timestamps. */
const ownLock = () =>
  sql`select from test.tenants where integration = ${fixtures.ada.integration}
         and organization is null and retired_at is null for update`

test('a dispatcher whose session ends mid-statement has read nothing', async () => {
  const id = await listen()
  const patients = [await write(), await write()]
  const end = sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and usename = 'app_worker_test' and wait_event_type = 'Lock'`
  const ended = await runIntoLock(
    fixtures,
    ownLock(),
    [() => made().catch(() => 'lost')],
    async () => expect(await queryAsOwner(fixtures, end)).toHaveLength(1),
  )
  expect([ended, await sentTo(id)]).toEqual([['lost'], []])
  expect(await made()).toBe(2)
  expect(await sentTo(id)).toEqual(patients)
})

test('an endpoint created while another one’s event is written gets every event after its response', async () => {
  const other = await listen()
  let during = ''
  const [id = ''] = await runIntoLock(fixtures, ownLock(), [listen], async () => {
    during = await write()
  })
  const after = await write()
  await made()
  expect(await sentTo(other)).toEqual([during, after])
  expect((await sentTo(id)).filter(patient => patient !== during)).toEqual([after])
})

test('when one endpoint is enabled and another disabled at the same time, events go to the enabled one', async () => {
  const [first, second] = [await listen(), await listen()]
  for (const order of ['enabled first', 'disabled first'] as const) {
    await turn(first, 'enabled')()
    await turn(second, 'disabled')()
    const calls = [turn(second, 'enabled'), turn(first, 'disabled')]
    await runIntoLock(fixtures, ownLock(), order === 'enabled first' ? calls : calls.toReversed())
    const before = [await sentTo(first), await sentTo(second)]
    const patient = await write()
    expect(await made()).toBe(1)
    expect([await sentTo(first), await sentTo(second)]).toEqual([
      before[0] ?? [],
      [...(before[1] ?? []), patient],
    ])
  }
})

test('a reset during a dispatch, in either order, loses none of the new sandbox’s events', async () => {
  const id = await listen()
  const reset = () => invokeOk(fixtures, 'resetSandbox').then(() => 0)
  for (const calls of [
    [made, reset],
    [reset, made],
  ]) {
    await write()
    await runIntoLock(fixtures, ownLock(), calls)
    const patients = [await write(), await write()]
    expect(await made()).toBe(2)
    const { data } = await invokeOk(fixtures, 'listDeliveries', { id })
    const events = data.map((one: { event: string }) => one.event)
    const { data: written } = await invokeOk(fixtures, 'listEvents', {
      query: { type: 'patient.created.v1' },
    })
    expect(written.map((one: { resource: { id: string } }) => one.resource.id)).toEqual(patients)
    expect(events).toEqual(written.map((one: { id: string }) => one.id))
  }
})
