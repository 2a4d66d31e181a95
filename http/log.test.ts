import { expect, test } from 'bun:test'
import { createLog, type LogFormat, pathOf } from './log.ts'

function capture(format: LogFormat, isTerminal = false) {
  let written = ''
  const now = () => Date.parse('2026-11-21T09:30:00.123Z')
  const log = createLog(format, text => (written += text), now, isTerminal)
  return { log, lines: () => (log.flush(), written.split('\n').slice(0, -1)) }
}
const request = {
  method: 'GET',
  url: 'http://localhost:3000/v1/cases?patient=pat_1&code=secret-value#part',
  status: 200,
  milliseconds: 4.26,
  requestId: 'req_1',
}

test('log: a request is one line of text in a terminal', () => {
  const { log, lines } = capture('auto', true)
  log.request({ ...request, fields: { operation: 'listCases' } })
  expect(lines()).toEqual([
    '09:30:00 GET    200   4.3 ms  /v1/cases?patient&code  req_1  operation=listCases',
  ])
})

test('log: failures are the requests of status 500 and above, and the events that are not routine', () => {
  const { log, lines } = capture('failures', true)
  log.request(request)
  log.request({ ...request, status: 503 })
  log.event('worker.ready', { pid: 1 })
  log.event('database.died')
  expect(lines().map(line => line.slice(9, 24).trim())).toEqual([
    'GET    503   4.',
    'database.died',
  ])
})

test('log: lines are JSON when the output is not a terminal', () => {
  const { log, lines } = capture('auto')
  log.request(request)
  log.event('delivery.attempted', { status: 500 })
  expect(lines().map(line => JSON.parse(line))).toEqual([
    {
      time: '2026-11-21T09:30:00.123Z',
      event: 'request.answered',
      method: 'GET',
      path: '/v1/cases?patient&code',
      status: 200,
      ms: 4.3,
      request_id: 'req_1',
    },
    { time: '2026-11-21T09:30:00.123Z', event: 'delivery.attempted', status: 500 },
  ])
})

test('log: buffered lines keep their order and the time of their event', () => {
  let at = Date.parse('2026-11-21T09:30:00Z')
  const written: string[] = []
  const log = createLog(
    'json',
    text => written.push(text),
    () => (at += 1000),
    false,
  )
  log.event('gateway.ready')
  for (let count = 0; count < 1000; count++) log.request({ ...request, requestId: `req_${count}` })
  log.event('gateway.stopped')
  log.flush()
  const lines = written.join('').trimEnd().split('\n')
  const times = lines.map(line => JSON.parse(line).time)
  expect(written.length).toBeGreaterThan(1)
  expect(times).toEqual(times.map((_, place) => new Date(at - 1000 * (1001 - place)).toISOString()))
  expect(lines.slice(1, -1).map(line => JSON.parse(line).request_id)).toEqual(
    Array.from({ length: 1000 }, (_, count) => `req_${count}`),
  )
})

test('log: values of a query string are never written', () => {
  for (const format of ['json', 'text'] as const) {
    const { log, lines } = capture(format)
    log.request(request)
    expect(lines().join()).not.toMatch(/secret-value|pat_1/)
  }
})

test('log: signed tokens in a path are not written', () => {
  expect(pathOf('/visits/join/WyJ0?x=1')).toBe('/visits/join/…?x')
  expect(pathOf('https://example.com/visits/join')).toBe('/visits/join')
})

test('log: a path cannot forge a line', () => {
  expect(pathOf('/a\nb?c\rd=1')).toBe('/a�b?c�d')
  expect(pathOf('https://example.com')).toBe('/')
  expect(pathOf('/x#y?z=1')).toBe('/x')
  expect(pathOf(`/${'a'.repeat(1000)}`).length).toBe(300)
})
