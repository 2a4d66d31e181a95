// Messages to realtime subscribers over real sockets, at two gateways that share only the database,
// with workers that turn events into messages.
import { describe, expect, test } from 'bun:test'
import path from 'node:path'
import { invoke, queuedCase, invokeOk } from '#clinical/testing/call.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { openTestWorker } from '#clinical/deliveries/engine/testing/worker.ts'
import { sql } from '#database/sql.ts'
import { subscribe, tokenFor } from '#gateway/testing/subscribers.ts'
import { createPatient, idsOf, triggerEvent, useTwoGateways } from '../testing/two-gateways.ts'

const gateways = useTwoGateways()
const { fixtures } = gateways

/** The IDs of all of a sandbox's events, in order. */
const eventIds = async (as = fixtures.ada.test): Promise<string[]> => {
  const { data } = await invokeOk(fixtures, 'listEvents', { as, query: { limit: '100' } })
  return data.map((one: { id: string }) => one.id)
}

describe('realtime: messages', () => {
  test('contain the event as the API returns it, and the API returns it before the message arrives', async () => {
    const ada = await subscribe(gateways.here, await tokenFor(fixtures, fixtures.ada.test))
    expect(ada.socket.protocol).toBe('svc.v1')
    expect(ada.hello).toMatchObject({
      channel: `integration:${fixtures.ada.integration}:${fixtures.ada.organization}:test`,
      latest_event_id: null,
    })
    let read: Promise<{ text: string }> | undefined
    ada.socket.addEventListener('message', ({ data }) => {
      read = invoke(fixtures, 'getEvent', { id: JSON.parse(String(data)).id })
    })
    const { id } = await createPatient(fixtures)
    const [message] = await ada.received(1)
    expect(message).toMatchObject({ name: 'patient.created.v1', data: { resource: { id } } })
    const { text } = (await read) ?? { text: '' }
    expect(message?.text).toBe(
      `{"name":"patient.created.v1","id":"${JSON.parse(text).id}","data":${text}}`,
    )
    const next = await subscribe(gateways.here, await tokenFor(fixtures, fixtures.ada.test))
    expect(next.hello).toMatchObject({ latest_event_id: message?.id })
  })
  test('arrive once at each gateway’s subscribers, in commit order', async () => {
    const before = (await eventIds()).length
    const second = await openTestWorker(fixtures)
    const subscribers = await Promise.all(
      [gateways.here, gateways.there, gateways.there].map(async one =>
        subscribe(one, await tokenFor(fixtures, fixtures.ada.test)),
      ),
    )
    const reads: Promise<{ status: number }>[] = []
    subscribers[0]?.socket.addEventListener('message', ({ data }) =>
      reads.push(invoke(fixtures, 'getEvent', { id: JSON.parse(String(data)).id })),
    )
    // Few enough at once that none waits too long for a connection on a slow machine.
    for (let round = 0; round < 5; round++) {
      await Promise.all(Array.from({ length: 8 }, () => triggerEvent(fixtures)))
    }
    await queuedCase(fixtures)
    const written = (await eventIds()).slice(before)
    expect(written.length).toBeGreaterThanOrEqual(44)
    for (const one of subscribers) {
      expect(idsOf(await one.received(written.length))).toEqual(written)
    }
    expect((await Promise.all(reads)).map(({ status }) => status)).toEqual(written.map(() => 200))
    await second.stop()
  })
  test('stay within their mode and integration', async () => {
    const [test, live, ben] = [
      await subscribe(gateways.here, await tokenFor(fixtures, fixtures.ada.test)),
      await subscribe(gateways.here, await tokenFor(fixtures, fixtures.ada.live)),
      await subscribe(gateways.here, await tokenFor(fixtures, fixtures.ben.test)),
    ]
    expect(live.hello?.['channel']).toBe(
      `integration:${fixtures.ada.integration}:${fixtures.clinic}`,
    )
    await Promise.all([
      createPatient(fixtures),
      createPatient(fixtures, fixtures.ada.live),
      createPatient(fixtures, fixtures.ben.test),
      createPatient(fixtures),
    ])
    await Promise.all([test.received(2), live.received(1), ben.received(1)])
    // Any message sent by mistake would have arrived before these messages.
    await Promise.all([
      triggerEvent(fixtures),
      createPatient(fixtures, fixtures.ada.live),
      triggerEvent(fixtures, fixtures.ben.test),
    ])
    await Promise.all([test.received(3), live.received(2), ben.received(2)])
    const modes = [test, live, ben].map(({ messages }) => messages.map(({ data }) => data['mode']))
    expect(modes).toEqual([
      ['test', 'test', 'test'],
      ['live', 'live'],
      ['test', 'test'],
    ])
    const organizations = ben.messages.map(({ data }) => data['organization'])
    expect(organizations).toEqual([fixtures.ben.organization, fixtures.ben.organization])
  })
  test('continue after a sandbox reset', async () => {
    const ben = await subscribe(gateways.here, await tokenFor(fixtures, fixtures.ben.test))
    await invokeOk(fixtures, 'resetSandbox', { as: fixtures.ben.test })
    const { id } = await triggerEvent(fixtures, fixtures.ben.test)
    expect(idsOf(await ben.received(1))).toEqual([id])
  })
})

describe('realtime: no message is lost', () => {
  test('if the connection that listens for events is cut', async () => {
    const token = await tokenFor(fixtures, fixtures.ada.test)
    const both = [await subscribe(gateways.here, token), await subscribe(gateways.there, token)]
    await queryAsOwner(
      fixtures,
      sql`select pg_terminate_backend(pid) from pg_stat_activity
           where application_name = 'realtime listener test' and datname = current_database()`,
    )
    const first = await triggerEvent(fixtures)
    const second = await triggerEvent(fixtures)
    for (const one of both) expect(idsOf(await one.received(2))).toEqual([first.id, second.id])
  })
  test('if the worker is killed with claimed events', async () => {
    const ada = await subscribe(gateways.here, await tokenFor(fixtures, fixtures.ada.test))
    await gateways.worker.stop()
    const written = [(await triggerEvent(fixtures)).id, (await triggerEvent(fixtures)).id]
    const child = Bun.spawn([process.execPath, '-e', crashing], {
      cwd: path.join(import.meta.dir, '../..'),
      stdin: 'pipe',
      stdout: 'pipe',
    })
    await child.stdin.write(fixtures.database.urls.worker_test)
    await child.stdin.end()
    const { value } = await child.stdout.getReader().read()
    expect(new TextDecoder().decode(value)).toBe('2\n')
    child.kill('SIGKILL')
    await child.exited
    const left = await queryAsOwner(
      fixtures,
      sql`select e.id from test.events e join test.event_cursors c on c.of_tenant = e.tenant
           where e.id > c.position order by e.id`,
    )
    expect(left.map(({ id }) => id)).toEqual(written)
    gateways.worker = await openTestWorker(fixtures)
    expect(idsOf(await ada.received(2))).toEqual(written)
  })
})

/** Claims events like the dispatcher, but never finishes. */
const crashing = `
  import { dispatchOnce } from '#clinical/deliveries/engine/testing/dispatch.ts'
  import { clockOf } from '#clinical/deliveries/engine/clock.ts'
  import { embeddedRealtime } from '#clinical/realtime/embedded.ts'
  import { openPool } from '#database/pool.ts'
  import { sql } from '#database/sql.ts'
  const url = await Bun.stdin.text()
  const pool = openPool({ url, size: 1, name: 'crashing', path: 'test, public' })
  await pool.use(async connection => {
    await connection.run(sql\`begin\`)
    const { read } = await dispatchOnce(connection, clockOf(), embeddedRealtime('a pepper').announce('test'))
    console.log(read)
    await new Promise(() => setInterval(() => {}, 1000))
  })
`
