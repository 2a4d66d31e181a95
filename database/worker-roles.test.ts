// Checks what SQL the worker's roles may run: they find every tenant's work in the few tables of
// their mode that are listed here, and access nothing else without setting a tenant first.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { sqlState } from './failures.ts'
import { type TestDatabase, testDatabase } from './testing/database.ts'
import { modes } from './modes.ts'

const denied = '42501'

/** Tables in which workers find every tenant's work. These tables contain no patient details. */
const everywhere = [
  'bulk_exports',
  'bulk_files',
  'deliveries',
  'delivery_attempts',
  'delivery_counts',
  'discarded_objects',
  'due_deliveries',
  'endpoint_queues',
  'event_cursors',
  'events',
  'export_schedules',
  'exports',
  'failed_events',
  'file_scans',
  'realtime_cursors',
  'realtime_revocations',
  'replays',
  'room_seats',
  'tenants',
  'visit_entrances',
  'webhook_endpoints',
]

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

const stateOf = async (work: Promise<unknown>): Promise<string | null> =>
  work.then(
    () => 'succeeded',
    failure => sqlState(failure),
  )

describe.each([...modes])('app_worker_%s', inMode => {
  const role = `app_worker_${inMode}`
  let me: SQL
  beforeAll(() => {
    me = new SQL(database.urls[`worker_${inMode}`], { max: 1 })
  })
  afterAll(() => me.close())

  test('owns nothing, has no privileged attribute and can assume no other role', async () => {
    const [row] = await owner`
      select rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication as mighty,
             (select count(*)::int from pg_class where relowner = r.oid) as relations,
             (select count(*)::int from pg_proc where proowner = r.oid) as functions,
             (select count(*)::int from pg_namespace where nspowner = r.oid) as schemas,
             (select count(*)::int from pg_auth_members where member = r.oid) as memberships
        from pg_roles r where rolname = ${role}`
    expect(row).toEqual({ mighty: false, relations: 0, functions: 0, schemas: 0, memberships: 0 })
    for (const statement of [
      'set role app',
      `set role app_${inMode}`,
      `create table ${inMode}.mine (id int)`,
      'select * from public.migrations',
    ]) {
      expect([statement, await stateOf(me.unsafe(statement))]).toEqual([statement, denied])
    }
  })

  test('reads every tenant’s rows only in the tables used to find work', async () => {
    const rows: { table: string; policy: string }[] = await owner`
      select relname as table,
             coalesce(pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) as policy
        from pg_policy join pg_class c on c.oid = polrelid
       where relnamespace = ${inMode}::regnamespace and ${role}::regrole = any (polroles)
         and polpermissive`
    const open = rows.filter(row => row.policy === 'true').map(row => row.table)
    // Only sandboxes have clocks that a worker advances.
    const also = inMode === 'test' ? ['sandbox_advances'] : []
    expect([...new Set(open)].sort()).toEqual([...everywhere, ...also].sort())
    const narrow = rows.filter(row => row.policy !== 'true')
    for (const { policy } of narrow) {
      expect(policy).toMatch(/\((charge_)?tenant = current_tenant\(\)\)/)
    }
  })

  test('has no access to the other mode, to keys or to agreements', async () => {
    const other = inMode === 'test' ? 'live' : 'test'
    for (const statement of [
      `select * from ${other}.events`,
      `delete from ${other}.event_cursors`,
      'select * from auth.credentials',
      'select * from auth.agreements',
      'update auth.grants set scopes = scopes',
    ]) {
      expect([statement, await stateOf(me.unsafe(statement))]).toEqual([statement, denied])
    }
    await owner`insert into auth.integrations (id, name) values (${role}, 'A brand')`
    await owner`insert into auth.organizations (id, name, slug) values (${role}, 'A clinic', ${inMode})`
    for (const mode of modes) {
      await owner`
        insert into auth.grants (id, integration, organization, mode, scopes, status)
        values (${`${mode} ${role}`}, ${role}, ${role}, ${mode}, '{}', 'active')`
    }
    const seen = await me.unsafe('select distinct mode from auth.grants')
    expect(seen.map((row: { mode: string }) => row.mode)).toEqual([inMode])
  })

  test('cannot change or remove events, retire tenants, or change what an endpoint receives', async () => {
    for (const statement of [
      `update ${inMode}.events set status = status`,
      `delete from ${inMode}.events`,
      `update ${inMode}.tenants set retired_at = now()`,
      `delete from ${inMode}.tenants`,
      `update ${inMode}.tenants set previous = id`,
      'update live.tenants set ahead_ms = 0',
      `truncate ${inMode}.event_cursors`,
      `update ${inMode}.webhook_endpoints set url = url`,
      `update ${inMode}.webhook_endpoints set event_types = event_types`,
      `delete from ${inMode}.webhook_endpoints`,
    ]) {
      expect([statement, await stateOf(me.unsafe(statement))]).toEqual([statement, denied])
    }
  })
})
