// What an operator reads: counted as it is logged, and asked of the database when it is read.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { must, rivera } from '#clinical/ask.ts'
import { type Cast, openCast } from '#clinical/cast.ts'
import { idFrom } from '#contract/ids.ts'
import { lookAtQueues, momentIn, noteWork, openMetrics, serveMetrics } from './metrics.ts'

let cast: Cast
beforeAll(async () => {
  cast = await openCast()
})
afterAll(() => cast.close())

test('a worker says its attempts by outcome, its lag and what waits, and nothing of anybody', async () => {
  const metrics = openMetrics()
  const urls = {
    test: cast.database.roleUrl('svc_worker_test'),
    live: cast.database.roleUrl('svc_worker_live'),
  }
  lookAtQueues(metrics, urls)
  await must(cast, 'createPatient', { body: rivera })
  const at = Date.now() - 2000
  const event_id = idFrom('event', at, new Uint8Array(16))
  expect(momentIn(event_id)).toBe(at)
  const attempted = { mode: 'test', outcome: 'delivered', event_id, ms: 0 }
  noteWork(metrics, 'webhook.attempted', { ...attempted, attempt: 1 })
  noteWork(metrics, 'webhook.attempted', { ...attempted, attempt: 2 })
  const server = serveMetrics(metrics, '127.0.0.1', 0)
  const answer = await fetch(new URL('/metrics', server?.url))
  expect(answer.headers.get('content-type')).toStartWith('text/plain; version=0.0.4')
  const lines = (await answer.text()).trim().split('\n')
  expect(lines).toContain('house_webhook_attempts_total{mode="test",outcome="delivered"} 2')
  expect(lines).toContain('house_webhook_first_attempt_lag_seconds_count{mode="test"} 1')
  expect(lines).toContain('house_outbox_events{mode="test"} 1')
  expect(lines).toContain('house_webhook_due{mode="live"} 0')
  const lag = lines.find(line => line.startsWith('house_webhook_first_attempt_lag_seconds_sum'))
  expect(Number(lag?.split(' ').at(-1))).toBeGreaterThanOrEqual(2)
  for (const line of lines)
    expect(line).toMatch(/^[a-z_]+(\{[a-z]+="\w+"(,[a-z]+="\w+")*\})? [\d.]+$/)
  await server?.stop(true)
})

test('no port, no server', () => {
  expect(serveMetrics(openMetrics(), '127.0.0.1', undefined)).toBeUndefined()
})
