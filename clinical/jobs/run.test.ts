import { getEventListeners } from 'node:events'
import { expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { workerUrls } from '#database/roles.ts'
import { until } from '#http/testing/until.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { invoke, invokeOk, rivera } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import type { Fields, Job } from './job.ts'
import { runWorker } from './run.ts'

const fixtures = useFixtures()

type Line = { event: string } & Fields

function start(jobs: readonly Job[], lines: Line[] = [], retrySeconds?: number) {
  const { database } = fixtures
  return runWorker({
    ...(retrySeconds !== undefined && { retrySeconds }),
    urls: workerUrls(database.urls),
    poolSize: 1,
    jobs,
    note: (event, fields) => void lines.push({ event, ...fields }),
    describe: failure => ({ failure: failure instanceof Error ? failure.message : 'unknown' }),
  })
}

/** Resolves after this many calls, so no test waits for a fixed time. */
function countdown(calls: number) {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { promise, count: () => void (--calls === 0 && resolve()) }
}

const never = 3600

test('a job runs at the start and at its interval, and logs what it did', async () => {
  const thrice = countdown(3)
  const lines: Line[] = []
  const job: Job = {
    name: 'counting',
    everySeconds: 0.01,
    async run() {
      thrice.count()
      return { counted: 1 }
    },
  }
  const running = await start([job], lines)
  await thrice.promise
  await running.stop()
  expect(lines.length).toBeGreaterThanOrEqual(3)
  for (const line of lines) {
    expect(line).toEqual({
      event: 'job.ran',
      job: 'counting',
      ms: expect.any(Number),
      counted: 1,
    })
  }
})

test('a job that had nothing to do logs nothing', async () => {
  const twice = countdown(2)
  const lines: Line[] = []
  const job: Job = { name: 'idle', everySeconds: 0.01, run: async () => twice.count() }
  const running = await start([job], lines)
  await twice.promise
  await running.stop()
  expect(lines).toEqual([])
})

test('a job that keeps failing leaves nothing behind', async () => {
  const thrice = countdown(3)
  const listeners: number[] = []
  const job: Job = {
    name: 'failing',
    everySeconds: 0.01,
    async run({ stopping }) {
      listeners.push(getEventListeners(stopping, 'abort').length)
      thrice.count()
      throw new Error('on purpose')
    },
  }
  const running = await start([job])
  await thrice.promise
  await running.stop()
  expect(listeners).toEqual([1, 1, 1])
})

test('a failed job is retried long before its next interval', async () => {
  const twice = countdown(2)
  const lines: Line[] = []
  const job: Job = {
    name: 'hourly',
    everySeconds: never,
    async run() {
      twice.count()
      throw new Error('on purpose')
    },
  }
  const running = await start([job], lines, 0.01)
  await twice.promise
  await running.stop()
  const failed = { event: 'job.failed', job: 'hourly', failure: 'on purpose' }
  expect(lines.slice(0, 2)).toEqual([failed, failed])
})

const listen = () =>
  invokeOk(fixtures, 'createWebhookEndpoint', {
    body: { url: 'https://hooks.brand.example/', event_types: ['*'] },
  })

test('a write wakes jobs with onWrite while an endpoint is enabled or a token is valid, and names its tenant', async () => {
  const named: (readonly string[] | null)[] = []
  const ready = countdown(1)
  const job: Job = {
    name: 'woken',
    everySeconds: never,
    onWrite: true,
    async run(_worker, _modes, wokenFor) {
      named.push(wokenFor('test'))
      ready.count()
    },
  }
  const running = await start([job])
  await ready.promise
  const write = (as = fixtures.ada.test) =>
    invokeOk(fixtures, 'createPatient', { as, body: rivera })
  const wakes = async (count: number) => until(() => named.length >= count)
  named.length = 0
  await write()
  const { id } = await listen()
  await write()
  await wakes(1)
  // The disabled endpoint may have deliveries to end.
  await invokeOk(fixtures, 'updateWebhookEndpoint', { id, body: { status: 'disabled' } })
  await wakes(2)
  await write()
  await write(fixtures.ben.test)
  await invokeOk(fixtures, 'createRealtimeToken')
  await write()
  await wakes(3)
  await queryAsOwner(fixtures, sql`update test.tenants set realtime_until = now()`)
  await write()
  await invokeOk(fixtures, 'updateWebhookEndpoint', { id, body: { status: 'enabled' } })
  await invokeOk(fixtures, 'deleteWebhookEndpoint', { id })
  await wakes(4)
  await write()
  await running.stop()
  const rows = await queryAsOwner<{ id: string }>(
    fixtures,
    sql`select id::text from test.tenants where integration = ${fixtures.ada.integration}
           and organization = ${fixtures.ada.organization} and retired_at is null`,
  )
  expect(rows).toHaveLength(1)
  expect(named).toEqual([1, 2, 3, 4].map(() => rows.map(one => one.id)))
})

test('a committed write wakes only the jobs with onWrite, for its mode', async () => {
  await listen()
  const firstRun = { woken: countdown(1), other: countdown(1) }
  const again = countdown(2)
  const runs: (readonly string[])[] = []
  let otherRuns = 0
  const jobs: Job[] = [
    {
      name: 'woken',
      everySeconds: never,
      onWrite: true,
      async run(_worker, modes) {
        runs.push(modes)
        firstRun.woken.count()
        again.count()
      },
    },
    {
      name: 'other',
      everySeconds: never,
      async run() {
        otherRuns++
        firstRun.other.count()
      },
    },
  ]
  const running = await start(jobs)
  await Promise.all([firstRun.woken.promise, firstRun.other.promise])
  expect((await invoke(fixtures, 'createPatient', { body: rivera })).status).toBe(201)
  await again.promise
  await running.stop()
  expect(otherRuns).toBe(1)
  expect(runs[0]).toEqual(['test', 'live'])
  expect(runs.at(-1)).toContain('test')
})

test('a job woken repeatedly for one mode still runs for the other at its interval', async () => {
  const both = countdown(3)
  const job: Job = {
    name: 'woken',
    everySeconds: 0.02,
    async run(worker, modes) {
      if (modes.includes('live')) both.count()
      worker.wake('woken', 'test')
    },
  }
  const running = await start([job])
  await both.promise
  await running.stop()
})

test('a wake-up during a run is not lost', async () => {
  const twice = countdown(2)
  const started = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  const job: Job = {
    name: 'woken',
    everySeconds: never,
    async run() {
      twice.count()
      started.resolve()
      await finish.promise
    },
  }
  const running = await start([job])
  await started.promise
  running.wake('woken')
  finish.resolve()
  await twice.promise
  await running.stop()
})

test('a failed job is logged, runs again, and doesn’t delay other jobs', async () => {
  const lines: Line[] = []
  const recovered = countdown(2)
  let steady = 0
  /** How often the steady job has run, at each run of the failing job. */
  const runs: number[] = []
  const jobs: Job[] = [
    {
      name: 'failing',
      everySeconds: 0.01,
      async run() {
        recovered.count()
        if (runs.push(steady) === 1) throw new Error('at first')
      },
    },
    { name: 'steady', everySeconds: 0.01, run: async () => void steady++ },
  ]
  const running = await start(jobs, lines)
  await recovered.promise
  // A failed job pauses for a second while the other job keeps running.
  const [first = 0, second = 0] = runs
  expect(second - first).toBeGreaterThanOrEqual(2)
  await running.stop()
  expect(lines).toEqual([{ event: 'job.failed', job: 'failing', failure: 'at first' }])
})

test('stopping a worker waits for its runs, then for what they started, then closes the pools', async () => {
  const order: string[] = []
  const started = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  const job: Job = {
    name: 'long',
    everySeconds: never,
    async run(worker) {
      started.resolve()
      await finish.promise
      const rows = await worker.pools.live.use(connection => connection.run(sql`select 1 as one`))
      order.push(`ran ${rows.length} ${worker.stopping.aborted}`)
    },
    stop: async () => void order.push('ended'),
  }
  const running = await start([job])
  await started.promise
  const stopped = running.stop().then(() => order.push('stopped'))
  finish.resolve()
  await stopped
  expect(order).toEqual(['ran 1 true', 'ended', 'stopped'])
})
