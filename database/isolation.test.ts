// The second wall, without any of the house in front of it: what the gateway's roles may do by SQL
// alone. Tables are read from the catalogue, so a new one without its policy fails here.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { sqlState } from './failures.ts'
import { type Plane, planes } from './modes.ts'
import { dropChecks, ofIntegration, readTables, type Table } from './testing/tenant-tables.ts'
import { type TestDatabase, testDatabase } from './testing/database.ts'

let database: TestDatabase
let owner: SQL
const roles = {} as Record<Plane, SQL>
const ada = {} as Streams
const ben = {} as Streams
let tables: Table[] = []

/** The stream in which a tenant's rows of a table lie. */
type Streams = Record<Plane, { opened: string; own: string }>
const laidIn = (table: string, plane: Plane, streams: Streams): string =>
  streams[plane][ofIntegration.includes(table) ? 'own' : 'opened']

const denied = '42501'
const stateOf = async (work: Promise<unknown>): Promise<string | null> =>
  work.then(
    () => 'it went through',
    failure => sqlState(failure),
  )

beforeAll(async () => {
  database = await testDatabase()
  owner = new SQL(database.url, { max: 1 })
  await owner`insert into auth.integrations (id, name) values ('ada', 'Ada'), ('ben', 'Ben')`
  await owner`insert into auth.organizations (id, name, slug) values ('org', 'Clinic', 'clinic')`
  for (const plane of planes) {
    roles[plane] = new SQL(database.urls[plane], { max: 1 })
    for (const [who, streams] of [
      ['ada', ada],
      ['ben', ben],
    ] as const) {
      const [row] = await owner.unsafe(
        `insert into ${plane}.streams (integration, organization) values ('${who}', 'org') returning id::text`,
      )
      const [own] = await owner.unsafe(
        `select id::text from ${plane}.streams where integration = '${who}' and organization is null`,
      )
      streams[plane] = { opened: row.id, own: own.id }
    }
  }
  tables = await readTables(owner)
  await dropChecks(owner)
  for (const table of tables) {
    await owner.unsafe(table.insert(laidIn(table.name, table.plane, ada)))
    await owner.unsafe(table.insert(laidIn(table.name, table.plane, ben)))
  }
})
afterAll(async () => {
  await Promise.all([owner, ...Object.values(roles)].map(one => one.close()))
  await database.close()
})

const open = (plane: Plane, streams: Streams) =>
  roles[plane]`select set_config('app.stream', ${streams[plane].opened}, false)`
const streamsSeen = async (plane: Plane, name: string): Promise<string[]> => {
  const rows = await roles[plane].unsafe(`select stream::text from ${plane}.${name}`)
  return rows.map((row: { stream: string }) => row.stream)
}
const other = (plane: Plane): Plane => (plane === 'test' ? 'live' : 'test')

describe.each([...planes])('svc_%s', plane => {
  const role = `svc_${plane}`

  test('is no more than a caller: no ownership, no privilege, no other role', async () => {
    const [row] = await owner`
      select rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication as mighty,
             (select count(*)::int from pg_class where relowner = r.oid) as relations,
             (select count(*)::int from pg_proc where proowner = r.oid) as functions,
             (select count(*)::int from pg_namespace where nspowner = r.oid) as schemas,
             (select count(*)::int from pg_auth_members where member = r.oid) as memberships
        from pg_roles r where rolname = ${role}`
    expect(row).toEqual({ mighty: false, relations: 0, functions: 0, schemas: 0, memberships: 0 })
    const me = roles[plane]
    expect(await stateOf(me.unsafe('set role house'))).toBe(denied)
    expect(await stateOf(me.unsafe(`set role svc_${other(plane)}`))).toBe(denied)
    expect(await stateOf(me.unsafe(`create table ${plane}.mine (id int)`))).toBe(denied)
    expect(await stateOf(me.unsafe('create table public.mine (id int)'))).toBe(denied)
    expect(await stateOf(me.unsafe('select * from public.migrations'))).toBe(denied)
  })

  test('sees no row of any tenant table while no stream is open', async () => {
    await using fresh = new SQL(database.urls[plane], { max: 1 })
    for (const { name } of tables.filter(one => one.plane === plane)) {
      expect(await fresh.unsafe(`select 1 from ${plane}.${name}`)).toHaveLength(0)
      expect(await stateOf(fresh.unsafe(tableInsert(plane, name, ada)))).toBe(denied)
    }
  })

  test("with Ada's stream open, Ben's rows are not there, even without a filter", async () => {
    for (const streams of [ada, ben]) {
      await open(plane, streams)
      for (const { name } of tables.filter(one => one.plane === plane)) {
        const seen = await streamsSeen(plane, name)
        expect([name, seen]).toEqual([name, [laidIn(name, plane, streams)]])
      }
    }
    await roles[plane]`select set_config('app.stream', '', false)`
    for (const { name } of tables.filter(one => one.plane === plane)) {
      expect(await streamsSeen(plane, name)).toEqual([])
    }
  })

  test('cannot write into another stream, nor move a row there', async () => {
    await open(plane, ada)
    for (const { name } of tables.filter(one => one.plane === plane)) {
      expect(await stateOf(roles[plane].unsafe(tableInsert(plane, name, ben)))).toBe(denied)
      const moved = roles[plane].unsafe(
        `update ${plane}.${name} set stream = ${laidIn(name, plane, ben)}`,
      )
      expect([name, await stateOf(moved)]).toEqual([name, denied])
    }
    const counts = await Promise.all(
      tables.map(({ plane, name }) => owner.unsafe(`select 1 from ${plane}.${name}`)),
    )
    expect(counts.map(rows => rows.length)).toEqual(tables.map(() => 2))
  })

  test('changes or removes nothing of another stream', async () => {
    await open(plane, ada)
    const me = roles[plane]
    for (const { name } of tables.filter(one => one.plane === plane)) {
      const rows = await stateOf(
        me.unsafe(`delete from ${plane}.${name} where stream = ${laidIn(name, plane, ben)}`),
      )
      expect([name, ['it went through', denied].includes(rows ?? '')]).toEqual([name, true])
      expect(await stateOf(me.unsafe(`truncate ${plane}.${name}`))).toBe(denied)
    }
    expect(
      await me.unsafe(
        `update ${plane}.streams set last = now()
          where id in (${ben[plane].opened}, ${ben[plane].own}) returning id`,
      ),
    ).toHaveLength(0)
    expect(await stateOf(me.unsafe(`update ${plane}.streams set retired_at = now()`))).toBe(denied)
    for (const { name } of tables.filter(one => one.plane === plane)) {
      expect(
        await owner.unsafe(
          `select 1 from ${plane}.${name} where stream = ${laidIn(name, plane, ben)}`,
        ),
      ).toHaveLength(1)
    }
  })

  test('cannot even name a table of the other plane', async () => {
    await roles[plane]`select set_config('app.stream', ${ada[other(plane)].opened}, false)`
    for (const { plane: theirs, name } of tables.filter(one => one.plane === other(plane))) {
      expect(await stateOf(roles[plane].unsafe(`select 1 from ${theirs}.${name}`))).toBe(denied)
    }
    const streams = roles[plane].unsafe(`select 1 from ${other(plane)}.streams`)
    expect(await stateOf(streams)).toBe(denied)
  })

  test('reads keys and grants of its own mode only, and plants none', async () => {
    for (const mode of planes) {
      await owner`
        insert into auth.grants (id, integration, organization, mode, scopes, status)
        values (${`${mode} ${role}`}, 'ada', 'org', ${mode}, '{}', 'revoked')`
      await owner.unsafe(
        `insert into auth.keys (id, integration, mode, name, scopes, hash, last4)
         values ('${mode} ${role}', 'ada', '${mode}', 'k', '{}', sha256('${mode} ${role}'), 'last')`,
      )
    }
    const me = roles[plane]
    for (const table of ['keys', 'grants']) {
      const rows = await me.unsafe(`select distinct mode from auth.${table}`)
      expect(rows.map((row: { mode: string }) => row.mode)).toEqual([plane])
    }
    for (const statement of [
      `insert into auth.keys select 'planted', integration, organization, mode, name, scopes,
         sha256('planted'), last4 from auth.keys limit 1`,
      "update auth.keys set scopes = '{test:manage}'",
      'update auth.keys set revoked_at = null',
      'delete from auth.keys',
      "update auth.grants set status = 'active'",
      'update auth.agreements set terminated_at = null',
      "update auth.integrations set name = 'x'",
    ]) {
      expect([statement, await stateOf(me.unsafe(statement))]).toEqual([statement, denied])
    }
  })

  test('adds to the audit and can do nothing else to it', async () => {
    const me = roles[plane]
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

const tableInsert = (plane: Plane, name: string, streams: Streams): string =>
  tables
    .find(one => one.plane === plane && one.name === name)
    ?.insert(laidIn(name, plane, streams)) ?? ''

test('an audit row is not changed by its owner either', async () => {
  for (const statement of [
    "update audit.entries set action = 'x'",
    'delete from audit.entries',
    'truncate audit.entries',
  ]) {
    expect([statement, await stateOf(owner.unsafe(statement))]).toEqual([statement, denied])
  }
})
