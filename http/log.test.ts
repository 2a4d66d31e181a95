import { expect, test } from 'bun:test'
import { createLog, type LogFormat } from './log.ts'
import { withAddresses } from './log-addresses.ts'

function capture(format: LogFormat, isTerminal = false) {
  let written = ''
  const now = () => Date.parse('2026-11-21T09:30:00.123Z')
  const log = createLog(format, text => (written += text), now, isTerminal)
  return { log, lines: () => (log.flush(), written.split('\n').slice(0, -1)) }
}
const request = {
  method: 'GET',
  route: '/v1/cases',
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

test('log: the failures format logs requests with status 500 and above, and events that are not routine', () => {
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

test('log: a client address is logged only if configured, in plain text or as a hash', () => {
  const named = (form: 'none' | 'hashed' | 'plain', key = 'a key', address = '198.51.100.7') => {
    const { log, lines } = capture('json')
    withAddresses(log, form, key).request({ ...request, address })
    return JSON.parse(lines()[0] ?? '').client
  }
  expect([named('none'), named('plain')]).toEqual([undefined, '198.51.100.7'])
  expect(named('hashed')).toMatch(/^[0-9a-f]{12}$/)
  expect(named('hashed')).toBe(named('hashed'))
  expect(named('hashed', 'another key')).not.toBe(named('hashed'))
  expect(named('hashed', 'a key', '198.51.100.8')).not.toBe(named('hashed'))
})

test('log: buffered lines keep their order and their events’ times', () => {
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

test('log: query string values are never written', () => {
  for (const format of ['json', 'text'] as const) {
    const { log, lines } = capture(format)
    log.request(request)
    expect(lines().join()).not.toMatch(/secret-value|pat_1/)
  }
})

test('log: a request is logged by its route, without IDs or unknown paths', () => {
  const { log, lines } = capture('json')
  const url = 'http://localhost:3000/v1/patients/pat_1?Ada&email=x&a%20b=c&&ada@example.com#d'
  log.request({ ...request, route: '/v1/patients/{id}', url })
  log.request({ ...request, route: '/docs/*', url: 'http://localhost:3000/docs/ada-lovelace' })
  const paths = lines().map(line => JSON.parse(line).path)
  expect(paths).toEqual(['/v1/patients/{id}?Ada&email&…&…', '/docs/*'])
})

test('log: a path cannot forge a line', () => {
  const { log, lines } = capture('json')
  log.request({ ...request, route: '/a\nb', url: '/?c\rd=1' })
  log.request({ ...request, route: `/${'a'.repeat(1000)}`, url: `/?${'b=1&'.repeat(1000)}` })
  const [first = '', long = ''] = lines().map(line => String(JSON.parse(line).path))
  expect(first).toBe('/a�b?…')
  expect(long.length).toBe(601)
})
