// The close codes of realtime connections, over real sockets, at two gateways that share only the
// database.
import { describe, expect, test } from 'bun:test'
import { until } from '#http/testing/until.ts'
import { revokeKey } from '#auth/testing/administration.ts'
import { channelNameOf } from '#contract/realtime.ts'
import { embeddedRealtime } from '#clinical/realtime/embedded.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { realtimeCloses } from '#contract/realtime.ts'
import { sql } from '#database/sql.ts'
import {
  flood,
  type Gateway,
  mute,
  openGateway,
  quotaOf,
  subscribe,
  tokenFor,
} from '#gateway/testing/subscribers.ts'
import { createPatient, idsOf, triggerEvent, useTwoGateways } from '../testing/two-gateways.ts'

const gateways = useTwoGateways()
const { fixtures } = gateways

describe('realtime: close codes', () => {
  test('1008 when a client sends a message, because no client may publish', async () => {
    for (const message of ['{"name":"case.approved.v1","data":{}}', new Uint8Array(5000)]) {
      const ada = await subscribe(gateways.here, await tokenFor(fixtures, fixtures.ada.test))
      const other = await subscribe(gateways.here, await tokenFor(fixtures, fixtures.ada.test))
      ada.socket.send(message)
      expect(await ada.closed).toEqual(realtimeCloses.subscribeOnly)
      const { id } = await triggerEvent(fixtures)
      expect(idsOf(await other.received(1))).toEqual([id])
    }
  })
  test('4001 when the token expires, and immediately for an expired one', async () => {
    const gateway = await openGateway(fixtures)
    const token = await tokenFor(fixtures, fixtures.ada.test)
    const ada = await subscribe(gateway, token)
    await gateway.pass(3570)
    expect(ada.socket.readyState).toBe(WebSocket.OPEN)
    await gateway.pass(31)
    expect(await ada.closed).toEqual(realtimeCloses.expired)
    const late = await subscribe(gateway, token)
    expect([late.hello, await late.closed]).toEqual([null, realtimeCloses.expired])
    await gateway.close()
  })
  test('4002 when the key or the grant is revoked, only for its own connections', async () => {
    const { integration } = fixtures.ben
    const as = await fixtures.key({ integration, mode: 'live', name: 'leaked' })
    const token = await tokenFor(fixtures, as)
    const [ben, leaked] = [
      await subscribe(gateways.here, await tokenFor(fixtures, fixtures.ben.live)),
      await subscribe(gateways.here, token),
    ]
    const [key] = await queryAsOwner<{ id: string }>(
      fixtures,
      sql`select id from auth.credentials where name = 'leaked'`,
    )
    await fixtures.owner.use(connection => revokeKey(connection, key?.id ?? ''))
    expect(await leaked.closed).toEqual(realtimeCloses.revoked)
    expect(ben.socket.readyState).toBe(WebSocket.OPEN)
    const again = await subscribe(gateways.here, token)
    expect([again.hello, await again.closed]).toEqual([null, realtimeCloses.revoked])
    await queryAsOwner(
      fixtures,
      sql`update auth.grants set status = 'revoked'
           where integration = ${integration} and mode = 'live'`,
    )
    expect(await ben.closed).toEqual(realtimeCloses.revoked)
  })
  test('1013 when a client stops reading; other clients get every message', async () => {
    const token = await tokenFor(fixtures, fixtures.ada.test)
    const slow = await mute(gateways.here, token)
    const ada = await subscribe(gateways.here, token)
    const live = await subscribe(gateways.here, await tokenFor(fixtures, fixtures.ada.live))
    // Twelve megabytes: more than the system buffers for a client that doesn't read.
    await queryAsOwner(fixtures, flood(fixtures.ada.integration, 3000))
    const { id } = await triggerEvent(fixtures)
    expect((await ada.received(3001)).at(-1)?.id).toBe(id)
    expect(await slow.ended).toContain('too slow')
    // The live subscriber gets none of the test messages.
    await createPatient(fixtures, fixtures.ada.live)
    expect((await live.received(1)).map(({ data }) => data['mode'])).toEqual(['live'])
  })
  test('1013 when an integration has the maximum number of connections, across all gateways', async () => {
    const token = await tokenFor(fixtures, fixtures.ben.test)
    const [most, few] = [20, 3]
    const dead = (until: string) =>
      queryAsOwner(
        fixtures,
        sql`insert into public.realtime_connections
            values ('test', ${fixtures.ben.integration}, 'dead', ${few}::int, now() + ${until}::interval)
            on conflict (mode, integration, gateway) do update set expires_at = excluded.expires_at`,
      )
    // Waits for earlier tests' connections to end, then simulates a crashed gateway.
    await until(async () => (await quotaOf(fixtures, fixtures.ben.integration)).length === 0)
    await dead('1 hour')
    // Concurrent connections at two gateways, more than the quota allows.
    const all = await Promise.all(
      Array.from({ length: most }, (_, at) =>
        subscribe(at % 2 ? gateways.here : gateways.there, token),
      ),
    )
    const admitted = all.filter(({ hello }) => hello !== null)
    expect(admitted).toHaveLength(most - few)
    const refused = all.filter(({ hello }) => hello === null)
    for (const one of refused) expect(await one.closed).toEqual(realtimeCloses.tooMany)
    const others = [fixtures.ada.live, fixtures.ada.test].map(async as =>
      subscribe(gateways.there, await tokenFor(fixtures, as)),
    )
    expect((await Promise.all(others)).every(({ hello }) => hello !== null)).toBe(true)
    const { id } = await triggerEvent(fixtures, fixtures.ben.test)
    for (const one of admitted) expect(idsOf(await one.received(1))).toEqual([id])

    const come = async (gateway: Gateway) => {
      let next = await subscribe(gateway, token)
      while (next.hello === null) next = await subscribe(gateway, token)
      return next
    }
    // The crashed gateway's slots become free when its lease expires. Slots of closed connections
    // become free at every gateway.
    await dead('-1 second')
    for (let at = 0; at < few; at++)
      expect((await subscribe(gateways.here, token)).hello).not.toBeNull()
    expect(await (await subscribe(gateways.here, token)).closed).toEqual(realtimeCloses.tooMany)
    for (const one of admitted.slice(0, 2)) one.socket.close()
    await Promise.all(admitted.slice(0, 2).map(one => one.closed))
    await Promise.all([come(gateways.here), come(gateways.there)])
    expect(await (await subscribe(gateways.there, token)).closed).toEqual(realtimeCloses.tooMany)
  })
  test('4003 for a token with the other mode’s channel', async () => {
    const { integration } = fixtures.ada
    const channel = channelNameOf({ integration, organization: fixtures.clinic, mode: 'live' })
    const expires = Math.ceil(Date.now() / 1000 + 60) * 1000
    const grant = { channel, integration, holder: fixtures.ada.testKey, expires }
    const token = await embeddedRealtime(fixtures.context.pepper).mint('test', grant)
    const crossed = await subscribe(gateways.here, token)
    expect([crossed.hello, await crossed.closed]).toEqual([null, realtimeCloses.otherMode])
  })
  test('1012 when the gateway stops, which frees its connections', async () => {
    const gateway = await openGateway(fixtures)
    const ada = await subscribe(gateway, await tokenFor(fixtures, fixtures.ada.test))
    await gateway.close()
    expect(await ada.closed).toEqual(realtimeCloses.restarting)
    expect(gateway.broker.subscribers()).toBe(0)
    await until(async () => (await quotaOf(fixtures, fixtures.ada.integration)).length === 0)
  })
})
