// Reads spans from the requests that a collector receives.
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { createRouter } from '../router.ts'
import type { AnsweredRequest } from '../log.ts'
import { openTraces } from './traces.ts'

type Value = { stringValue?: string; intValue?: number; boolValue?: boolean }
type Span = {
  name: string
  traceId: string
  parentSpanId?: string
  kind: number
  status: { code: number }
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: Value }[]
}
const received: { path: string; text: string }[] = []
const collector = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    received.push({ path: new URL(request.url).pathname, text: await request.text() })
    return Response.json({})
  },
})
const endpoint = `http://127.0.0.1:${collector.port}`
afterAll(() => collector.stop(true))
beforeEach(() => void (received.length = 0))

const spans = (): Span[] =>
  received.flatMap(({ text }) =>
    JSON.parse(text).resourceSpans.flatMap((resource: { scopeSpans: { spans: Span[] }[] }) =>
      resource.scopeSpans.flatMap(scope => scope.spans),
    ),
  )
const attributesOf = (span: Span | undefined) =>
  Object.fromEntries(
    (span?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]),
  )

/** Sends two requests through a router with traces; returns its log. */
async function requested(headers: Record<string, string>, to: string | undefined = endpoint) {
  const traces = await openTraces(to, 'telehealth-gateway')
  const logged: AnsweredRequest[] = []
  const router = createRouter({
    groups: [],
    fallback(context) {
      context.addLogFields({ integration: 'int_1' })
      return new Response('x', { status: context.method === 'PUT' ? 503 : 200 })
    },
    isAllowedHost: () => true,
    addressOf: () => '192.0.2.1',
    newRequestId: () => 'req_1',
    base: 'http://localhost',
    log: traces.ofRequests({ request: answered => void logged.push(answered) }),
    onError: () => undefined,
  })
  const peers = { requestIP: () => null } as never
  await router(new Request('http://localhost/Ada?email=ada@example.com', { headers }), peers)
  await router(new Request('http://localhost/', { method: 'PUT' }), peers)
  await traces.close()
  return logged
}

test('traces: a request is a span in its caller’s trace, with IDs and no content', async () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const logged = await requested({ traceparent: `00-${traceId}-b7ad6b7169203331-01` })
  expect(logged.length).toBe(2)
  expect([...new Set(received.map(({ path }) => path))]).toEqual(['/v1/traces'])
  expect(received[0]?.text).toContain('telehealth-gateway')
  const [joined, own] = spans()
  expect([joined?.traceId, joined?.parentSpanId]).toEqual([traceId, 'b7ad6b7169203331'])
  expect([own?.traceId === traceId, own?.parentSpanId]).toEqual([false, undefined])
  // 2 is SERVER as a kind, and ERROR as a status.
  expect([joined?.kind, joined?.status.code, own?.status.code]).toEqual([2, 0, 2])
  expect(attributesOf(joined)).toEqual({
    'telehealth.integration': 'int_1',
    'http.request.method': 'GET',
    'http.route': '*',
    'http.response.status_code': 200,
    'telehealth.request_id': 'req_1',
  })
  expect(JSON.stringify(received)).not.toMatch(/Ada|ada@|192\.0\.2\.1/)
})

test('traces: an invalid traceparent is ignored', async () => {
  await requested({ traceparent: '00-ada@example.com-1-01' })
  const [span] = spans()
  expect(span?.traceId).toMatch(/^[0-9a-f]{32}$/)
  expect(span?.parentSpanId).toBeUndefined()
  expect(JSON.stringify(received)).not.toContain('ada@')
})

test('traces: attempts and job runs are spans with their duration; other events are not', async () => {
  const traces = await openTraces(endpoint, 'telehealth-worker')
  const ids = { mode: 'live', delivery: 'del_1', event_id: 'evt_1', attempt: 2 }
  traces.ofWork('webhook.attempted', { ...ids, outcome: 'pending', error: 'timeout', ms: 15_000 })
  traces.ofWork('job.ran', { job: 'webhooks.read', ms: 12, events: 3 })
  traces.ofWork('webhook.disabled', { mode: 'live' })
  await traces.close()
  const [attempt, run, ...others] = spans()
  expect(others).toEqual([])
  const lasted = Number(attempt?.endTimeUnixNano) - Number(attempt?.startTimeUnixNano)
  expect([attempt?.name, attempt?.kind, attempt?.status.code]).toEqual(['webhook.attempted', 3, 2])
  expect(Math.round(lasted / 1e6)).toBe(15_000)
  expect(attributesOf(attempt)).toMatchObject({
    'telehealth.delivery': 'del_1',
    'telehealth.attempt': 2,
    'telehealth.error': 'timeout',
  })
  expect([run?.name, run?.kind]).toEqual(['job.ran webhooks.read', 1])
})

test('traces: without a configured collector, no header is read and nothing is sent', async () => {
  const log = { request: () => undefined }
  const traces = await openTraces(undefined, 'telehealth-gateway')
  expect(traces.ofRequests(log)).toBe(log)
  traces.ofWork('job.ran', { job: 'x', ms: 1 })
  await traces.close()
  expect(received).toEqual([])
})
