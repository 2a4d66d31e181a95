// Metrics that predict trouble in PostgreSQL: dead rows, long transactions that block vacuuming,
// and WAL that isn't archived or replayed. Queried on each scrape.
import type { Mode } from '#contract/operation.ts'
import { modes, openModePools } from '#database/modes.ts'
import type { ConnectionPool } from '#database/pool.ts'
import { progressOf } from '#database/online/progress.ts'
import { sql } from '#database/sql.ts'
import type { Metrics, Sample } from '#http/observe/metrics.ts'

/** Tables that every write or delivery updates, so dead rows slow these down first. */
const updatedTables = ['endpoint_queues', 'due_deliveries', 'event_cursors', 'events', 'tenants']

type Table = { table: string; dead: number; live: number; since: number }
type Health = { transaction: number; xmin: number; failing: number | null; waits: number | null }
type Lag = { kind: 'replica' | 'slot'; name: string; bytes: number }

/** `urls` are the worker roles' URLs. Server-wide metrics are queried with one of those roles. */
export function collectDatabase(metrics: Metrics, urls: Readonly<Record<Mode, string>>) {
  const pools = openModePools({ urls, size: 1, name: 'metrics' })
  for (const mode of modes) metrics.collect(() => tablesOf(pools[mode], mode))
  metrics.collect(() => healthOf(pools.live))
  metrics.collect(() => onlineJobsOf(pools.live))
  metrics.collect(() => backupOf(pools.live))
  return { pools, close: () => Promise.all([pools.live.close(), pools.test.close()]) }
}

async function tablesOf(pool: ConnectionPool, mode: Mode): Promise<Sample[]> {
  const rows = await pool.use(connection =>
    connection.run<Table>(sql`
      select relname as table, n_dead_tup::int as dead, n_live_tup::int as live,
             extract(epoch from clock_timestamp() - coalesce(
               greatest(last_vacuum, last_autovacuum), pg_postmaster_start_time()))::float8 as since
        from pg_stat_user_tables
       where schemaname = current_schema() and relname = any (${updatedTables}::text[]) order by relname`),
  )
  return rows.flatMap(({ table, dead, live, since }): Sample[] => {
    const labels = { mode, table }
    return [
      { name: 'telehealth_table_dead_rows', labels, value: dead },
      { name: 'telehealth_table_live_rows', labels, value: live },
      { name: 'telehealth_table_vacuum_age_seconds', labels, value: since },
    ]
  })
}

async function healthOf(pool: ConnectionPool): Promise<Sample[]> {
  const [health, lags] = await pool.use(async connection => [
    (
      await connection.run<Health>(sql`
        select oldest_transaction as transaction, oldest_xmin::float8 as xmin,
               archive_failing as failing, archive_waits as waits from database_health()`)
    )[0],
    await connection.run<Lag>(sql`select kind, name, bytes from replication_lag()`),
  ])
  const { transaction = 0, xmin = 0, failing = null, waits = null } = health ?? {}
  // Without an archive, there are no archive metrics.
  const optional = (name: Sample['name'], value: number | null): Sample[] =>
    value === null ? [] : [{ name, labels: {}, value }]
  return [
    { name: 'telehealth_database_oldest_transaction_seconds', labels: {}, value: transaction },
    { name: 'telehealth_database_oldest_xmin_transactions', labels: {}, value: xmin },
    ...optional('telehealth_wal_archive_failing', failing),
    ...optional('telehealth_wal_archive_oldest_waiting_seconds', waits),
    ...lags.map(({ kind, name, bytes }): Sample => {
      const isReplica = kind === 'replica'
      const family = isReplica
        ? 'telehealth_replica_lag_bytes'
        : 'telehealth_idle_slot_retained_bytes'
      return { name: family, labels: { [kind]: name }, value: bytes }
    }),
  ]
}

/** Counts the jobs that aren't done. */
async function onlineJobsOf(pool: ConnectionPool): Promise<Sample[]> {
  const jobs = await pool.use(connection => progressOf(connection))
  return jobs.flatMap(({ name: job, state, share }): Sample[] => {
    if (state === 'done') return []
    const labels = { job }
    return [
      { name: 'telehealth_online_job_failing', labels, value: state === 'failing' ? 1 : 0 },
      ...(share === null
        ? []
        : [{ name: 'telehealth_online_job_done_ratio' as const, labels, value: share }]),
    ]
  })
}

async function backupOf(pool: ConnectionPool): Promise<Sample[]> {
  const [row] = await pool.use(connection =>
    connection.run<{ age: number | null }>(sql`
      select extract(epoch from now() - max(taken_at))::float8 as age from public.backups`),
  )
  const age = row?.age ?? null
  return age === null ? [] : [{ name: 'telehealth_backup_age_seconds', labels: {}, value: age }]
}
