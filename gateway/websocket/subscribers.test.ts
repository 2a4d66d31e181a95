// Subscribers over real sockets, at two gateways that share nothing but the database, and workers
// that turn what was written into messages.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import path from 'node:path'
import { revokeKey } from '#auth/integrations.ts'
import { invoke, queuedCase, invokeOk, rivera } from '#clinical/testing/call.ts'
import { type Fixtures, openFixtures } from '#clinical/testing/fixtures.ts'
import { channelNameOf } from '#clinical/realtime/channel.ts'
import { embeddedRealtime } from '#clinical/realtime/embedded.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { openTestWorker, type TestWorker } from '#clinical/webhooks/delivery/testing/worker.ts'
import { limits } from '#contract/limits.ts'
import { realtimeCloses } from '#contract/realtime.ts'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import {
  flood,
  type Gateway,
  hangUp,
  mute,
  openGateway,
  quotaOf,
  subscribe,
  tokenFor,
} from '../testing/subscribers.ts'

let fixtures: Fixtures
let here: Gateway
let there: Gateway
let working: TestWorker
beforeAll(async () => {
  fixtures = await openFixtures()
  ;[here, there, working] = await Promise.all([
    openGateway(fixtures),
    openGateway(fixtures),
    openTestWorker(fixtures),
  ])
})
afterAll(async () => {
  await Promise.all([here.close(), there.close(), working.stop()])
  await fixtures.close()
})
afterEach(() => {
  hangUp()
  expect(fixtures.errors).toEqual([])
})

const patient = (as = fixtures.ada.test) =>
  invokeOk(fixtures, 'createPatient', { as, body: rivera })
const trigger = (as = fixtures.ada.test) =>
  invokeOk(fixtures, 'triggerWebhook', { as, body: { type: 'order.shipped.v1' } })
/** All that Ada's sandbox has written, in order. */
const eventIds = async (as = fixtures.ada.test): Promise<string[]> => {
  const { data } = await invokeOk(fixtures, 'listEvents', { as, query: { limit: '100' } })
  return data.map((one: { id: string }) => one.id)
}
const idsOf = (messages: { id: string }[]) => messages.map(({ id }) => id)

describe('a message', () => {
  test('is the event as it is read by its id, which can be read before it comes', async () => {
    const ada = await subscribe(here, await tokenFor(fixtures, fixtures.ada.test))
    expect(ada.socket.protocol).toBe('svc.v1')
    expect(ada.hello).toMatchObject({
      channel: `integration:${fixtures.ada.integration}:${fixtures.ada.organization}:test`,
      latest_event_id: null,
    })
    let read: Promise<{ text: string }> | undefined
    ada.socket.addEventListener('message', ({ data }) => {
      read = invoke(fixtures, 'getEvent', { id: JSON.parse(String(data)).id })
    })
    const { id } = await patient()
    const [message] = await ada.heardOf(1)
    expect(message).toMatchObject({ name: 'patient.created.v1', data: { resource: { id } } })
    const { text } = (await read) ?? { text: '' }
    expect(message?.text).toBe(
      `{"name":"patient.created.v1","id":"${JSON.parse(text).id}","data":${text}}`,
    )
    const next = await subscribe(here, await tokenFor(fixtures, fixtures.ada.test))
    expect(next.hello).toMatchObject({ latest_event_id: message?.id })
  })
  test('comes once to each subscriber at each gateway, in the order of the commits', async () => {
    const before = (await eventIds()).length
    const second = await openTestWorker(fixtures)
    const subscribers = await Promise.all(
      [here, there, there].map(async one =>
        subscribe(one, await tokenFor(fixtures, fixtures.ada.test)),
      ),
    )
    const reads: Promise<{ status: number }>[] = []
    subscribers[0]?.socket.addEventListener('message', ({ data }) =>
      reads.push(invoke(fixtures, 'getEvent', { id: JSON.parse(String(data)).id })),
    )
    await Promise.all(Array.from({ length: 40 }, () => trigger()))
    await queuedCase(fixtures)
    const written = (await eventIds()).slice(before)
    expect(written.length).toBeGreaterThanOrEqual(44)
    for (const one of subscribers) {
      expect(idsOf(await one.heardOf(written.length))).toEqual(written)
    }
    expect((await Promise.all(reads)).map(({ status }) => status)).toEqual(written.map(() => 200))
    await second.stop()
  })
  test('never crosses from one mode to the other, nor to another integration', async () => {
    const [test, live, ben] = [
      await subscribe(here, await tokenFor(fixtures, fixtures.ada.test)),
      await subscribe(here, await tokenFor(fixtures, fixtures.ada.live)),
      await subscribe(here, await tokenFor(fixtures, fixtures.ben.test)),
    ]
    expect(live.hello?.['channel']).toBe(
      `integration:${fixtures.ada.integration}:${fixtures.clinic}`,
    )
    await Promise.all([
      patient(),
      patient(fixtures.ada.live),
      patient(fixtures.ben.test),
      patient(),
    ])
    await Promise.all([test.heardOf(2), live.heardOf(1), ben.heardOf(1)])
    // Whatever else was on its way would have come before these.
    await Promise.all([trigger(), patient(fixtures.ada.live), trigger(fixtures.ben.test)])
    await Promise.all([test.heardOf(3), live.heardOf(2), ben.heardOf(2)])
    const modes = [test, live, ben].map(({ heard }) => heard.map(({ data }) => data['mode']))
    expect(modes).toEqual([
      ['test', 'test', 'test'],
      ['live', 'live'],
      ['test', 'test'],
    ])
    const organizations = ben.heard.map(({ data }) => data['organization'])
    expect(organizations).toEqual([fixtures.ben.organization, fixtures.ben.organization])
  })
  test('goes on after the sandbox was emptied', async () => {
    const ben = await subscribe(here, await tokenFor(fixtures, fixtures.ben.test))
    await invokeOk(fixtures, 'resetSandbox', { as: fixtures.ben.test })
    const { id } = await trigger(fixtures.ben.test)
    expect(idsOf(await ben.heardOf(1))).toEqual([id])
  })
})

describe('nothing is lost', () => {
  test('when the connection that hears of events is cut', async () => {
    const token = await tokenFor(fixtures, fixtures.ada.test)
    const both = [await subscribe(here, token), await subscribe(there, token)]
    await queryAsOwner(
      fixtures,
      sql`select pg_terminate_backend(pid) from pg_stat_activity
           where application_name = 'realtime listener test' and datname = current_database()`,
    )
    const first = await trigger()
    const second = await trigger()
    for (const one of both) expect(idsOf(await one.heardOf(2))).toEqual([first.id, second.id])
  })
  test('when the worker is killed with events in its hands', async () => {
    const ada = await subscribe(here, await tokenFor(fixtures, fixtures.ada.test))
    await working.stop()
    const written = [(await trigger()).id, (await trigger()).id]
    const child = Bun.spawn([process.execPath, '-e', crashing], {
      cwd: path.join(import.meta.dir, '../..'),
      stdin: 'pipe',
      stdout: 'pipe',
    })
    child.stdin.write(fixtures.database.urls.worker_test)
    child.stdin.end()
    const { value } = await child.stdout.getReader().read()
    expect(new TextDecoder().decode(value)).toBe('2\n')
    child.kill('SIGKILL')
    await child.exited
    const left = await queryAsOwner(fixtures, sql`select event from test.outbox order by id`)
    expect(left.map(({ event }) => event)).toEqual(written)
    working = await openTestWorker(fixtures)
    expect(idsOf(await ada.heardOf(2))).toEqual(written)
  })
})

/** Takes what is there as the dispatcher does, and is never heard of again. */
const crashing = `
  import { dispatch } from '#clinical/webhooks/delivery/dispatch.ts'
  import { clockOf } from '#clinical/webhooks/delivery/clock.ts'
  import { embeddedRealtime } from '#clinical/realtime/embedded.ts'
  import { openPool } from '#database/pool.ts'
  import { sql } from '#database/sql.ts'
  const url = await Bun.stdin.text()
  const pool = openPool({ url, size: 1, name: 'crashing', path: 'test, public' })
  await pool.use(async connection => {
    await connection.run(sql\`begin\`)
    const { taken } = await dispatch(connection, clockOf(), embeddedRealtime('a pepper').announce('test'))
    console.log(taken)
    await new Promise(() => setInterval(() => {}, 1000))
  })
`

describe('a connection ends', () => {
  test('1008 when the client says anything: publishing is granted to nobody', async () => {
    for (const said of ['{"name":"case.approved.v1","data":{}}', new Uint8Array(5000)]) {
      const ada = await subscribe(here, await tokenFor(fixtures, fixtures.ada.test))
      const other = await subscribe(here, await tokenFor(fixtures, fixtures.ada.test))
      ada.socket.send(said)
      expect(await ada.closed).toEqual(realtimeCloses.subscribeOnly)
      const { id } = await trigger()
      expect(idsOf(await other.heardOf(1))).toEqual([id])
    }
  })
  test('4001 when its token is over, and at once with one that was', async () => {
    const gateway = await openGateway(fixtures)
    const token = await tokenFor(fixtures, fixtures.ada.test)
    const ada = await subscribe(gateway, token)
    await gateway.pass(limits.realtimeTokenSeconds - 30)
    expect(ada.socket.readyState).toBe(WebSocket.OPEN)
    await gateway.pass(31)
    expect(await ada.closed).toEqual(realtimeCloses.expired)
    const late = await subscribe(gateway, token)
    expect([late.hello, await late.closed]).toEqual([null, realtimeCloses.expired])
    await gateway.close()
  })
  test('4002 when the key is revoked or the clinic takes its grant back, and no other', async () => {
    const { integration } = fixtures.ben
    const as = await fixtures.key({ integration, mode: 'live', name: 'leaked' })
    const token = await tokenFor(fixtures, as)
    const [ben, leaked] = [
      await subscribe(here, await tokenFor(fixtures, fixtures.ben.live)),
      await subscribe(here, token),
    ]
    const [key] = await queryAsOwner<{ id: string }>(
      fixtures,
      sql`select id from auth.keys where name = 'leaked'`,
    )
    await fixtures.owner.use(connection => revokeKey(connection, key?.id ?? ''))
    expect(await leaked.closed).toEqual(realtimeCloses.revoked)
    expect(ben.socket.readyState).toBe(WebSocket.OPEN)
    const again = await subscribe(here, token)
    expect([again.hello, await again.closed]).toEqual([null, realtimeCloses.revoked])
    await queryAsOwner(
      fixtures,
      sql`update auth.grants set status = 'revoked'
           where integration = ${integration} and mode = 'live'`,
    )
    expect(await ben.closed).toEqual(realtimeCloses.revoked)
  })
  test('1013 when it does not read, while the others hear everything', async () => {
    const token = await tokenFor(fixtures, fixtures.ada.test)
    const slow = await mute(here, token)
    const ada = await subscribe(here, token)
    const live = await subscribe(here, await tokenFor(fixtures, fixtures.ada.live))
    // Twelve megabytes: more than the system keeps for a reader that does not read.
    await queryAsOwner(fixtures, flood(fixtures.ada.integration, 3000))
    const { id } = await trigger()
    expect((await ada.heardOf(3001)).at(-1)?.id).toBe(id)
    expect(await slow.ended).toContain('too slow')
    // Of thousands in the sandbox a live subscriber hears none.
    await patient(fixtures.ada.live)
    expect((await live.heardOf(1)).map(({ data }) => data['mode'])).toEqual(['live'])
  })
  test('1013 when an integration has as many connections as may be, at all gateways together', async () => {
    const token = await tokenFor(fixtures, fixtures.ben.test)
    const [most, few] = [limits.realtimeConnectionsMax, 3]
    const dead = (until: string) =>
      queryAsOwner(
        fixtures,
        sql`insert into public.realtime_connections
            values ('test', ${fixtures.ben.integration}, 'dead', ${few}::int, now() + ${until}::interval)
            on conflict (mode, integration, gateway) do update set expires_at = excluded.expires_at`,
      )
    // It is known that those of the tests before have left. Then a gateway died with some.
    await until(async () => (await quotaOf(fixtures, fixtures.ben.integration)).length === 0)
    await dead('1 hour')
    // More than there are, at once at two.
    const all = await Promise.all(
      Array.from({ length: most }, (_, at) => subscribe(at % 2 ? here : there, token)),
    )
    const admittedSocket = all.filter(({ hello }) => hello !== null)
    expect(admittedSocket).toHaveLength(most - few)
    const refused = all.filter(({ hello }) => hello === null)
    for (const one of refused) expect(await one.closed).toEqual(realtimeCloses.tooMany)
    const others = [fixtures.ada.live, fixtures.ada.test].map(async as =>
      subscribe(there, await tokenFor(fixtures, as)),
    )
    expect((await Promise.all(others)).every(({ hello }) => hello !== null)).toBe(true)
    const { id } = await trigger(fixtures.ben.test)
    for (const one of admittedSocket) expect(idsOf(await one.heardOf(1))).toEqual([id])

    const come = async (gateway: Gateway) => {
      let next = await subscribe(gateway, token)
      while (next.hello === null) next = await subscribe(gateway, token)
      return next
    }
    // What the dead one had is free when its lease is over, and what was left here is free there.
    await dead('-1 second')
    for (let at = 0; at < few; at++) expect((await subscribe(here, token)).hello).not.toBeNull()
    expect(await (await subscribe(here, token)).closed).toEqual(realtimeCloses.tooMany)
    for (const one of admittedSocket.slice(0, 2)) one.socket.close()
    await Promise.all(admittedSocket.slice(0, 2).map(one => one.closed))
    await Promise.all([come(here), come(there)])
    expect(await (await subscribe(there, token)).closed).toEqual(realtimeCloses.tooMany)
  })
  test('4003 with a token of the other mode, which no key of ours may sign', async () => {
    const { integration } = fixtures.ada
    const channel = channelNameOf({ integration, organization: fixtures.clinic, mode: 'live' })
    const expires = Math.ceil(Date.now() / 1000 + 60) * 1000
    const grant = { channel, integration, credential: fixtures.ada.testKey, expires }
    const token = await embeddedRealtime(fixtures.context.pepper).mint('test', grant)
    const crossed = await subscribe(here, token)
    expect([crossed.hello, await crossed.closed]).toEqual([null, realtimeCloses.otherMode])
  })
  test('1012 when the gateway goes, and nothing is kept of it', async () => {
    const gateway = await openGateway(fixtures)
    const ada = await subscribe(gateway, await tokenFor(fixtures, fixtures.ada.test))
    await gateway.close()
    expect(await ada.closed).toEqual(realtimeCloses.restarting)
    expect(gateway.broker.subscribers()).toBe(0)
    await until(async () => (await quotaOf(fixtures, fixtures.ada.integration)).length === 0)
  })
})
