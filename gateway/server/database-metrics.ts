// What ails a PostgreSQL before it shows: rows that are dead and not cleared away, whoever holds
// them back, and a log that does not leave the machine. It is asked when somebody reads.
import type { Mode } from '#contract/operation.ts'
import { type ConnectionPool, openPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import type { Metrics, Sample } from '#http/metrics.ts'

/** The tables that every write or every delivery changes: where dead rows cost first. */
const hot = ['endpoint_queues', 'due_deliveries', 'events', 'outbox', 'tenants']

type Table = { table: string; dead: number; live: number; since: number }
type Health = { transaction: number; xmin: number; failing: number | null; waits: number | null }
type Lag = { kind: 'replica' | 'slot'; name: string; bytes: number }

/** `urls` are those of the worker's roles. What is of the whole server is asked of one of them. */
export function lookAtDatabase(metrics: Metrics, urls: Readonly<Record<Mode, string>>) {
  const open = (mode: Mode) => {
    const path = `${mode}, public`
    const pool = openPool({ url: urls[mode], size: 1, name: `database metrics ${mode}`, path })
    metrics.look(() => tablesOf(pool, mode))
    return pool
  }
  const [one, other] = [open('live'), open('test')]
  metrics.look(() => healthOf(one))
  return { close: () => Promise.all([one.close(), other.close()]) }
}

async function tablesOf(pool: ConnectionPool, mode: Mode): Promise<Sample[]> {
  const rows = await pool.use(connection =>
    connection.run<Table>(sql`
      select relname as table, n_dead_tup::int as dead, n_live_tup::int as live,
             extract(epoch from clock_timestamp() - coalesce(
               greatest(last_vacuum, last_autovacuum), pg_postmaster_start_time()))::float8 as since
        from pg_stat_user_tables
       where schemaname = current_schema() and relname = any (${hot}::text[]) order by relname`),
  )
  return rows.flatMap(({ table, dead, live, since }): Sample[] => {
    const labels = { mode, table }
    return [
      { name: 'house_table_dead_rows', labels, value: dead },
      { name: 'house_table_live_rows', labels, value: live },
      { name: 'house_table_vacuum_age_seconds', labels, value: since },
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
  // Where nothing is archived there is nothing to say of an archive.
  const optional = (name: Sample['name'], value: number | null): Sample[] =>
    value === null ? [] : [{ name, labels: {}, value }]
  return [
    { name: 'house_database_oldest_transaction_seconds', labels: {}, value: transaction },
    { name: 'house_database_oldest_xmin_transactions', labels: {}, value: xmin },
    ...optional('house_wal_archive_failing', failing),
    ...optional('house_wal_archive_oldest_waiting_seconds', waits),
    ...lags.map(({ kind, name, bytes }): Sample => {
      const isReplica = kind === 'replica'
      const family = isReplica ? 'house_replica_lag_bytes' : 'house_idle_slot_retained_bytes'
      return { name: family, labels: { [kind]: name }, value: bytes }
    }),
  ]
}
