// Moves an integration from one database to another while it is used. Its rows are copied and then
// followed by logical replication, filtered by tenant; its writes are refused for a moment, until
// the other database has the last of them. Two databases of one server, and test mode only.
import type { ReservedSQL, SQL } from 'bun'

export type Shard = { database: string; url: string; owner: SQL }

export type Moved = {
  /** From the first step until every table follows. */
  copySeconds: number
  /** How long the integration's calls were refused. */
  fenceMilliseconds: number
}

type Sides = { from: ReservedSQL; to: ReservedSQL; server: Shard }

/** Names the publication, the subscription and its slot. */
const name = 'moved_integration'

/** Rows beside the tenants', in the order of their foreign keys. They change rarely, and the
 *  operator changes none while an integration moves. */
const accountRows: readonly (readonly [table: string, condition: string])[] = [
  ['auth.integrations', 'id = $1'],
  [
    'auth.organizations',
    `id in (select organization from test.tenants where integration = $1)
     and not exists (select from auth.grants g where g.organization = r.id and g.mode = 'live')`,
  ],
  ['auth.grants', "integration = $1 and mode = 'test'"],
  ['auth.credentials', "integration = $1 and mode = 'test'"],
]

/** Copied last, while no call can change them. */
const clockRows: readonly (readonly [table: string, condition: string])[] = [
  ['test.event_cursors', 'of_tenant in (select id from test.tenants where integration = $1)'],
  ['test.realtime_cursors', 'of_tenant in (select id from test.tenants where integration = $1)'],
  ['test.tenants', 'integration = $1'],
]

export async function move(source: Shard, target: Shard, integration: string): Promise<Moved> {
  const began = performance.now()
  using from = await source.owner.reserve()
  using to = await target.owner.reserve()
  const sides = { from, to, server: source }
  // No trigger runs for rows that are copied: what they would do is copied as well.
  await to`set session_replication_role = replica`
  for (const each of accountRows) await copy(sides, each, integration)
  const tenants = (await from`select id::text as id from test.tenants
                               where integration = ${integration} and retired_at is null`) as {
    id: string
  }[]
  await follow(
    sides,
    tenants.map(({ id }) => id),
  )
  const copySeconds = (performance.now() - began) / 1000
  const fenced = performance.now()
  // Waits for each write that holds the row of its tenant; the next one finds none.
  await from`update test.tenants set retired_at = now()
              where integration = ${integration} and retired_at is null`
  await untilCaughtUp(sides)
  for (const each of clockRows) await copy(sides, each, integration)
  await to`update test.tenants set retired_at = null where integration = ${integration}`
  const fenceMilliseconds = performance.now() - fenced
  await to.unsafe(`drop subscription ${name}`)
  await from.unsafe(`drop publication ${name}`)
  return { copySeconds, fenceMilliseconds }
}

async function copy(
  { from, to }: Sides,
  [table, condition]: readonly [string, string],
  integration: string,
): Promise<void> {
  const rows = await from.unsafe(
    `select to_jsonb(r)::text as row from ${table} r where ${condition}`,
    [integration],
  )
  for (const { row } of rows as { row: string }[]) {
    await to.unsafe(
      `insert into ${table} overriding system value
       select * from jsonb_populate_record(null::${table}, $1::text::jsonb) on conflict do nothing`,
      [row],
    )
  }
}

/** The column of each table that says whose a row is, where its primary key begins with it. */
const tablesOfTenants = `
  select format('%I.%I', n.nspname, c.relname) as table, a.attname as column
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'test'
    join pg_constraint k on k.conrelid = c.oid and k.contype = 'p'
    join pg_attribute a on a.attrelid = c.oid and a.attnum = k.conkey[1]
   where c.relkind in ('r', 'p') and not c.relispartition and a.attname in ('tenant', 'charge_tenant')
   order by 1`

/** Starts the copy of every table, and waits until each follows what is written. */
async function follow({ from, to, server }: Sides, tenants: readonly string[]): Promise<void> {
  const tables = (await from.unsafe(tablesOfTenants)) as { table: string; column: string }[]
  const filtered = tables.map(
    ({ table, column }) => `table ${table} where (${column} in (${tenants.join(', ')}))`,
  )
  await from.unsafe(
    `create publication ${name} for ${filtered.join(', ')} with (publish_via_partition_root)`,
  )
  // Made here, because a subscription to its own server would wait for itself.
  await from`select pg_create_logical_replication_slot(${name}, 'pgoutput')`
  const { hostname, port, username, password } = new URL(server.url)
  const parts = { host: hostname, port, user: username, password, dbname: server.database }
  const connection = Object.entries(parts).map(([key, value]) => `${key}=${value}`)
  await to.unsafe(
    `create subscription ${name} connection '${connection.join(' ')}' publication ${name}
       with (create_slot = false, slot_name = '${name}')`,
  )
  for (;;) {
    const [row] = (await to.unsafe(
      `select count(*) filter (where srsubstate <> 'r')::int as left from pg_subscription_rel`,
    )) as { left: number }[]
    if (row?.left === 0) return
    await Bun.sleep(50)
  }
}

/** Until the other side has written all that is in the log now. */
async function untilCaughtUp({ from }: Sides): Promise<void> {
  const [{ at }] = (await from`select pg_current_wal_lsn()::text as at`) as [{ at: string }]
  for (;;) {
    const [row] = (await from`
      select confirmed_flush_lsn >= ${at}::pg_lsn as reached
        from pg_replication_slots where slot_name = ${name}`) as { reached: boolean }[]
    if (row?.reached) return
    await Bun.sleep(5)
  }
}
