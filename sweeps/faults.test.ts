// Fault injection: kills PostgreSQL, one of its backends, a gateway or a worker during writes,
// while a client polls and webhooks are sent. Afterward, every acknowledged write must exist once,
// with its event; all retries with its key must have converged on one response; the poller must
// have read every event once and in order; and every event must have been delivered.
// FAULT_ROUNDS=50 kills 50 times, for at least a minute.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import path from 'node:path'
import { until } from '#http/testing/until.ts'
import { rivera } from '#clinical/testing/call.ts'
import { ledgerOf, deliveriesIn } from '#clinical/deliveries/engine/testing/ledger.ts'
import { realtimePath, realtimeProtocol } from '#contract/realtime.ts'
import { isTransient } from '#database/failures.ts'
import { openPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { endLeases, openProcesses, type Processes, victims } from '#gateway/testing/processes.ts'

const requested = Number(process.env['FAULT_ROUNDS'] ?? 1)
const isLong = requested >= 50
const rounds = Math.max(victims.length, requested)
const clients = isLong ? 16 : 8
const secondsMin = isLong ? 60 : 0
const root = path.dirname(import.meta.dir)

const acknowledged = new Map<string, string>()
const disagreements: string[] = []
const stopping = new AbortController()
let processes: Processes
beforeAll(async () => {
  const command = [process.execPath, path.join(root, 'site', 'build', 'build.ts')]
  expect(Bun.spawnSync(command, { cwd: root }).exitCode).toBe(0)
  processes = await openProcesses()
}, 120_000)
afterAll(() => processes.close(), 60_000)

/** Makes one attempt. Returns null for no response or a retryable error, so the caller retries. */
async function send(key: string, gateway = 0): Promise<string | null> {
  const body = { ...rivera, external_id: key }
  const answer = await processes.ask(gateway, { method: 'POST', path: '/v1/patients', key, body })
  if (answer?.status === 201) return answer.body.id
  if (answer && ![409, 500, 503].includes(answer.status)) {
    disagreements.push(`${answer.status} ${answer.text}`)
  }
  return null
}

async function sendUntilAnswered(key: string, gateway?: number): Promise<string> {
  let id: string | null = null
  await until(async () => (id = await send(key, gateway)) !== null, 20)
  return id ?? ''
}

async function client(name: number): Promise<void> {
  for (let turn = 0; !stopping.signal.aborted; turn++) {
    const key = `client-${name}-${turn}`
    acknowledged.set(key, await sendUntilAnswered(key))
    if (turn % 5 !== 0) continue
    const again = await send(key)
    if (again !== null && again !== acknowledged.get(key)) disagreements.push(key)
  }
}

type PolledEvent = { id: string; created_at: string }

/** Polls events with `since` at another gateway, until all writes are done and no events remain. */
const poll = (seen: PolledEvent[], writesDone: AbortSignal): Promise<void> =>
  until(async () => {
    const isLast = writesDone.aborted
    const since = seen.at(-1)?.created_at ?? '2026-01-01T00:00:00Z'
    const answer = await processes.ask(1, { path: `/v1/events?limit=100&since=${since}` })
    if (answer?.status !== 200) return false
    seen.push(...answer.body.data)
    return isLast && answer.body.data.length === 0
  }, 5)

/** Waits for a condition that the service must reach by itself. Fails after five minutes. */
async function reached(what: string, isTrue: () => Promise<boolean> | boolean): Promise<void> {
  const began = performance.now()
  await until(async () => {
    const isReached = await isTrue()
    if (!isReached && performance.now() - began > 300_000) {
      throw new Error(`${what}: not reached; last unexpected response: ${disagreements.at(-1)}`)
    }
    return isReached
  })
}

const acknowledging = (victim: string) => {
  const before = acknowledged.size
  return reached(`a write after the ${victim}`, () => acknowledged.size >= before + clients)
}
test('gateways: a realtime token, a socket and an event may each use another gateway', async () => {
  await reached('an answer', async () =>
    (await Promise.all([0, 1, 2].map(at => processes.ask(at, { path: '/v1/organization' })))).every(
      answer => answer?.status === 200,
    ),
  )
  const url = `https://127.0.0.1:${processes.receiver.port}/hooks`
  const body = { url, event_types: ['*'] }
  const path = '/v1/webhook_endpoints'
  const made = await processes.ask(2, { method: 'POST', path, key: 'endpoint', body })
  expect(made?.status).toBe(201)
  const granted = await processes.ask(0, {
    method: 'POST',
    path: '/v1/realtime/tokens',
    key: 'token',
  })
  const protocols = [realtimeProtocol, `bearer.${granted?.body.token}`]
  const socket = new WebSocket(`ws://127.0.0.1:${processes.ports[1]}${realtimePath}`, protocols)
  const frames: string[] = []
  const received = Promise.withResolvers<void>()
  const welcomed = Promise.withResolvers<void>()
  socket.addEventListener('message', ({ data }) => {
    frames.push(String(data))
    if (frames.length === 1) welcomed.resolve()
    else received.resolve()
  })
  await welcomed.promise
  const id = await sendUntilAnswered('fan-out', 2)
  acknowledged.set('fan-out', id)
  await received.promise
  socket.close()
  const { name, data, id: event } = JSON.parse(frames[1] ?? '')
  expect([name, data.resource]).toEqual(['patient.created.v1', { type: 'patient', id }])
  const read = await processes.ask(0, { path: `/v1/events/${event}` })
  expect(frames[1]).toBe(`{"name":"${name}","id":"${event}","data":${read?.text}}`)
  expect(frames).toHaveLength(2)
}, 600_000)

test('faults: after kills, each write, event, poll and delivery exists exactly once', async () => {
  const seen: PolledEvent[] = []
  const writesDone = new AbortController()
  const polling = poll(seen, writesDone.signal)
  const work = Promise.all(Array.from({ length: clients }, (_, name) => client(name)))
  await acknowledging('start')
  const began = performance.now()
  for (let round = 0; round < rounds || performance.now() - began < secondsMin * 1000; round++) {
    const victim = victims[round % victims.length] ?? 'gateway'
    // Kills in the middle of writes.
    const before = acknowledged.size
    await until(() => acknowledged.size >= before + ((round * 37) % 9), 1)
    await processes.kill(victim)
    await acknowledging(victim)
  }
  stopping.abort()
  await work
  writesDone.abort()
  await polling
  expect(disagreements).toEqual([])
  await reached('every listener', processes.areListening)

  const settings = { statement_timeout: '0' }
  const pool = openPool({ url: processes.database.url, size: 1, name: 'counting', settings })
  const left = async () => {
    const [row] = await pool.use(connection =>
      connection.run<{ unread: number; waiting: number; held: number }>(sql`
        select (select count(*)::int from test.unread_since(array(select test.tenants_to_read()))) as unread,
               count(*) filter (where claim is null)::int as waiting,
               count(*) filter (where claim is not null)::int as held from test.due_deliveries`),
    )
    return row ?? { unread: 1, waiting: 1, held: 1 }
  }
  // A killed worker's deliveries would fill its endpoint's slots until the leases expire. The
  // statement is retried, because a worker that records concurrently may have locked the rows in
  // another order.
  const endAllLeases = () =>
    reached('the end of leases', () =>
      pool
        .use(connection => connection.run(endLeases))
        .then(
          () => true,
          (failure: unknown) => {
            if (!isTransient(failure)) throw failure
            return false
          },
        ),
    )
  await endAllLeases()
  await reached('all events read', async () => (await left()).unread + (await left()).waiting === 0)
  await endAllLeases()
  await reached('every delivery', async () => (await left()).held === 0)
  await processes.stopWorkers()

  const rows = await pool.use(connection =>
    connection.run<{ external_id: string; id: string; events: string; records: string }>(sql`
        select p.external_id, p.id,
               (select count(*) from test.events e where e.resource_id = p.id) as events,
               (select count(*) from test.idempotency_keys k where k.key = p.external_id) as records
          from test.patients p`),
  )
  const events = await pool.use(connection =>
    connection.run<{ id: string }>(sql`select id from test.events order by id`),
  )
  const { wrong, ...totals } = await ledgerOf(pool, deliveriesIn(processes.receiver.received))
  await pool.close()
  const stored = new Map(rows.map(row => [row.external_id, row.id]))
  expect(rows.length).toBe(stored.size)
  expect(stored).toEqual(acknowledged)
  expect(rows.filter(row => Number(row.events) !== 1 || Number(row.records) !== 1)).toEqual([])
  const all = rows.length
  expect(seen.map(({ id }) => id)).toEqual(events.map(({ id }) => id))
  const moments = seen.map(({ created_at }) => created_at)
  expect(moments).toEqual([...new Set(moments)].sort())
  expect(wrong).toEqual([])
  expect(totals).toMatchObject({ events: all, unread: 0, pending: 0, delivered: all, failed: 0 })
  if (isLong) console.log(JSON.stringify({ rounds, clients, polled: seen.length, ...totals }))
}, 600_000)

test('health: fails with the database, while pages, lists and /ask are still served', async () => {
  const base = `http://127.0.0.1:${processes.ports[0]}`
  const health = async () => {
    const answer = await fetch(`${base}/api/health`)
    return { code: answer.status, ...(await answer.json()) }
  }
  // Earlier kills may have left broken connections.
  await reached('a healthy gateway', async () => (await health()).status === 'pass')
  const before = await health()
  expect(before).toMatchObject({ code: 200, status: 'pass' })
  expect(Object.keys(before.checks)).toEqual([
    'database:responseTime',
    'database:writes',
    'database:schema',
    'disk:available',
    'mail:age',
    'webhooks:lag',
    'live:mode',
    'site:articles',
    'ask:results',
  ])
  await processes.database.stop()
  let after = await health()
  await until(async () => {
    after = await health()
    return after.code !== 200
  }, 100)
  expect(after).toMatchObject({ code: 503, status: 'fail' })
  expect(after.checks['site:articles'][0].status).toBe('pass')
  for (const path of ['/', '/api/articles', '/ask?query=webhooks']) {
    expect([path, (await fetch(base + path)).status]).toEqual([path, 200])
  }
}, 60_000)
