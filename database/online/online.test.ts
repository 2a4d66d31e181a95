// Jobs on a large table during normal traffic: killed midway, then continued.
import { expect, test } from 'bun:test'
import path from 'node:path'
import { until } from '#http/testing/until.ts'
import { migrate, type Migration, readMigrations } from '../migrate.ts'
import { type OnlineJob, readOnlineJobs } from './jobs.ts'
import { progressLine } from './progress.ts'
import { backfillText, rows, useOnlineFixtures } from './testing/fixtures.ts'

const online = useOnlineFixtures()
const { folder, jobIn, stateOf, isValid, table, olderTransaction } = online
const keep = (...jobs: OnlineJob[]) => online.keep(jobs, 10)

const killed = async () =>
  void (await online.owner()`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'online jobs' and datname = current_database()`)

test('online: an index is built during traffic, and again if the build is killed midway', async () => {
  await table('letters')
  const job = jobIn(
    '9001_letters.index.sql',
    '-- Why.\ncreate index concurrently letters_text on public.letters (text)',
  )
  const end = await olderTransaction('letters')
  const kept = keep(job)
  await until(async () => (await isValid('public.letters_text')) === false)
  const found = await stateOf(job)
  expect([found?.state, found?.phase]).toEqual(['running', 'waiting for writers before build'])
  // Other statements still run.
  await online.owner().unsafe('insert into public.letters values (0)')
  await killed()
  await until(() => kept.failures.length > 0)
  await end()
  await kept.finished
  expect(await isValid('public.letters_text')).toBe(true)
  const after = await stateOf(job)
  expect([after?.state, after?.share, after?.failure]).toEqual(['done', 1, null])
})

/** Runs the jobs in another process, which the test kills. Work that the process started in
 *  PostgreSQL continues. */
const child = () =>
  Bun.spawn([
    process.execPath,
    path.join(import.meta.dir, 'testing/worker.ts'),
    online.url(),
    folder,
  ])

test('online: a build continues if its process is killed, and the next process accepts it', async () => {
  await table('pages')
  const text = 'create index concurrently pages_text on public.pages (text)'
  const job = jobIn('9002_pages.index.sql', text)
  const end = await olderTransaction('pages')
  const first = child()
  await until(async () => (await isValid('public.pages_text')) === false)
  const [built] = await online.owner()`select to_regclass('public.pages_text')::oid as oid`
  first.kill('SIGKILL')
  await first.exited
  const second = keep(job)
  await end()
  await second.finished
  const [kept] = await online.owner()`select to_regclass('public.pages_text')::oid as oid`
  expect([kept.oid, await isValid('public.pages_text')]).toEqual([built.oid, true])
  expect(second.failures).toEqual([])
})

test('online: each batch is planned for its own position, even after many others', async () => {
  await table('drafts')
  // Each batch records in its rows how many generic plans its session has used.
  const planned = `(select coalesce(sum(generic_plans), 0) from pg_prepared_statements)`
  const text = backfillText('drafts').replace('1000)', '200)')
  const noted = text.replace('coalesce(n.filled, 0) + 1', planned)
  const kept = keep(jobIn('9010_drafts.backfill.sql', noted))
  await kept.finished
  const [found] = await online.owner()`select count(*)::int, sum(filled)::int from public.drafts`
  expect(found).toEqual({ count: rows, sum: 0 })
})

test('online: a backfill runs in batches; if killed midway, it continues after its last batch', async () => {
  await table('notes')
  const job = jobIn('9003_notes.backfill.sql', backfillText('notes'))
  // The batch that reaches this row waits for it.
  const session = await online.owner().reserve()
  await session.unsafe('begin; update public.notes set text = $$held$$ where id = 1450')
  const first = child()
  await until(async () => (await stateOf(job))?.rows_done === 1000)
  const line = progressLine((await stateOf(job)) ?? ({} as never))
  expect(line).toBe('running  9003_notes.backfill  33 %, 1000 rows')
  first.kill('SIGKILL')
  await first.exited
  await session.unsafe('commit')
  await session.release()
  expect((await stateOf(job))?.rows_done).toBe(1000)
  await keep(job).finished
  const after = await stateOf(job)
  expect([after?.state, after?.rows_done]).toEqual(['done', rows])
  // Each row was filled once: the killed batch hadn't committed.
  const [counts] = await online.owner()`
    select min(filled) as least, max(filled) as most, count(*)::int as rows from public.notes`
  expect({ ...counts }).toEqual({ least: 1, most: 1, rows })
})

test('online: several processes run each job once, one at a time', async () => {
  await table('sheets')
  const job = jobIn('9004_sheets.backfill.sql', backfillText('sheets'))
  await Promise.all([keep(job).finished, keep(job).finished, keep(job).finished])
  const [counts] = await online.owner()`
    select min(filled) as least, max(filled) as most from public.sheets`
  expect({ ...counts }).toEqual({ least: 1, most: 1 })
})

test('online: a failed job reports its SQLSTATE without values, and is retried', async () => {
  await table('cards')
  await online.owner().unsafe(`update public.cards set text = 'Ada' where id in (7, 8)`)
  const text = 'create unique index concurrently cards_text on public.cards (text)'
  const job = jobIn('9005_cards.index.sql', text)
  const kept = keep(job)
  // Runs between two attempts, so the next attempt starts without a failure.
  let seen: Awaited<ReturnType<typeof stateOf>>
  await until(async () => (seen = await stateOf(job))?.state === 'failing')
  expect(seen?.failure).toBe('23505')
  await online.owner().unsafe(`update public.cards set text = 'Grace' where id = 8`)
  await kept.finished
  expect([await isValid('public.cards_text'), (await stateOf(job))?.state]).toEqual([true, 'done'])
})

test('online: a migration that needs a job is applied after the job', async () => {
  await table('cases_of_paper')
  const job = jobIn('9006_paper.backfill.sql', backfillText('cases_of_paper'))
  const text =
    '-- Why.\n-- after 9006\nalter table public.cases_of_paper alter column filled set not null'
  const migration: Migration = { name: '9007_paper.sql', text, sha256: 'none' }
  const lines: string[] = []
  await migrate(online.owner(), line => lines.push(line), [...readMigrations(), migration], [job])
  expect(lines).toEqual(['9007_paper.sql is waiting for 9006_paper.backfill …'])
  expect((await stateOf(job))?.state).toBe('done')
  // The session that migrated may still exist, but other sessions must be able to do the jobs after
  // the migration.
  const held = await online.owner()`select from pg_locks
    where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`
  expect(held).toHaveLength(0)
  await online.owner()`delete from public.migrations where name = '9007_paper.sql'`
})

test('online: a file defines its job, once per mode if its name has .mode', () => {
  jobIn('9008_x.mode.index.sql', 'create index concurrently x on {mode}.cases (id)')
  expect(readOnlineJobs(folder).map(job => [job.name, job.table])).toEqual([
    ['9008_x.mode.index test', 'test.cases'],
    ['9008_x.mode.index live', 'live.cases'],
  ])
  const refused = (file: string, text: string, words: string) =>
    expect(() => jobIn(file, text)).toThrow(words)
  refused('9009_y.index.sql', 'create index y on live.cases (id)', 'create one index concurrently')
  refused('9009_y.backfill.sql', 'update live.cases set id = $1', 'must name its table')
  refused('y.index.sql', '', 'must be named like')
})
