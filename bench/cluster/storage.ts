// Measures a write's size on disk, for each table with its indexes and for the write-ahead log, by
// PostgreSQL's own count.
import { sql } from '#database/sql.ts'
import type { BenchEnvironment } from '../harness/environment.ts'
import { compact } from '../harness/rounds.ts'

type Table = { name: string; rows: number; bytes: number }

/** Smaller tables are left out, because a page is eight kilobytes even for a single row. */
const fewRows = 1000

/** Bytes per row, including its share of the indexes, for each table that is large enough. */
export async function storageNote({ owner }: BenchEnvironment): Promise<string> {
  const tables = await owner.use(async connection => {
    await connection.run(sql`analyze`)
    return connection.run<Table>(sql`
      select c.oid::regclass::text as name, c.reltuples::int as rows,
             pg_total_relation_size(c.oid)::float8 as bytes
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind = 'r' and n.nspname in ('test', 'auth', 'public', 'audit')
         and c.reltuples >= ${fewRows}::int
       order by 3 desc`)
  })
  const rows = tables.map(
    ({ name, rows, bytes }) => `${name} ${compact(bytes / rows)} (${compact(rows)} rows)`,
  )
  return `gateways: bytes of a row with its indexes: ${rows.join(', ')}`
}

/** Starts counting. The returned function returns how much a write and its delivery add to the
 *  log. */
export async function openLogNote({ owner }: BenchEnvironment): Promise<() => Promise<string>> {
  const look = async () => {
    const [row] = await owner.use(connection =>
      connection.run<{ bytes: number; writes: number }>(sql`
        select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes,
               (select count(*) from test.events)::float8 as writes`),
    )
    return row ?? { bytes: 0, writes: 0 }
  }
  const before = await look()
  return async () => {
    const { bytes, writes } = await look()
    const each = (bytes - before.bytes) / (writes - before.writes)
    return `gateways: bytes of the write-ahead log a write with its delivery: ${compact(each)}`
  }
}
