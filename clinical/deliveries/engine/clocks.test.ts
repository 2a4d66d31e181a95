// Two workers' clocks are an hour fast and an hour slow, in a time zone with daylight saving time.
// Due times and signatures must use the database's clock.

import path from 'node:path'
import { expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { workerUrls } from '#database/roles.ts'
import { until } from '#http/testing/until.ts'
import { invokeOk } from '../../testing/call.ts'
import { useFixtures } from '../../testing/fixtures.ts'
import { queryAsOwner } from '../../testing/assertions.ts'
import { ledgerOf, deliveriesIn } from './testing/ledger.ts'
import type { CrashSettings } from './testing/crash-worker.ts'
import { authority, openReceiver } from '#http/testing/receiver.ts'
import { signature } from './sign.ts'

const skewSeconds = 3600
const events = 12

const fixtures = useFixtures({ allowed: ['127.0.0.1'] })

function launch(skew: number) {
  const { database, context } = fixtures
  const settings: CrashSettings = {
    urls: workerUrls(database.urls),
    pepper: context.pepper,
    ca: authority.cert,
    skew,
  }
  const program = path.join(import.meta.dir, 'testing/crash-worker.ts')
  const command = [process.execPath, program, 'never', JSON.stringify(settings)]
  const env = { ...process.env, TZ: 'America/New_York' }
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'inherit', env })
  const attempts: string[] = []
  void (async () => {
    for await (const chunk of child.stdout) {
      attempts.push(...new TextDecoder().decode(chunk).trim().split('\n'))
    }
  })()
  return { child, attempts }
}

const trigger = async (count: number) => {
  for (let at = 0; at < count; at++) {
    await invokeOk(fixtures, 'triggerWebhook', { body: { type: 'order.shipped.v1' } })
  }
}

test('retry schedule and signatures use the database’s clock when workers’ clocks are wrong', async () => {
  let isUnavailable = true
  let triggered = Number.POSITIVE_INFINITY
  const stamps: { t: number; from: number; until: number }[] = []
  const receiver = openReceiver(({ headers, body }) => {
    const t = Number(headers['service-signature']?.slice(2, 12))
    expect(headers['service-signature']).toBe(signature([secret], t, body))
    // The delivery was signed between the event's commit and its arrival, however long that took.
    stamps.push({ t, from: Math.floor(triggered / 1000), until: Date.now() / 1000 })
    return new Response(null, { status: isUnavailable ? 503 : 200 })
  })
  const { secret } = await invokeOk(fixtures, 'createWebhookEndpoint', {
    body: { url: receiver.url(), event_types: ['order.shipped.v1'] },
  })
  const workers = [launch(skewSeconds), launch(-skewSeconds)]
  const attempted = (count: number) =>
    until(() => workers.reduce((sum, { attempts }) => sum + attempts.length, 0) >= count)
  const listeners = async () =>
    (
      await queryAsOwner(
        fixtures,
        sql`select from pg_stat_activity where application_name = 'worker listener test'
               and datname = current_database()`,
      )
    ).length
  await until(async () => (await listeners()) === workers.length)
  triggered = Date.now()
  await trigger(events)
  await attempted(events)
  const rows = await queryAsOwner<{ wait: number; age: number }>(
    fixtures,
    sql`select extract(epoch from next_attempt_at - last_attempt_at)::int as wait,
               abs(extract(epoch from clock_timestamp() - last_attempt_at))::float8 as age
          from test.deliveries`,
  )
  expect(rows.map(row => row.wait)).toEqual(Array.from({ length: events }, () => 60))
  expect(Math.max(...rows.map(row => row.age))).toBeLessThan(skewSeconds / 2)
  // A worker that believed a minute had passed would retry the first deliveries before attempting
  // the new ones.
  isUnavailable = false
  await trigger(events)
  await attempted(2 * events)
  expect(receiver.received).toHaveLength(2 * events)
  await queryAsOwner(
    fixtures,
    sql`with due as (
          update test.due_deliveries set due_at = due_at - interval '1 minute'
          returning tenant
        )
        update test.endpoint_queues set next_due = now() where exists (select from due)`,
  )
  await attempted(3 * events)
  // One worker may have made every attempt so far.
  let more = 0
  while (!workers.every(({ attempts }) => attempts.length > 0)) {
    await trigger(1)
    await attempted(3 * events + ++more)
  }
  for (const { child } of workers) child.kill('SIGKILL')
  await Promise.all(workers.map(({ child }) => child.exited))
  expect(stamps.filter(({ t, from, until }) => t < from || t > until)).toEqual([])
  expect(await ledgerOf(fixtures.owner, deliveriesIn(receiver.received))).toEqual({
    events: 2 * events + more,
    unread: 0,
    pending: 0,
    delivered: 2 * events + more,
    failed: 0,
    receipts: 3 * events + more,
    unrecorded: 0,
    wrong: [],
  })
  await receiver.stop()
}, 60_000)
