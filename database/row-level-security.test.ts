// What stands between tenants, as the catalogue says it: each table's wall, what may pass it, and
// the few functions that run with more than their caller may.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { ofIntegration } from './testing/tenant-tables.ts'
import { type TestDatabase, testDatabase } from './testing/database.ts'

let database: TestDatabase
let owner: SQL
beforeAll(async () => {
  database = await testDatabase()
  owner = new SQL(database.url, { max: 1 })
})
afterAll(async () => {
  await owner.close()
  await database.close()
})

type Wall = {
  mode: string
  name: string
  tenant: boolean
  enabled: boolean
  forced: boolean
  policies: string[]
}

/** Every table of both planes, with the policies that bind the gateway's role there. */
const walls = async (): Promise<Wall[]> => [
  ...(await owner`
    select n.nspname as mode, c.relname as name, c.relrowsecurity as enabled,
           c.relforcerowsecurity as forced,
           exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'stream') as tenant,
           array(select polname || ' ' || coalesce(pg_get_expr(polqual, polrelid),
                                                   pg_get_expr(polwithcheck, polrelid))
                   from pg_policy where polrelid = c.oid
                    and polroles = array[('svc_' || n.nspname)::regrole::oid]
                  order by 1) as policies
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('test', 'live') and c.relkind in ('r', 'p') order by 1, 2`),
]

/** Tables whose rows belong to a stream and yet do not end with the sandbox's thirty days. */
const lasting = new Set(['autopilot', 'discarded_objects', 'idempotency_keys', 'outbox'])

/** The wall of what belongs to the integration itself; what was sent is kept for thirty days. */
const ownWall = (mode: string, name: string) => {
  const own = `(stream = ( SELECT ${mode}.own_stream() AS own_stream))`
  return name === 'deliveries'
    ? `tenant (${own} AND (created_at > (now() - '30 days'::interval)))`
    : `tenant ${own}`
}

const wallOf = (mode: string, name: string) => {
  if (ofIntegration.includes(name)) return ownWall(mode, name)
  return mode === 'test' && !lasting.has(name)
    ? "tenant ((stream = opened_stream()) AND (created_at > (now() - '30 days'::interval)))"
    : 'tenant (stream = opened_stream())'
}

test('both planes have the same tenant tables, each with its forced policy', async () => {
  const all = await walls()
  const tenants = all.filter(one => one.tenant)
  const names = (mode: string) => tenants.filter(one => one.mode === mode).map(({ name }) => name)
  expect(names('test')).toEqual(names('live'))
  for (const { mode, name, enabled, forced, policies } of tenants) {
    expect({ mode, name, enabled, forced, policies }).toEqual({
      mode,
      name,
      enabled: true,
      forced: true,
      policies: [
        ...(mode === 'test' && name === 'idempotency_keys'
          ? ['successor test.follows(stream)']
          : []),
        wallOf(mode, name),
      ],
    })
  }
  for (const { enabled } of all) expect(enabled).toBe(true)
})

/** Settings, and what is still to be removed from storage. */
const kept = new Set(['autopilot', 'discarded_objects'])

test('every kind of sandbox row has its place in the order in which rows end', async () => {
  const ending: { name: string }[] = await owner`select name from public.sandbox_tables`
  const names = (await walls()).filter(one => one.tenant && one.mode === 'test')
  expect(ending.map(({ name }) => name).toSorted()).toEqual(
    names.map(({ name }) => name).filter(name => !kept.has(name) && !ofIntegration.includes(name)),
  )
  const backwards = await owner`
    select child.name as child, parent.name as parent
      from pg_constraint k
      join public.sandbox_tables child on ('test.' || child.name)::regclass = k.conrelid
      join public.sandbox_tables parent on ('test.' || parent.name)::regclass = k.confrelid
     where k.contype = 'f' and k.conrelid <> k.confrelid and child.position >= parent.position`
  expect([...backwards]).toEqual([])
})

test('what runs with more than its caller may is known by name, and is nobody’s by default', async () => {
  const rows: { name: string; settings: string[] | null; open: boolean }[] = await owner`
    select nspname || '.' || proname as name, proconfig as settings,
           has_function_privilege('public', p.oid, 'execute') as open
      from pg_proc p join pg_namespace n on n.oid = pronamespace
     where prosecdef and nspname in ('public', 'test', 'live', 'auth', 'audit', 'site') order by 1`
  expect(rows.map(({ name }) => name)).toEqual([
    'audit.unsealed',
    'auth.count_change',
    'auth.count_change_of_organization',
    'live.deliveries_behind',
    'live.hold_seats',
    'live.purge_records',
    'live.sweep_exports',
    'live.sweep_files',
    'live.tokens_to_revoke',
    'public.database_health',
    'public.hold_realtime_seats',
    'public.replication_lag',
    'site.tell_developers',
    'test.autopilot_due',
    'test.deliveries_behind',
    'test.follows',
    'test.hold_seats',
    'test.purge_sandbox',
    'test.reset_sandbox',
    'test.sweep_exports',
    'test.sweep_files',
    'test.tokens_to_revoke',
  ])
  for (const { name, settings, open } of rows) {
    expect(settings?.[0]).toBe(`search_path=${name.split('.')[0]}, pg_temp`)
    expect([name, open]).toEqual([name, false])
  }
})
