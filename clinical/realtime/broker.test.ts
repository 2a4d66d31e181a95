// Subscribers arrive while others leave, and notifications are late. Each subscriber is sent
// everything written after its hello, once.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { invokeOk, rivera } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { runIntoLock } from '../testing/races.ts'
import { type Broker, openBroker } from './broker.ts'
import { notifyChannelOf } from './embedded.ts'
import type { Bearer } from './token.ts'

const fixtures = useFixtures()
const failures: unknown[] = []
let broker: Broker
beforeEach(() => {
  const onError = (failure: unknown) => void failures.push(failure)
  broker = openBroker({ ...fixtures.context, urls: fixtures.database.urls, onError })
})
afterEach(async () => {
  await broker.close()
  expect(failures).toEqual([])
})

const bearer = (): Bearer => {
  const { integration, organization, testKey: holder } = fixtures.ada
  return {
    owner: { integration, organization, mode: 'test' },
    holder,
    expires: 4e12,
    signedBy: 'test',
  }
}

type Frame = { name: string; id?: string; data: Record<string, unknown> }

/** A subscriber, and what it was sent: the latest event in its hello, and event IDs since. */
function subscriber() {
  const frames: Frame[] = []
  const one = {
    send: (frame: string) => frames.push(JSON.parse(frame)) > 0,
    close: () => undefined,
  }
  const sent = () => frames.map(({ id, data }) => id ?? data['latest_event_id'])
  return { one, sent }
}

/** Writes an event and returns its ID. */
async function event(): Promise<string> {
  await invokeOk(fixtures, 'createPatient', { body: rivera })
  const { data } = await invokeOk(fixtures, 'listEvents', { query: { limit: '100' } })
  return data.at(-1).id
}

async function tenant(): Promise<string> {
  const { integration, organization } = fixtures.ada
  const [row] = await queryAsOwner<{ id: string }>(
    fixtures,
    sql`select id::text from test.tenants where retired_at is null
           and integration = ${integration} and organization = ${organization}`,
  )
  return row?.id ?? ''
}

/** Notifies like a worker that has seen the event. */
const notify = (of: string, id: string) => {
  const line = `${of} ${id} ${fixtures.ada.integration} ${fixtures.ada.organization}`
  return queryAsOwner(fixtures, sql`select pg_notify(${notifyChannelOf('test')}, ${line})::text`)
}

test('a subscriber who enters as the last one leaves gets no earlier events', async () => {
  const before = await event()
  const [first, second] = [subscriber(), subscriber()]
  expect(await broker.join(first.one, bearer())).toBeNull()
  const whose = `test ${fixtures.ada.integration}`
  const lock = sql`select pg_advisory_xact_lock(hashtextextended(${whose}, 727275))::text`
  const leave = async () => broker.leave(first.one, bearer())
  const entered = await runIntoLock(
    fixtures,
    lock,
    [() => broker.join(second.one, bearer())],
    leave,
  )
  expect(entered).toEqual([null])
  const after = await event()
  await notify(await tenant(), after)
  await until(() => second.sent().includes(after))
  expect(second.sent()).toEqual([before, after])
})

test('a late notification about a sandbox that was reset since resends nothing', async () => {
  const before = await event()
  const old = await tenant()
  const { one, sent } = subscriber()
  expect(await broker.join(one, bearer())).toBeNull()
  await invokeOk(fixtures, 'resetSandbox')
  const [second, third] = [await event(), await event()]
  await notify(await tenant(), second)
  await until(() => sent().includes(third))
  await notify(old, before)
  const last = await event()
  await notify(await tenant(), last)
  await until(() => sent().includes(last))
  expect(sent()).toEqual([before, second, third, last])
})
