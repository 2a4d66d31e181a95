// Online jobs that stop or fail before they finish, and statements that run alongside them.
import { expect, test } from 'bun:test'
import { until } from '#http/testing/until.ts'
import { openPool } from '../pool.ts'
import { type OnlineJob } from './jobs.ts'
import { finishOnlineJobs } from './run.ts'
import { backfillText, rows, useOnlineFixtures } from './testing/fixtures.ts'

const online = useOnlineFixtures()
const { jobIn, stateOf, isValid, table, olderTransaction } = online
const indexOf = (name: string) =>
  `create unique index concurrently ${name}_text on public.${name} (text)`
/** The minimum and maximum number of times that a table's rows were filled. */
async function filled(name: string) {
  const [found] = await online
    .owner()
    .unsafe(`select min(coalesce(filled, 0)) as least, max(filled) as most from public.${name}`)
  return [found.least, found.most]
}
const doneOf = async (job: OnlineJob) => {
  const found = await stateOf(job)
  return [found?.state, found?.rows_done, found?.failure]
}

test('online: a stopping worker doesn’t wait for a build or for the next attempt', async () => {
  await table('reports')
  await online.owner().unsafe(`update public.reports set text = 'Ada' where id in (7, 8)`)
  const job = jobIn('9020_reports.index.sql', indexOf('reports'))
  const end = await olderTransaction('reports')
  const building = online.keep([job])
  await until(async () => (await isValid('public.reports_text')) === false)
  building.stop()
  await building.finished
  expect(building.failures).toEqual([])
  await end()

  // Two rows are the same, so every unique build fails.
  const failing = online.keep([job])
  await until(() => failing.failures.length > 0)
  failing.stop()
  await failing.finished
  expect(failing.failures).toHaveLength(1)
}, 30_000)

test('online: a stopped backfill continues after its last batch', async () => {
  await table('books')
  await table('albums')
  const backfill = jobIn('9021_books.backfill.sql', backfillText('books', 100))
  const index = jobIn('9022_albums.index.sql', indexOf('albums'))
  const pool = openPool({ url: online.url(), size: 1, name: 'stopping' })
  const stopping = new AbortController()
  const stopped = pool.use(connection =>
    finishOnlineJobs(connection, [backfill, index], { stopping: stopping.signal }),
  )
  await until(async () => ((await stateOf(backfill))?.rows_done ?? 0) >= 100)
  stopping.abort()
  await stopped
  // No process is working on the backfill, although the session still exists.
  expect((await stateOf(backfill))?.state).toBe('stopped')
  expect((await stateOf(backfill))?.rows_done).toBeLessThan(rows)
  expect([(await stateOf(index))?.state, await isValid('public.albums_text')]).toEqual([
    'waiting',
    undefined,
  ])
  await pool.use(connection => finishOnlineJobs(connection, [backfill, index]))
  expect(await doneOf(backfill)).toEqual(['done', rows, null])
  expect([await filled('books'), await isValid('public.albums_text')]).toEqual([[1, 1], true])
  await pool.close()
}, 30_000)

test('online: a batch with a locked row releases its other rows, and is retried', async () => {
  await table('ledgers')
  const job = jobIn('9023_ledgers.backfill.sql', backfillText('ledgers'))
  const session = await online.owner().reserve()
  await session.unsafe('begin; update public.ledgers set text = $$held$$ where id = 1450')
  const kept = online.keep([job])
  const batches = new Set<string>()
  await until(async () => {
    const waiting = await online.owner()`
      select xact_start::text as began from pg_stat_activity
       where application_name = 'online jobs' and datname = current_database()
         and wait_event_type = 'Lock'`
    for (const { began } of waiting) batches.add(began)
    return batches.size >= 2
  })
  expect(kept.failures).toEqual([])
  await session.unsafe('commit')
  await session.release()
  await kept.finished
  expect(await doneOf(job)).toEqual(['done', rows, null])
  expect(await filled('ledgers')).toEqual([1, 1])
}, 30_000)

test('online: a failed job leaves later ones untouched, and they run once it succeeds', async () => {
  await table('folders')
  await table('labels')
  await online.owner().unsafe(`update public.folders set text = 'Ada' where id in (7, 8)`)
  const first = jobIn('9024_folders.index.sql', indexOf('folders'))
  const second = jobIn('9025_labels.index.sql', indexOf('labels'))
  const kept = online.keep([first, second], 50)
  await until(async () => (await stateOf(first))?.state === 'failing')
  expect(await doneOf(second)).toEqual(['waiting', 0, null])
  await online.owner().unsafe(`update public.folders set text = 'Grace' where id = 8`)
  await kept.finished
  expect([await doneOf(first), await doneOf(second)]).toEqual([
    ['done', 0, null],
    ['done', 0, null],
  ])
  expect([await isValid('public.folders_text'), await isValid('public.labels_text')]).toEqual([
    true,
    true,
  ])
}, 30_000)
