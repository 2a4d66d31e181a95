// Checks the rows that a load wrote: a patient, an event and an idempotency record for each 201, an
// audit row for each request, and no duplicate key.
import { openPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import type { BenchEnvironment, Tenant } from './environment.ts'
import type { Proof } from './rounds.ts'

type Counts = {
  patients: number
  events: number
  records: number
  keys: number
  audits: number
}

type LoadResult = { answers: number; statuses: Record<string, number> }

export class Ledger {
  private constructor(
    private readonly environment: BenchEnvironment,
    private readonly tenants: readonly Tenant[],
    private readonly before: Counts,
  ) {}

  static async open(environment: BenchEnvironment, tenants: readonly Tenant[]): Promise<Ledger> {
    return new Ledger(environment, tenants, await count(environment, tenants))
  }

  /** The rows written since `open`. */
  async written(): Promise<Counts> {
    const now = await count(this.environment, this.tenants)
    const names = Object.keys(now) as (keyof Counts)[]
    for (const name of names) now[name] -= this.before[name]
    return now
  }

  async proofs(job: string, loads: readonly LoadResult[]): Promise<Proof[]> {
    const made = loads.reduce((sum, { statuses }) => sum + (statuses['201'] ?? 0), 0)
    const calls = loads.reduce((sum, { answers }) => sum + answers, 0)
    const { audits, ...rows } = await this.written()
    return [
      ...Object.entries(rows).map(([what, found]) => ({
        what: `${job}: ${what === 'keys' ? 'different keys' : what}`,
        expected: made,
        found,
      })),
      { what: `${job}: audit rows`, expected: calls, found: audits },
    ]
  }
}

async function count({ url }: BenchEnvironment, tenants: readonly Tenant[]): Promise<Counts> {
  const pool = openPool({ url, size: 1, name: 'ledger', path: 'test, public' })
  const ids = sql`string_to_array(${tenants.map(({ id }) => id).join(' ')}, ' ')::bigint[]`
  const callers = sql`string_to_array(${tenants.map(each => each.integration).join(' ')}, ' ')`
  try {
    const [row] = await pool.use(connection =>
      connection.run<Counts>(sql`
        select (select count(*)::int from patients where tenant = any(${ids})) as patients,
               (select count(*)::int from events where tenant = any(${ids})) as events,
               (select count(*)::int from idempotency_keys where tenant = any(${ids})) as records,
               (select count(distinct key)::int from idempotency_keys
                 where tenant = any(${ids})) as keys,
               (select count(*)::int from audit.entries
                 where integration = any(${callers})) as audits`),
    )
    if (!row) throw new Error('A count must return a row.')
    return row
  } finally {
    await pool.close()
  }
}
