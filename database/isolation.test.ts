// Checks what SQL the API's roles may run under row-level security. Tables are read from the
// catalog, so a new table without a policy fails here.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { sqlState } from './failures.ts'
import { type DatabaseMode, modes } from './modes.ts'
import { dropChecks, ofIntegration, readTables, type Table } from './testing/tenant-tables.ts'
import { type TestDatabase, testDatabase } from './testing/database.ts'

let database: TestDatabase
let owner: SQL
const roles = {} as Record<DatabaseMode, SQL>
const ada = {} as Tenants
const ben = {} as Tenants
let tables: Table[] = []

/** Two of one integration's tenants: one for a clinic, and the integration's own. */
type Tenants = Record<DatabaseMode, { opened: string; own: string }>
const ownerOf = (table: string, inMode: DatabaseMode, tenants: Tenants): string =>
  tenants[inMode][ofIntegration.includes(table) ? 'own' : 'opened']

const denied = '42501'
const stateOf = async (work: Promise<unknown>): Promise<string | null> =>
  work.then(
    () => 'succeeded',
    failure => sqlState(failure),
  )

beforeAll(async () => {
  database = await testDatabase()
  owner = new SQL(database.url, { max: 1 })
  await owner`insert into auth.integrations (id, name) values ('ada', 'Ada'), ('ben', 'Ben')`
  await owner`insert into auth.organizations (id, name, slug) values ('org', 'Clinic', 'clinic')`
  for (const inMode of modes) {
    roles[inMode] = new SQL(database.urls[inMode], { max: 1 })
    for (const [who, tenants] of [
      ['ada', ada],
      ['ben', ben],
    ] as const) {
      const [row] = await owner.unsafe(
        `insert into ${inMode}.tenants (integration, organization) values ('${who}', 'org') returning id::text`,
      )
      const [own] = await owner.unsafe(
        `select id::text from ${inMode}.tenants where integration = '${who}' and organization is null`,
      )
      tenants[inMode] = { opened: row.id, own: own.id }
    }
  }
  tables = await readTables(owner)
  await dropChecks(owner)
  for (const table of tables) {
    await owner.unsafe(table.insert(ownerOf(table.name, table.mode, ada)))
    await owner.unsafe(table.insert(ownerOf(table.name, table.mode, ben)))
  }
})
afterAll(async () => {
  await Promise.all([owner, ...Object.values(roles)].map(one => one.close()))
  await database.close()
})

const open = (inMode: DatabaseMode, tenants: Tenants) =>
  roles[inMode]`select set_config('app.tenant', ${tenants[inMode].opened}, false)`
const tenantsSeen = async (inMode: DatabaseMode, name: string): Promise<string[]> => {
  const rows = await roles[inMode].unsafe(`select tenant::text from ${inMode}.${name}`)
  return rows.map((row: { tenant: string }) => row.tenant)
}
const other = (inMode: DatabaseMode): DatabaseMode => (inMode === 'test' ? 'live' : 'test')

describe.each([...modes])('app_%s', inMode => {
  const role = `app_${inMode}`

  test('owns nothing, has no privileged attribute and can assume no other role', async () => {
    const [row] = await owner`
      select rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication as mighty,
             (select count(*)::int from pg_class where relowner = r.oid) as relations,
             (select count(*)::int from pg_proc where proowner = r.oid) as functions,
             (select count(*)::int from pg_namespace where nspowner = r.oid) as schemas,
             (select count(*)::int from pg_auth_members where member = r.oid) as memberships
        from pg_roles r where rolname = ${role}`
    expect(row).toEqual({ mighty: false, relations: 0, functions: 0, schemas: 0, memberships: 0 })
    const me = roles[inMode]
    expect(await stateOf(me.unsafe('set role app'))).toBe(denied)
    expect(await stateOf(me.unsafe(`set role app_${other(inMode)}`))).toBe(denied)
    expect(await stateOf(me.unsafe(`create table ${inMode}.mine (id int)`))).toBe(denied)
    expect(await stateOf(me.unsafe('create table public.mine (id int)'))).toBe(denied)
    expect(await stateOf(me.unsafe('select * from public.migrations'))).toBe(denied)
  })

  test('can’t read or insert a row in any tenant table while no tenant is set', async () => {
    await using fresh = new SQL(database.urls[inMode], { max: 1 })
    for (const { name } of tables.filter(one => one.mode === inMode)) {
      expect(await fresh.unsafe(`select 1 from ${inMode}.${name}`)).toHaveLength(0)
      expect(await stateOf(fresh.unsafe(tableInsert(inMode, name, ada)))).toBe(denied)
    }
  })

  test("can't read another tenant's rows, even without a filter", async () => {
    for (const tenants of [ada, ben]) {
      await open(inMode, tenants)
      for (const { name } of tables.filter(one => one.mode === inMode)) {
        const seen = await tenantsSeen(inMode, name)
        expect([name, seen]).toEqual([name, [ownerOf(name, inMode, tenants)]])
      }
    }
    await roles[inMode]`select set_config('app.tenant', '', false)`
    for (const { name } of tables.filter(one => one.mode === inMode)) {
      expect(await tenantsSeen(inMode, name)).toEqual([])
    }
  })

  test('cannot insert a row for another tenant or move one there', async () => {
    await open(inMode, ada)
    for (const { name } of tables.filter(one => one.mode === inMode)) {
      expect(await stateOf(roles[inMode].unsafe(tableInsert(inMode, name, ben)))).toBe(denied)
      const moved = roles[inMode].unsafe(
        `update ${inMode}.${name} set tenant = ${ownerOf(name, inMode, ben)}`,
      )
      expect([name, await stateOf(moved)]).toEqual([name, denied])
    }
    const counts = await Promise.all(
      tables.map(({ mode: inMode, name }) => owner.unsafe(`select 1 from ${inMode}.${name}`)),
    )
    expect(counts.map(rows => rows.length)).toEqual(tables.map(() => 2))
  })

  test('can’t change or delete another tenant’s rows', async () => {
    await open(inMode, ada)
    const me = roles[inMode]
    for (const { name } of tables.filter(one => one.mode === inMode)) {
      const rows = await stateOf(
        me.unsafe(`delete from ${inMode}.${name} where tenant = ${ownerOf(name, inMode, ben)}`),
      )
      expect([name, ['succeeded', denied].includes(rows ?? '')]).toEqual([name, true])
      expect(await stateOf(me.unsafe(`truncate ${inMode}.${name}`))).toBe(denied)
    }
    expect(
      await me.unsafe(
        `update ${inMode}.tenants set last = now()
          where id in (${ben[inMode].opened}, ${ben[inMode].own}) returning id`,
      ),
    ).toHaveLength(0)
    expect(await stateOf(me.unsafe(`update ${inMode}.tenants set retired_at = now()`))).toBe(denied)
    for (const { name } of tables.filter(one => one.mode === inMode)) {
      expect(
        await owner.unsafe(
          `select 1 from ${inMode}.${name} where tenant = ${ownerOf(name, inMode, ben)}`,
        ),
      ).toHaveLength(1)
    }
  })

  test('has no access to the other mode’s tables', async () => {
    await roles[inMode]`select set_config('app.tenant', ${ada[other(inMode)].opened}, false)`
    for (const { mode: theirs, name } of tables.filter(one => one.mode === other(inMode))) {
      expect(await stateOf(roles[inMode].unsafe(`select 1 from ${theirs}.${name}`))).toBe(denied)
    }
    const tenants = roles[inMode].unsafe(`select 1 from ${other(inMode)}.tenants`)
    expect(await stateOf(tenants)).toBe(denied)
  })

  test('can read keys and grants only in its own mode, and can’t insert any', async () => {
    for (const mode of modes) {
      await owner`
        insert into auth.grants (id, integration, organization, mode, scopes, status)
        values (${`${mode} ${role}`}, 'ada', 'org', ${mode}, '{}', 'revoked')`
      await owner.unsafe(
        `insert into auth.credentials (id, integration, mode, name, scopes, hash, last4)
         values ('${mode} ${role}', 'ada', '${mode}', 'k', '{}', sha256('${mode} ${role}'), 'last')`,
      )
    }
    const me = roles[inMode]
    for (const table of ['credentials', 'grants']) {
      const rows = await me.unsafe(`select distinct mode from auth.${table}`)
      expect(rows.map((row: { mode: string }) => row.mode)).toEqual([inMode])
    }
    for (const statement of [
      `insert into auth.credentials select 'planted', integration, organization, mode, name, scopes,
         sha256('planted'), last4 from auth.credentials limit 1`,
      "update auth.credentials set scopes = '{test:manage}'",
      'update auth.credentials set revoked_at = null',
      'delete from auth.credentials',
      "update auth.grants set status = 'active'",
      'update auth.agreements set terminated_at = null',
      "update auth.integrations set name = 'x'",
    ]) {
      expect([statement, await stateOf(me.unsafe(statement))]).toEqual([statement, denied])
    }
  })

  test('can insert audit rows and do nothing else with them', async () => {
    const me = roles[inMode]
    await me.unsafe(
      `insert into audit.entries (surface, action, outcome, status, request)
       values ('rest', 'probe', 'ok', 200, 'req')`,
    )
    for (const statement of [
      'select * from audit.entries',
      "update audit.entries set action = 'x'",
      'delete from audit.entries',
      'truncate audit.entries',
      'alter table audit.entries disable trigger all',
      'alter table audit.entries add column x int',
      'drop table audit.entries',
      'drop function audit.refuse_change cascade',
    ]) {
      expect([statement, await stateOf(me.unsafe(statement))]).toEqual([statement, denied])
    }
  })
})

const tableInsert = (inMode: DatabaseMode, name: string, tenants: Tenants): string =>
  tables
    .find(one => one.mode === inMode && one.name === name)
    ?.insert(ownerOf(name, inMode, tenants)) ?? ''

test('audit: not even the owner can change or delete a row', async () => {
  for (const statement of [
    "update audit.entries set action = 'x'",
    'delete from audit.entries',
    'truncate audit.entries',
  ]) {
    expect([statement, await stateOf(owner.unsafe(statement))]).toEqual([statement, denied])
  }
})

test('audit: no platform role can change or delete a row in any audit table', async () => {
  const found: { name: string; column: string }[] = await owner`
    select table_name as name, min(column_name) as column from information_schema.columns
     where table_schema = 'audit' and is_identity = 'NO' group by 1`
  expect(found.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['entries', 'signatures', 'statements']),
  )
  // A table's trigger refuses with the same code, so the test also reads the role's grants.
  const granted: { role: string; privilege: string }[] = await owner`
    select distinct grantee as role, privilege_type as privilege
      from information_schema.column_privileges
     where table_schema = 'audit' and grantee <> current_user
     union select grantee, privilege_type from information_schema.role_table_grants
     where table_schema = 'audit' and grantee <> current_user`
  expect(granted.map(({ role }) => role)).toContain('app_console')
  expect(new Set(granted.map(({ privilege }) => privilege))).toEqual(new Set(['INSERT', 'SELECT']))
  expect(Object.keys(database.urls).length).toBeGreaterThan(7)
  for (const [role, url] of Object.entries(database.urls)) {
    await using me = new SQL(url, { max: 1 })
    for (const { name, column } of found) {
      for (const statement of [
        `update audit.${name} set ${column} = ${column}`,
        `delete from audit.${name}`,
        `truncate audit.${name}`,
      ]) {
        expect([role, statement, await stateOf(me.unsafe(statement))]).toEqual([
          role,
          statement,
          denied,
        ])
      }
    }
  }
})
