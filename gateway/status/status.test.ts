import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openPool, type ConnectionPool } from '#database/pool.ts'
import { type TestDatabase, testDatabase } from '#database/testing/database.ts'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import type { Check, Status } from './health.ts'
import { type History, historyDays, openHistory } from './history.ts'
import { statusMarkup } from './page.ts'
import { openProbes } from './probes.ts'
import { statusReporter } from './report.ts'

let database: TestDatabase
let pool: ConnectionPool
beforeAll(async () => {
  database = await testDatabase()
  pool = openPool({ url: database.urls.site, size: 2, name: 'test status' })
})
afterAll(async () => {
  await pool.close()
  await database.close()
})

const noon = Date.parse('2027-03-08T12:20:00Z')
const dayMs = 86_400_000
const rows = sql`select count(*)::int as count from site.probes`

/** One gateway with one check, whose result and clock the test controls. */
function openStatus(
  history: History | null = openHistory(pool),
  now = noon,
  status: Status = 'pass',
  others: readonly Check[] = [],
) {
  const held = { now, status }
  const events: string[] = []
  const check: Check = {
    name: 'database:responseTime',
    componentType: 'datastore',
    failed: 'The database is not responding.',
    run: () => ({ status: held.status }),
  }
  const clock = () => held.now
  const log = { event: (name: string) => void events.push(name) }
  const other: Check = { ...check, name: 'other:thing' }
  const probes = openProbes({
    checks: [check, other, ...others],
    history,
    log,
    now: clock,
    everyMilliseconds: 1e9,
  })
  const reporter = () => statusReporter({ probes, history, now: clock })()
  return { held, events, probes, reporter, first: () => until(() => probes.states().length > 0) }
}

const daysOf = async (status: ReturnType<typeof openStatus>) =>
  (await status.reporter()).parts[0]?.days

test('status: a part has the status of its worst check', async () => {
  const writes: Check = {
    name: 'database:writes',
    componentType: 'datastore',
    failed: '',
    run: () => ({ status: 'fail', output: 'The disk of the database is full.' }),
  }
  const status = openStatus(null, noon, 'pass', [writes])
  await status.first()
  expect(status.probes.states()).toMatchObject([
    { part: 'api', status: 'fail', output: 'The disk of the database is full.' },
  ])
})

test('status: results are counted by day, and gateways add to the same counts', async () => {
  const [one, other] = [openStatus(), openStatus()]
  await Promise.all([one.first(), other.first()])
  await until(async () => (await daysOf(one))?.[0]?.passed === 2)
  one.held.status = 'fail'
  await one.probes.run()
  other.held.status = 'warn'
  await other.probes.run()
  const report = await one.reporter()
  expect(report).toMatchObject({ status: 'fail', checked_at: '2027-03-08T12:20:00.000Z' })
  expect(report.parts).toEqual([
    {
      name: 'api',
      title: 'Clinical API and booking',
      status: 'fail',
      output: null,
      days: [{ date: '2027-03-08', passed: 2, warned: 1, failed: 1 }],
    },
  ])
  expect((await other.reporter()).status).toBe('warn')
})

test('status: results the database couldn’t store are stored later', async () => {
  const real = openHistory(pool)
  let isDown = true
  const history: History = {
    add: (...counts) => (isDown ? Promise.reject(new Error('down')) : real.add(...counts)),
    read: now => (isDown ? Promise.reject(new Error('down')) : real.read(now)),
  }
  const status = openStatus(history, noon + dayMs, 'fail')
  await status.first()
  await until(() => status.events.length > 0)
  await status.probes.run()
  expect(status.events).toEqual(['status.not_stored', 'status.not_stored'])
  expect(await daysOf(status)).toBeNull()
  isDown = false
  status.held.status = 'pass'
  status.held.now += 3_600_000
  await status.probes.run()
  expect((await daysOf(status))?.at(-1)).toEqual({
    date: '2027-03-09',
    passed: 1,
    warned: 0,
    failed: 2,
  })
})

test('status: the history is limited to its days', async () => {
  const status = openStatus()
  await status.first()
  status.held.now = noon + (historyDays + 2) * dayMs
  await status.probes.run()
  const [row] = await pool.use(each => each.run<{ count: number }>(rows))
  expect([(await daysOf(status))?.length, row?.count]).toEqual([1, 1])
})

test('status: the page shows the measurements, and never rounds up', () => {
  const days = [
    { date: '2027-03-07', passed: 99_999, warned: 0, failed: 1 },
    { date: '2027-03-08', passed: 20, warned: 0, failed: 0 },
  ]
  const part = { name: 'api', title: 'Clinical <API>', status: 'pass', output: null, days } as const
  const report = { status: 'pass', checked_at: '2027-03-08T12:20:00.000Z', parts: [part] } as const
  const html = statusMarkup(report, null).text
  expect(html).toContain('All systems operational.')
  expect(html).toContain('Clinical &lt;API&gt;')
  expect(html.match(/<rect /g)).toHaveLength(historyDays)
  expect(html.match(/class="is-none"/g)).toHaveLength(historyDays - 2)
  expect(html).toContain('<title>March 7, 2027: down at times</title>')
  expect(html).toContain(
    '99.99% of 100,020 checks succeeded since March 7, 2027; the last failure was on March 7, 2027.',
  )
})

test('status: the page reports missing checks and a missing history', () => {
  const none = { status: null, checked_at: null, parts: [] }
  expect(statusMarkup(none, null).text).toContain('No checks yet.')
  const part = { name: 'api', title: 'API', status: 'fail', output: 'It is down.' } as const
  const report = (days: [] | null) =>
    statusMarkup({ status: 'fail', checked_at: null, parts: [{ ...part, days }] }, null).text
  expect(report([])).toContain('It is down. No measurements yet.')
  expect(report(null)).toContain('The history is unavailable right now.')
})
