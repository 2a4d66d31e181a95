// Test support for row-level security: every tenant table in both modes, read from the catalog,
// with a statement that inserts a row.

import type { SQL } from 'bun'
import { type DatabaseMode, modes } from '../modes.ts'

export type Table = { mode: DatabaseMode; name: string; insert: (tenant: string) => string }

/** Tables whose rows belong to the integration's own tenant; none contains patient details. */
export const ofIntegration: readonly string[] = [
  'deliveries',
  'delivery_attempts',
  'delivery_counts',
  'endpoint_queues',
  'due_deliveries',
  'failed_events',
  'invoice_lines',
  'invoices',
  'replays',
  'request_counts',
  'requests',
  'webhook_endpoints',
]
/** The row's tenant, and the tenant of its event or charge. */
const tenantColumns = new Set(['tenant', 'event_tenant', 'charge_tenant'])

/** A value for each type. The tests check only visibility, so they drop checks and foreign keys. */
const fillers: Record<string, string> = {
  text: "'x'",
  'character varying': "'x'",
  'timestamp with time zone': 'now()',
  date: 'now()',
  boolean: 'false',
  json: "'{}'",
  jsonb: "'{}'",
  bytea: "'x'",
  ARRAY: "'{}'",
  tstzrange: "'empty'",
  uuid: 'gen_random_uuid()',
}

export async function readTables(owner: SQL): Promise<Table[]> {
  const columns: {
    mode: DatabaseMode
    table: string
    name: string
    type: string
    made: boolean
  }[] = await owner`
      select table_schema as mode, table_name as table, column_name as name, data_type as type,
             is_identity = 'YES' or is_generated = 'ALWAYS' as made
        from information_schema.columns join information_schema.tables using (table_schema, table_name)
       where table_schema in ('test', 'live') and table_type = 'BASE TABLE'
       order by 1, 2, ordinal_position`
  const groups = Map.groupBy(columns, one => `${one.mode}.${one.table}`)
  return [...groups.values()].flatMap(group => {
    const [first] = group
    if (!first || !group.some(one => one.name === 'tenant')) return []
    const given = group.filter(one => !one.made)
    const names = given.map(one => `"${one.name}"`).join(', ')
    const values = (tenant: string) =>
      given
        .map(one => (tenantColumns.has(one.name) ? tenant : (fillers[one.type] ?? '1')))
        .join(', ')
    return {
      mode: first.mode,
      name: first.table,
      insert: (tenant: string) =>
        `insert into ${first.mode}.${first.table} (${names}) values (${values(tenant)})`,
    }
  })
}

export async function dropChecks(owner: SQL): Promise<void> {
  const constraints: { text: string }[] = await owner`
    select format('alter %s drop constraint if exists %I cascade',
                  case when conrelid <> 0 then 'table ' || conrelid::regclass
                       else 'domain ' || contypid::regtype end, conname) as text
      from pg_constraint where contype in ('c', 'f') and connamespace::regnamespace::text in ('test', 'live')`
  for (const { text } of constraints) await owner.unsafe(text)
  for (const mode of modes) {
    await owner.unsafe(`create table ${mode}.any_request partition of ${mode}.requests default`)
    // The trigger that counts requests would add rows that the test didn't insert.
    await owner.unsafe(`alter table ${mode}.requests disable trigger user`)
  }
}
