// What the worker's roles may do by SQL alone: find work in every stream of their plane, in the few
// tables that are named here, and nothing else without opening a stream first.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { sqlState } from './failures.ts'
import { type TestDatabase, testDatabase } from './testing/database.ts'
import { modes } from './modes.ts'

const denied = '42501'

/** Where work is found, in every stream of a plane. None of them holds a patient's details. */
const everywhere = [
  'deliveries',
  'delivery_lanes',
  'discarded_objects',
  'due_deliveries',
  'events',
  'exports',
  'failed_events',
  'outbox',
  'realtime_lanes',
  'realtime_revocations',
  'streams',
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
    () => 'it went through',
    failure => sqlState(failure),
  )

describe.each([...modes])('svc_worker_%s', inMode => {
  const role = `svc_worker_${inMode}`
  let me: SQL
  beforeAll(() => {
    me = new SQL(database.urls[`worker_${inMode}`], { max: 1 })
  })
  afterAll(() => me.close())

  test('is no more than a caller: no ownership, no privilege, no other role', async () => {
    const [row] = await owner`
      select rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication as mighty,
             (select count(*)::int from pg_class where relowner = r.oid) as relations,
             (select count(*)::int from pg_proc where proowner = r.oid) as functions,
             (select count(*)::int from pg_namespace where nspowner = r.oid) as schemas,
             (select count(*)::int from pg_auth_members where member = r.oid) as memberships
        from pg_roles r where rolname = ${role}`
    expect(row).toEqual({ mighty: false, relations: 0, functions: 0, schemas: 0, memberships: 0 })
    for (const statement of [
      'set role house',
      `set role svc_${inMode}`,
      `create table ${inMode}.mine (id int)`,
      'select * from public.migrations',
    ]) {
      expect([statement, await stateOf(me.unsafe(statement))]).toEqual([statement, denied])
    }
  })

  test('sees every stream only where work is found', async () => {
    const rows: { table: string; policy: string }[] = await owner`
      select relname as table,
             coalesce(pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) as policy
        from pg_policy join pg_class c on c.oid = polrelid
       where relnamespace = ${inMode}::regnamespace and ${role}::regrole = any (polroles)
         and polpermissive`
    const open = rows.filter(row => row.policy === 'true').map(row => row.table)
    expect([...new Set(open)].sort()).toEqual(everywhere)
    const narrow = rows.filter(row => row.policy !== 'true')
    for (const { policy } of narrow) expect(policy).toContain('(stream = opened_stream())')
  })

  test('sees nothing of the other plane, nor of keys and agreements', async () => {
    const other = inMode === 'test' ? 'live' : 'test'
    for (const statement of [
      `select * from ${other}.events`,
      `delete from ${other}.outbox`,
      'select * from auth.keys',
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

  test('takes nothing back, and names no address and no types of its own', async () => {
    for (const statement of [
      `update ${inMode}.events set status = status`,
      `delete from ${inMode}.events`,
      `update ${inMode}.streams set retired_at = now()`,
      `delete from ${inMode}.streams`,
      `truncate ${inMode}.outbox`,
      `update ${inMode}.webhook_endpoints set url = url`,
      `update ${inMode}.webhook_endpoints set event_types = event_types`,
      `delete from ${inMode}.webhook_endpoints`,
    ]) {
      expect([statement, await stateOf(me.unsafe(statement))]).toEqual([statement, denied])
    }
  })
})
