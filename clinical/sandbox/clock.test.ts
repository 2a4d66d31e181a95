// Tests which behavior follows a sandbox's clock, just before, at and after each due time, and
// which behavior follows real time.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { invoke, invokeOk, queuedCase, rivera } from '../testing/call.ts'
import { requestExport } from '../testing/exports.ts'
import { putFile, reserveFile } from '../testing/files.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { advanceBy, advanceTo, openClockWorker, sandboxNow } from '../testing/sandbox-clock.ts'
import { patientIn } from '../testing/visits.ts'
import { HttpRequest } from '#http/http-request.ts'
import { waitingRoom } from '../waiting-room/waiting-room.ts'
import { openReceiver, type Receiver } from '#http/testing/receiver.ts'
import { purgeDeliveries } from '../deliveries/engine/upkeep.ts'
import type { TestWorker } from '../deliveries/engine/testing/worker.ts'
import { deleteExpiredRows } from '../files/cleanup.ts'
import { purge } from './purge.ts'

const fixtures = useFixtures({ allowed: ['127.0.0.1'] })
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
let receiver: Receiver
let worker: TestWorker

beforeAll(async () => {
  receiver = openReceiver(() => new Response(null, { status: 503 }))
  worker = await openClockWorker(fixtures)
})
afterEach(() => expect(worker.linesOf('job.failed')).toEqual([]))
afterAll(async () => {
  await worker.stop()
  await receiver.stop()
})

const statusOf = async (
  ...call: Parameters<typeof invoke> extends [unknown, ...infer R] ? R : never
) => (await invoke(fixtures, ...call)).status
const listen = (path = '/hooks') =>
  invokeOk(fixtures, 'createWebhookEndpoint', {
    body: { url: receiver.url(path), event_types: ['order.shipped.v1'] },
  })
const trigger = (webhook_endpoint: string) =>
  invokeOk(fixtures, 'triggerWebhook', { body: { type: 'order.shipped.v1', webhook_endpoint } })
const deliveriesOf = async (id: string) => (await invokeOk(fixtures, 'listDeliveries', { id })).data
const endOf = ({ created_at }: { created_at: string }) => Date.parse(created_at) + 30 * day

/** Books a visit several days ahead, so its times are ahead of the clock. */
async function visitLater() {
  const patient = await patientIn(fixtures, 'NY')
  const from = new Date((await sandboxNow(fixtures)) + 3 * day).toISOString()
  const { data } = await invokeOk(fixtures, 'listSlots', { query: { state: 'NY', from } })
  return invokeOk(fixtures, 'bookVisit', { body: { patient, starts_at: data[0].starts_at } })
}

/** Uses HEAD, because the first browser that gets the page claims the link. */
const askForRoom = (url: string) => {
  const raw = new Request(url, { method: 'HEAD' })
  const noPeer = { requestIP: () => null }
  return waitingRoom(fixtures.context).answer(new HttpRequest(raw, 'req_1', noPeer, () => null))
}

type Followed = {
  /** When the result of `look` changes, in sandbox time. */
  at: number
  look(): Promise<unknown>
  before: unknown
  after: unknown
}

/** Sets up each behavior, and returns the expected results before and after the time when it
 *  changes. */
const followed: Record<string, () => Promise<Followed>> = {
  'a patient is hidden after thirty days': async () => {
    const patient = await invokeOk(fixtures, 'createPatient', { body: rivera })
    const look = () => statusOf('getPatient', { id: patient.id })
    return { at: endOf(patient), look, before: 200, after: 404 }
  },
  'an event is hidden after thirty days': async () => {
    const { id } = await listen()
    const event = await trigger(id)
    const look = () => statusOf('getEvent', { id: event.id })
    return { at: endOf(event), look, before: 200, after: 404 }
  },
  'a delivery is hidden after thirty days': async () => {
    const { id } = await listen()
    await trigger(id)
    await until(async () => (await deliveriesOf(id)).length > 0)
    const [delivery] = await deliveriesOf(id)
    const look = async () => (await deliveriesOf(id)).length
    return { at: endOf(delivery), look, before: 1, after: 0 }
  },
  'a file reservation ends after an hour': async () => {
    const file = await reserveFile(fixtures)
    const { created_at } = await invokeOk(fixtures, 'getFile', { id: file.id })
    const look = async () => [
      await statusOf('getFile', { id: file.id }),
      (await putFile(fixtures, file)).status,
    ]
    return { at: Date.parse(created_at) + hour, look, before: [200, 200], after: [404, 403] }
  },
  'the download of an export is gone after 24 hours': async () => {
    const { id } = await requestExport(fixtures)
    await until(async () => (await invokeOk(fixtures, 'getExport', { id })).status === 'completed')
    const { expires_at } = await invokeOk(fixtures, 'getExport', { id })
    expect(Math.abs(Date.parse(expires_at) - day - (await sandboxNow(fixtures)))).toBeLessThan(hour)
    const look = () => statusOf('downloadExport', { id })
    return { at: Date.parse(expires_at), look, before: 200, after: 410 }
  },
  'a visit can be joined from an hour before its start': async () => {
    const { id, starts_at } = await visitLater()
    const look = () => statusOf('getJoinLink', { id })
    return { at: Date.parse(starts_at) - hour, look, before: 409, after: 200 }
  },
  'a visit can be joined until half an hour after its end': async () => {
    const { id, starts_at, ends_at } = await visitLater()
    await advanceTo(fixtures, Date.parse(starts_at))
    const look = () => statusOf('getJoinLink', { id })
    return { at: Date.parse(ends_at) + 30 * minute + 1, look, before: 200, after: 409 }
  },
  'a link to join works for fifteen minutes': async () => {
    const { id, starts_at } = await visitLater()
    await advanceTo(fixtures, Date.parse(starts_at))
    const { url, expires_at } = await invokeOk(fixtures, 'getJoinLink', { id })
    const look = async () => (await askForRoom(url)).status
    return { at: Date.parse(expires_at), look, before: 200, after: 410 }
  },
  'a slot is offered until it begins': async () => {
    const from = new Date((await sandboxNow(fixtures)) + 2 * hour).toISOString()
    const { data } = await invokeOk(fixtures, 'listSlots', { query: { state: 'CA', from } })
    const [slot] = data
    const look = async () => {
      const now = await invokeOk(fixtures, 'listSlots', { query: { state: 'CA' } })
      return now.data.some((one: { id: string }) => one.id === slot.id)
    }
    return { at: Date.parse(slot.starts_at), look, before: true, after: false }
  },
  'the previous secret of an endpoint signs for 24 hours': async () => {
    const { id } = await listen('/rotated')
    const received = () => receiver.received.filter(({ path }) => path === '/rotated')
    const { previous_secret_expires_at: ends } = await invokeOk(fixtures, 'rotateWebhookSecret', {
      id,
    })
    expect(Math.abs(Date.parse(ends) - day - (await sandboxNow(fixtures)))).toBeLessThan(hour)
    const look = async () => {
      const { length } = received()
      await trigger(id)
      await until(async () => received().length > length)
      const sent = received()[length]?.headers
      const endpoint = await invokeOk(fixtures, 'getWebhookEndpoint', { id })
      return [
        sent?.['service-signature']?.match(/v1=/g)?.length,
        endpoint.previous_secret_expires_at,
      ]
    }
    return { at: Date.parse(ends), look, before: [2, ends], after: [1, null] }
  },
  'a delivery is attempted again after a minute': async () => {
    const { id } = await listen()
    await trigger(id)
    await until(async () => (await deliveriesOf(id))[0]?.attempt === 1)
    const [delivery] = await deliveriesOf(id)
    const look = async () => Math.min(2, (await deliveriesOf(id))[0].attempt)
    return { at: Date.parse(delivery.next_attempt_at), look, before: 1, after: 2 }
  },
  'the autopilot approves a case': async () => {
    const { id } = await queuedCase(fixtures)
    await invokeOk(fixtures, 'updateAutopilot', { body: { approve_after_s: 600 } })
    const { data } = await invokeOk(fixtures, 'listCaseEvents', { id })
    const look = async () => (await invokeOk(fixtures, 'getCase', { id })).status
    const at = Date.parse(data.at(-1).created_at) + 600_000
    return { at, look, before: 'queued', after: 'approved' }
  },
}

describe('by the sandbox’s clock', () => {
  test.each(Object.entries(followed))('%s', async (_title, setUp) => {
    const { at, look, before, after } = await setUp()
    expect(await look()).toEqual(before)
    await advanceTo(fixtures, at - 30_000)
    expect(await look()).toEqual(before)
    await advanceTo(fixtures, at)
    expect(await look()).toEqual(after)
    expect((await sandboxNow(fixtures)) - at).toBeLessThan(hour)
    await advanceBy(fixtures, 60)
    expect(await look()).toEqual(after)
  })

  test('removes hidden rows, and keeps another sandbox’s and live rows', async () => {
    const { ada, ben } = fixtures
    const keys = [ada.test, ben.test, ada.live]
    for (const as of keys) await invokeOk(fixtures, 'createPatient', { as, body: rivera })
    await requestExport(fixtures)
    const kept = await reserveFile(fixtures, { as: ben.test })
    const deleted = await reserveFile(fixtures)
    await advanceBy(fixtures, 3660)
    await deleteExpiredRows(fixtures.workerContext)
    const files = await queryAsOwner(
      fixtures,
      sql`select id from test.files where id in (${kept.id}, ${deleted.id})`,
    )
    expect(files).toEqual([{ id: kept.id }])
    const { id } = await listen()
    await trigger(id)
    await advanceBy(fixtures, (31 * day) / 1000)
    await purge(fixtures.workerContext)
    await deleteExpiredRows(fixtures.workerContext)
    await purgeDeliveries(fixtures.workerContext, 'test')
    const left = await queryAsOwner<{ n: number }>(
      fixtures,
      sql`select count(*)::int as n from test.tenants t
           cross join lateral (
             select id from test.patients where tenant = t.id
             union all select id from test.events where tenant = t.id
             union all select id from test.exports where tenant = t.id
             union all select id from test.files where tenant = t.id
             union all select id from test.deliveries where tenant = t.id) x
           where t.integration = ${ada.integration}`,
    )
    expect(left[0]?.n).toBe(0)
    const [adas, bens, live] = await Promise.all(
      keys.map(async as => (await invokeOk(fixtures, 'listPatients', { as })).data.length),
    )
    expect(adas).toBe(0)
    expect(bens).toBeGreaterThan(0)
    expect(live).toBeGreaterThan(0)
  })
})

describe('in real time', () => {
  test('an Idempotency-Key is remembered', async () => {
    const call = { body: rivera, key: 'kept-in-real-time' }
    const first = await invoke(fixtures, 'createPatient', call)
    await advanceBy(fixtures, (40 * day) / 1000)
    await purge(fixtures.workerContext)
    const again = await invoke(fixtures, 'createPatient', call)
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true'])
  })

  test('a credential and a realtime token expire', async () => {
    const key = await fixtures.key({
      integration: fixtures.ada.integration,
      mode: 'test',
      name: 'ends tomorrow',
      expiresAt: new Date(Date.now() + day).toISOString(),
    })
    const as = { as: key }
    await advanceBy(fixtures, (2 * day) / 1000)
    expect(await statusOf('listPatients', as)).toBe(200)
    const { expires_at } = await invokeOk(fixtures, 'createRealtimeToken', as)
    expect(Math.abs(Date.parse(expires_at) - Date.now())).toBeLessThan(2 * hour)
  })
})

describe('the clock', () => {
  test('can’t be ahead of real time in live mode', async () => {
    const change = queryAsOwner(fixtures, sql`update live.tenants set ahead_ms = 1`)
    expect((await change.catch(String)).toString()).toContain('live_is_real_time')
  })

  test('is the same for all the integration’s clinics, even one that grants access later', async () => {
    const [row] = await queryAsOwner<{ clocks: number; ahead: boolean }>(
      fixtures,
      sql`with granted as (
            insert into test.tenants (integration, organization)
            values (${fixtures.ada.integration}, ${fixtures.clinic}) returning ahead_ms)
          select (select count(distinct ahead_ms)::int from (
                    select ahead_ms from granted union
                    select ahead_ms from test.tenants
                     where integration = ${fixtures.ada.integration} and retired_at is null) c) as clocks,
                 (select ahead_ms > 0 from granted) as ahead`,
    )
    expect(row).toEqual({ clocks: 1, ahead: true })
  })
})
