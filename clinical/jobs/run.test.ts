import { expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { workerUrls } from '#database/roles.ts'
import { invoke, rivera } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import type { Fields, Job } from './job.ts'
import { runWorker } from './run.ts'

const fixtures = useFixtures()

type Line = { event: string } & Fields

function start(jobs: readonly Job[], lines: Line[] = []) {
  const { database } = fixtures
  return runWorker({
    urls: workerUrls(database.urls),
    poolSize: 1,
    jobs,
    note: (event, fields) => void lines.push({ event, ...fields }),
    describe: failure => ({ failure: failure instanceof Error ? failure.message : 'unknown' }),
  })
}

/** Resolves at the given call, so that no test sleeps for an amount of time. */
function countdown(calls: number) {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { promise, count: () => void (--calls === 0 && resolve()) }
}

const never = 3600

test('a job runs at the start and at its interval, and says what it did', async () => {
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

test('a job that had nothing to do says nothing', async () => {
  const twice = countdown(2)
  const lines: Line[] = []
  const job: Job = { name: 'idle', everySeconds: 0.01, run: async () => twice.count() }
  const running = await start([job], lines)
  await twice.promise
  await running.stop()
  expect(lines).toEqual([])
})

test('a committed write wakes the jobs that ask for it, in its plane, and no others', async () => {
  const first = { heard: countdown(1), deaf: countdown(1) }
  const again = countdown(2)
  const pools: (readonly string[])[] = []
  let deaf = 0
  const jobs: Job[] = [
    {
      name: 'hearing',
      everySeconds: never,
      onWrite: true,
      async run(_worker, step) {
        pools.push(step)
        first.heard.count()
        again.count()
      },
    },
    {
      name: 'deaf',
      everySeconds: never,
      async run() {
        deaf++
        first.deaf.count()
      },
    },
  ]
  const running = await start(jobs)
  await Promise.all([first.heard.promise, first.deaf.promise])
  expect((await invoke(fixtures, 'createPatient', { body: rivera })).status).toBe(201)
  await again.promise
  await running.stop()
  expect(deaf).toBe(1)
  expect(pools[0]).toEqual(['test', 'live'])
  expect(pools.at(-1)).toContain('test')
})

test('a job that is rung for one plane again and again still looks at the other in its time', async () => {
  const both = countdown(3)
  const job: Job = {
    name: 'rung',
    everySeconds: 0.02,
    async run(worker, step) {
      if (step.includes('live')) both.count()
      worker.wake('rung', 'test')
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

test('a job that fails is logged, runs again, and holds up no other', async () => {
  const lines: Line[] = []
  const recovered = countdown(2)
  let steady = 0
  /** How often the other had run, when this one ran. */
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
  // It is left alone for a second after it failed, and the other meanwhile goes on.
  const [first = 0, second = 0] = runs
  expect(second - first).toBeGreaterThanOrEqual(2)
  await running.stop()
  expect(lines).toEqual([{ event: 'job.failed', job: 'failing', failure: 'at first' }])
})

test('stopping lets a run end, then what it began, then closes', async () => {
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
