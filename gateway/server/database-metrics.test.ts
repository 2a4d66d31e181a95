// Database metrics, with each condition created on a real server and then removed. WAL metrics are
// tested with an archive (backup.test.ts) and a replica (failover.test.ts).
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { type TestDatabase, testDatabase } from '#database/testing/database.ts'
import { workerUrls } from '#database/roles.ts'
import { collectDatabase } from './database-metrics.ts'
import { openMetrics } from '#http/observe/metrics.ts'
import { nameOf, scrape } from '../testing/prometheus.ts'
import { until } from '#http/testing/until.ts'

let database: TestDatabase
let owner: SQL
let collecting: ReturnType<typeof collectDatabase>
const metrics = openMetrics()
beforeAll(async () => {
  database = await testDatabase()
  owner = new SQL(database.url, { max: 1 })
  collecting = collectDatabase(metrics, workerUrls(database.urls))
})
afterAll(async () => {
  await collecting.close()
  await owner.close()
  await database.close()
})

async function valueOf(family: string, labels: Record<string, string> = {}): Promise<number> {
  const value = scrape(await metrics.text())
    .get(family)
    ?.series.get(nameOf(family, labels))
  if (value === undefined) throw new Error(`${family} has no ${JSON.stringify(labels)}`)
  return value
}

test('database metrics: a table’s dead rows until a vacuum, per mode', async () => {
  const cursors = { mode: 'test', table: 'event_cursors' }
  const dead = () => valueOf('telehealth_table_dead_rows', cursors)
  expect(await dead()).toBe(0)
  // Too few dead rows to start an automatic vacuum.
  await owner`insert into test.event_cursors (of_tenant) select n from generate_series(1, 45) n`
  await owner`delete from test.event_cursors where of_tenant <> 1`
  await owner`select pg_stat_force_next_flush()`
  await until(async () => (await dead()) === 44)
  expect(await valueOf('telehealth_table_live_rows', cursors)).toBe(1)
  expect(await valueOf('telehealth_table_dead_rows', { ...cursors, mode: 'live' })).toBe(0)
  for (const table of ['endpoint_queues', 'due_deliveries', 'events', 'tenants']) {
    expect(await valueOf('telehealth_table_dead_rows', { mode: 'live', table })).toBe(0)
  }

  await owner.unsafe('vacuum test.event_cursors')
  await until(async () => (await dead()) === 0)
  const since = async (): Promise<number> => {
    const [row] = await owner`
      select extract(epoch from clock_timestamp() - last_vacuum)::float8 as age
        from pg_stat_user_tables where schemaname = 'test' and relname = 'event_cursors'`
    return row.age
  }
  const before = await since()
  const age = await valueOf('telehealth_table_vacuum_age_seconds', cursors)
  expect(age).toBeGreaterThanOrEqual(before)
  expect(age).toBeLessThanOrEqual(await since())
})

test('database metrics: the age of an open transaction and of its snapshot', async () => {
  const [seconds, xmin] = [
    'telehealth_database_oldest_transaction_seconds',
    'telehealth_database_oldest_xmin_transactions',
  ] as const
  await using holder = new SQL(database.url, { max: 1 })
  const held = await holder.reserve()
  await held`begin isolation level repeatable read`
  const [begun] = await held`select extract(epoch from now())::float8 as at`
  for (let turn = 0; turn < 7; turn++) await owner`select pg_current_xact_id()`
  const [looked] = await owner`select extract(epoch from clock_timestamp())::float8 as at`
  const open = await valueOf(seconds)
  expect(open).toBeGreaterThanOrEqual(looked.at - begun.at)
  expect(await valueOf(xmin)).toBeGreaterThanOrEqual(7)
  await held`commit`
  await held.release()
  await until(async () => (await valueOf(seconds)) < open && (await valueOf(xmin)) < 7)
})

test('database metrics: the worker roles can read only numbers', async () => {
  await using worker = new SQL(database.urls.worker_live, { max: 1 })
  const columns = Object.keys((await worker`select * from database_health()`)[0])
  expect(columns).toEqual(['oldest_transaction', 'oldest_xmin', 'archive_failing', 'archive_waits'])
  await using caller = new SQL(database.urls.live, { max: 1 })
  for (const name of ['database_health', 'replication_lag']) {
    await expect(caller.unsafe(`select * from ${name}()`).execute()).rejects.toThrow(
      /permission denied for function/,
    )
  }
})

test('database metrics: a backfill’s progress and failures until it is done', async () => {
  await owner.unsafe(`create table public.counted as select n from generate_series(1, 200) n;
    analyze public.counted`)
  const labels = { job: '9100_x.backfill' }
  await owner`insert into public.online_jobs (name, kind, of_table, rows_done, started_at)
    values (${labels.job}, 'backfill', 'public.counted', 50, now())`
  expect(await valueOf('telehealth_online_job_done_ratio', labels)).toBe(0.25)
  expect(await valueOf('telehealth_online_job_failing', labels)).toBe(0)
  await owner`update public.online_jobs set failure = '55P03'`
  expect(await valueOf('telehealth_online_job_failing', labels)).toBe(1)
  await owner`update public.online_jobs set failure = null, ended_at = now()`
  await expect(valueOf('telehealth_online_job_failing', labels)).rejects.toThrow('has no')
})
