// Metrics: counted from log events, queried from the database on each scrape, in the Prometheus
// text format.
import { describe, expect, test } from 'bun:test'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { invokeOk, rivera } from '#clinical/testing/call.ts'
import { useFixtures } from '#clinical/testing/fixtures.ts'
import { createdAt, firstIdOf } from '#contract/ids.ts'
import { workerUrls } from '#database/roles.ts'
import { sql } from '#database/sql.ts'
import { openModePools } from '#database/modes.ts'
import { openPool } from '#database/pool.ts'
import type { AnsweredRequest } from '#http/log.ts'
import { families } from '#http/observe/metric-families.ts'
import { countingRequests, openMetrics, serveMetrics } from '#http/observe/metrics.ts'
import { measureProcess } from '#http/observe/process-metrics.ts'
import { nameOf, type Scraped, scrape } from '../testing/prometheus.ts'
import { collectDatabase } from './database-metrics.ts'
import { timesWaits } from './gateway-metrics.ts'
import { collectQueues, countFromZero, countWork } from './worker-metrics.ts'

const fixtures = useFixtures()

const valueIn =
  (found: Scraped) =>
  (family: string, labels: Record<string, string> = {}, end = '') =>
    found.get(family)?.series.get(nameOf(`${family}${end}`, labels))

test('metrics: a worker reports attempts by outcome, lag and queue lengths, without IDs', async () => {
  const metrics = openMetrics()
  const urls = workerUrls(fixtures.database.urls)
  const pools = openModePools({ urls, size: 1, name: 'metrics' })
  collectQueues(metrics, pools)
  const url = 'https://receiver.example.com/hooks'
  await invokeOk(fixtures, 'createWebhookEndpoint', { body: { url, event_types: ['*'] } })
  await invokeOk(fixtures, 'createPatient', { body: rivera })
  const at = Date.now() - 2500
  const event_id = firstIdOf('evt', at)
  expect(createdAt(event_id)).toBe(at)
  const delivered = { mode: 'test', outcome: 'delivered', event_id, ms: 0, status: 200 }
  countWork(metrics, 'webhook.attempted', { ...delivered, attempt: 1 })
  countWork(metrics, 'webhook.attempted', { ...delivered, attempt: 2, ms: 400 })
  const failed = { ...delivered, outcome: 'pending', attempt: 3 }
  countWork(metrics, 'webhook.attempted', { ...failed, status: 503 })
  countWork(metrics, 'webhook.attempted', { ...failed, status: undefined, error: 'timeout' })
  countWork(metrics, 'webhook.disabled', { mode: 'test', endpoint: 'we_1' })
  countWork(metrics, 'webhook.lease_expired', { mode: 'test', delivery: 'dlv_1', claims: 2 })
  countWork(metrics, 'job.failed', { job: 'purge' })
  countWork(metrics, 'job.ran', { job: 'realtime.publish', messages: 3, dropped: 2 })
  const server = serveMetrics(metrics, '127.0.0.1', 0)
  const answer = await fetch(new URL('/metrics', server?.url))
  expect(answer.headers.get('content-type')).toStartWith('text/plain; version=0.0.4')
  const text = await answer.text()
  expect(text).not.toMatch(/we_1|evt_|dlv_/)
  const value = valueIn(scrape(text))
  const mode = 'test'
  const attempts = (outcome: string, error: string) =>
    value('telehealth_webhook_attempts_total', { mode, outcome, error })
  expect(attempts('delivered', 'none')).toBe(2)
  expect([attempts('pending', 'status'), attempts('pending', 'timeout')]).toEqual([1, 1])
  expect(value('telehealth_webhook_disabled_total', { mode })).toBe(1)
  expect(value('telehealth_webhook_lease_expired_total', { mode })).toBe(1)
  expect(value('telehealth_job_failures_total', { job: 'purge' })).toBe(1)
  expect(value('telehealth_realtime_dropped_total')).toBe(2)
  const lag = 'telehealth_webhook_first_attempt_lag_seconds'
  const under = (le: string) => value(lag, { mode, le }, '_bucket')
  expect([under('2'), under('300'), under('+Inf'), value(lag, { mode }, '_count')]).toEqual([
    0, 1, 1, 1,
  ])
  expect(value(lag, { mode }, '_sum')).toBeGreaterThanOrEqual(2.5)
  const took = 'telehealth_webhook_attempt_seconds'
  expect([value(took, { mode }, '_count'), value(took, { mode }, '_sum')]).toEqual([4, 0.4])
  expect(value('telehealth_unread_tenants', { mode })).toBe(1)
  expect(value('telehealth_unread_oldest_seconds', { mode })).toBeGreaterThan(0)
  for (const each of [
    'unread_tenants',
    'unread_oldest_seconds',
    'webhook_due',
    'webhook_pending',
  ]) {
    expect([each, value(`telehealth_${each}`, { mode: 'live' })]).toEqual([each, 0])
  }
  expect(value('telehealth_webhook_oldest_due_seconds', { mode: 'live' })).toBe(0)
  await server?.stop(true)
})

test('metrics: alert counters are exported before their first event, so the first one alerts', async () => {
  const metrics = openMetrics()
  countFromZero(metrics)
  const before = scrape(await metrics.text())
  const event_id = firstIdOf('evt', Date.now())
  for (const mode of ['test', 'live']) {
    const attempted = { mode, event_id, attempt: 2 }
    countWork(metrics, 'webhook.attempted', { ...attempted, outcome: 'delivered', status: 200 })
    const error = 'blocked_address'
    countWork(metrics, 'webhook.attempted', { ...attempted, outcome: 'pending', error })
    countWork(metrics, 'webhook.interrupted', { mode })
    countWork(metrics, 'webhook.lease_expired', { mode })
  }
  countWork(metrics, 'job.ran', { job: 'realtime.publish', dropped: 2 })
  countWork(metrics, 'job.ran', { job: 'pharmacy.transmit', accepted: 3, stopped: 1 })
  const after = scrape(await metrics.text())
  const counted = [...after].flatMap(([family, { kind, series }]) =>
    kind === 'counter'
      ? [...series.keys()].map(name => [name, before.get(family)?.series.get(name)])
      : [],
  )
  expect(counted).toHaveLength(10)
  expect(counted.filter(([, value]) => value !== 0)).toEqual([])
})

test('metrics: a delivery waiting for an agreement is pending, not overdue', async () => {
  const metrics = openMetrics()
  const pools = openModePools({
    urls: workerUrls(fixtures.database.urls),
    size: 1,
    name: 'metrics',
  })
  collectQueues(metrics, pools)
  const body = { url: 'https://held.example.com/hooks', event_types: ['*'] }
  const { id } = await invokeOk(fixtures, 'createWebhookEndpoint', { body })
  const overdue = async () => {
    const value = valueIn(scrape(await metrics.text()))
    return ['pending', 'oldest_due_seconds'].map(name =>
      Math.floor(value(`telehealth_webhook_${name}`, { mode: 'test' }) ?? -1),
    )
  }
  await queryAsOwner(
    fixtures,
    sql`with queue as (
          update test.endpoint_queues set next_due = now() - interval '90 s'
           where webhook_endpoint = ${id} returning tenant)
        insert into test.due_deliveries (tenant, delivery, webhook_endpoint, due_at)
        select tenant, 'dlv_held', ${id}, now() - interval '90 s' from queue`,
  )
  expect(await overdue()).toEqual([1, 90])
  await queryAsOwner(
    fixtures,
    sql`update test.endpoint_queues set next_due = 'infinity' where webhook_endpoint = ${id}`,
  )
  expect(await overdue()).toEqual([1, 0])
  await Promise.all(Object.values(pools).map(pool => pool.close()))
})

test('metrics: API requests are timed by operation and status class, and pages aren’t', async () => {
  const metrics = openMetrics()
  const logged: AnsweredRequest[] = []
  const log = countingRequests(
    { request: (answered: AnsweredRequest) => void logged.push(answered) },
    metrics,
  )
  const answered = { method: 'GET', route: '/x', url: '/x', requestId: 'req_1' }
  const fields = { operation: 'listCases' }
  log.request({ ...answered, status: 200, milliseconds: 30, fields })
  log.request({ ...answered, status: 503, milliseconds: 6000, fields })
  log.request({ ...answered, status: 200, milliseconds: 1 })
  const value = valueIn(scrape(await metrics.text()))
  const timed = (status: string, end: string, le?: string) =>
    value('telehealth_request_seconds', { ...(le && { le }), ...fields, status }, end)
  expect([timed('2xx', '_count'), timed('5xx', '_count')]).toEqual([1, 1])
  expect(logged).toHaveLength(3)
  expect([timed('2xx', '_bucket', '0.025'), timed('2xx', '_bucket', '0.05')]).toEqual([0, 1])
})

test('metrics: a process reports its memory and timer delays', async () => {
  const metrics = openMetrics()
  const measured = measureProcess(metrics)
  const value = async (name: string) => valueIn(scrape(await metrics.text()))(name) ?? 0
  expect(await value('telehealth_memory_bytes')).toBeGreaterThan(1e7)
  // Blocks the event loop.
  const until = performance.now() + 600
  while (performance.now() < until);
  expect(await value('telehealth_event_loop_delay_seconds')).toBeGreaterThan(0.3)
  measured.stop()
})

test('metrics: connection waits are timed, and a backup has an age', async () => {
  const metrics = openMetrics()
  const url = fixtures.database.urls.test
  const pool = openPool({ url, size: 1, name: 'narrow', onWait: timesWaits(metrics) })
  const asked = () => pool.use(connection => connection.run(sql`select pg_sleep(0.02)`))
  await Promise.all([asked(), asked(), asked()])
  await pool.close()
  await queryAsOwner(
    fixtures,
    sql`insert into public.backups (taken_at) values (now() - interval '27 hours')`,
  )
  const { close } = collectDatabase(metrics, workerUrls(fixtures.database.urls))
  const value = valueIn(scrape(await metrics.text()))
  expect(value('telehealth_pool_wait_seconds', { pool: 'narrow' }, '_count')).toBe(2)
  expect(value('telehealth_backup_age_seconds')).toBeGreaterThan(26 * 3600)
  await close()
})

describe('metrics: the text format', () => {
  test('has each family once, with its help and kind', async () => {
    const metrics = openMetrics()
    metrics.count('telehealth_requests_total', { status: '2xx' })
    metrics.count('telehealth_job_failures_total', { job: 'a' })
    metrics.count('telehealth_requests_total', { status: '5xx' }, 3)
    metrics.collect(() => [{ name: 'telehealth_realtime_subscribers', labels: {}, value: 7 }])
    const found = scrape(await metrics.text())
    for (const [name, { help, kind }] of found) {
      const stated = Object.entries(families).find(([each]) => each === name)?.[1]
      expect({ help, kind }).toEqual({ help: stated?.help ?? '', kind: stated?.kind ?? '' })
    }
    const value = valueIn(found)
    expect(value('telehealth_requests_total', { status: '5xx' })).toBe(3)
    expect(value('telehealth_realtime_subscribers')).toBe(7)
  })

  test('includes counts made between two scrapes in the second one, each only once', async () => {
    const metrics = openMetrics()
    const name = 'telehealth_requests_total'
    const [answered, failed] = ['2xx', '5xx'].map(status => metrics.counter(name, { status }))
    const counts = async () => {
      const value = valueIn(scrape(await metrics.text()))
      return [value(name, { status: '2xx' }), value(name, { status: '5xx' })]
    }
    expect(await counts()).toEqual([0, 0])
    for (let count = 0; count < 3; count++) answered?.()
    expect(await counts()).toEqual([3, 0])
    answered?.()
    failed?.()
    expect(await counts()).toEqual([4, 1])
    expect(await counts()).toEqual([4, 1])
  })

  test('counts each logged request by status class', async () => {
    const metrics = openMetrics()
    const logged: number[] = []
    const log = countingRequests({ request: ({ status }) => void logged.push(status) }, metrics)
    const line = { method: 'GET', route: '*', url: '', milliseconds: 1, requestId: 'req_1' }
    const statuses = [101, 200, 201, 304, 404, 499, 503]
    for (const status of statuses) log.request({ ...line, status })
    expect(logged).toEqual(statuses)
    const value = valueIn(scrape(await metrics.text()))
    const counted = ['1xx', '2xx', '3xx', '4xx', '5xx'].map(status =>
      value('telehealth_requests_total', { status }),
    )
    expect(counted).toEqual([1, 2, 1, 2, 1])
  })

  test('has cumulative histogram buckets, separate for each mode', async () => {
    const metrics = openMetrics()
    const name = 'telehealth_realtime_lag_seconds'
    for (const seconds of [0, 0.005, 0.0051, 2, 3599, 9999]) {
      metrics.observe(name, { mode: 'live' }, seconds)
    }
    metrics.observe(name, { mode: 'test' }, 1e-7)
    const value = valueIn(scrape(await metrics.text()))
    const under = (le: string, mode = 'live') => value(name, { mode, le }, '_bucket')
    expect([under('0.005'), under('0.01'), under('2'), under('3600'), under('+Inf')]).toEqual([
      2, 3, 4, 5, 6,
    ])
    expect([under('0.005', 'test'), value(name, { mode: 'test' }, '_sum')]).toEqual([1, 1e-7])
  })

  test('has names that follow Prometheus conventions', () => {
    for (const [name, { kind, help }] of Object.entries(families)) {
      expect(name.endsWith('_total')).toBe(kind === 'counter')
      if (kind === 'histogram') expect(name).toEndWith('_seconds')
      expect(help).toMatch(/^[A-Z].*\.$/)
    }
  })

  test('the test’s parser rejects everything that Prometheus rejects', () => {
    const top = '# HELP a_b B.\n# TYPE a_b counter\n'
    expect(scrape(`${top}a_b{c="d"} 1\n`).get('a_b')?.series.get('a_b{c="d"}')).toBe(1)
    for (const wrong of [
      `${top}a_b 1`,
      `${top}a_b 1\na_b 2\n`,
      `${top}a_c 1\n`,
      `${top}a_b{c=d} 1\n`,
      `${top}a_b{c="d",c="e"} 1\n`,
      `${top}a_b 1\n${top}a_b{c="d"} 1\n`,
      '# HELP a_b B.\n# TYPE a_b histogram\na_b_bucket{le="1"} 2\na_b_sum 1\na_b_count 2\n',
    ]) {
      expect(() => scrape(wrong)).toThrow()
    }
  })
})

test('metrics: no server without a port', () => {
  expect(serveMetrics(openMetrics(), '127.0.0.1', undefined)).toBeUndefined()
})
