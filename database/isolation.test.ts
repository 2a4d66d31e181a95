// The second wall, without any of the house in front of it: what the gateway's roles may do by SQL
// alone. Tables are read from the catalogue, so a new one without its policy fails here.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { sqlState } from './failures.ts'
import { type TestDatabase, testDatabase } from './testing.ts'

const planes = ['test', 'live'] as const
type Plane = (typeof planes)[number]
type Table = { plane: Plane; name: string; insert: (stream: string) => string }

let database: TestDatabase
let owner: SQL
const roles = {} as Record<Plane, SQL>
const ada = {} as Record<Plane, string>
const ben = {} as Record<Plane, string>
let tables: Table[] = []

const denied = '42501'
const stateOf = async (work: Promise<unknown>): Promise<string | null> =>
  work.then(
    () => 'it went through',
    failure => sqlState(failure),
  )

/** Any value of a type. Checks and foreign keys are dropped here: who may see a row is judged. */
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

async function readTables(): Promise<Table[]> {
  const columns: { plane: Plane; table: string; name: string; type: string; made: boolean }[] =
    await owner`
      select table_schema as plane, table_name as table, column_name as name, data_type as type,
             is_identity = 'YES' or is_generated = 'ALWAYS' as made
        from information_schema.columns join information_schema.tables using (table_schema, table_name)
       where table_schema in ('test', 'live') and table_type = 'BASE TABLE'
       order by 1, 2, ordinal_position`
  const groups = Map.groupBy(columns, one => `${one.plane}.${one.table}`)
  return [...groups.values()].flatMap(group => {
    const [first] = group
    if (!first || !group.some(one => one.name === 'stream')) return []
    const given = group.filter(one => !one.made)
    const names = given.map(one => `"${one.name}"`).join(', ')
    const values = (stream: string) =>
      given.map(one => (one.name === 'stream' ? stream : (fillers[one.type] ?? '1'))).join(', ')
    return {
      plane: first.plane,
      name: first.table,
      insert: (stream: string) =>
        `insert into ${first.plane}.${first.table} (${names}) values (${values(stream)})`,
    }
  })
}

async function dropChecks(): Promise<void> {
  const constraints: { text: string }[] = await owner`
    select format('alter table %s drop constraint if exists %I cascade', conrelid::regclass, conname) as text
      from pg_constraint where contype in ('c', 'f') and connamespace::regnamespace::text in ('test', 'live')`
  for (const { text } of constraints) await owner.unsafe(text)
}

beforeAll(async () => {
  database = await testDatabase()
  owner = new SQL(database.url, { max: 1 })
  await owner`insert into auth.integrations (id, name) values ('ada', 'Ada'), ('ben', 'Ben')`
  await owner`insert into auth.organizations (id, name, slug) values ('org', 'Clinic', 'clinic')`
  for (const plane of planes) {
    roles[plane] = new SQL(database.roleUrl(`svc_${plane}`), { max: 1 })
    for (const [who, streams] of [
      ['ada', ada],
      ['ben', ben],
    ] as const) {
      const [row] = await owner.unsafe(
        `insert into ${plane}.streams (integration, organization) values ('${who}', 'org') returning id::text`,
      )
      streams[plane] = row.id
    }
  }
  tables = await readTables()
  await dropChecks()
  for (const table of tables) {
    await owner.unsafe(table.insert(ada[table.plane]))
    await owner.unsafe(table.insert(ben[table.plane]))
  }
})
afterAll(async () => {
  await Promise.all([owner, ...Object.values(roles)].map(one => one.close()))
  await database.close()
})

const open = (plane: Plane, stream: string) =>
  roles[plane]`select set_config('app.stream', ${stream}, false)`
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
    await using fresh = new SQL(database.roleUrl(role), { max: 1 })
    for (const { name } of tables.filter(one => one.plane === plane)) {
      expect(await fresh.unsafe(`select 1 from ${plane}.${name}`)).toHaveLength(0)
      expect(await stateOf(fresh.unsafe(tableInsert(plane, name, ada[plane])))).toBe(denied)
    }
  })

  test("with Ada's stream open, Ben's rows are not there, even without a filter", async () => {
    for (const stream of [ada[plane], ben[plane]]) {
      await open(plane, stream)
      for (const { name } of tables.filter(one => one.plane === plane)) {
        expect([name, await streamsSeen(plane, name)]).toEqual([name, [stream]])
      }
    }
    await open(plane, '')
    for (const { name } of tables.filter(one => one.plane === plane)) {
      expect(await streamsSeen(plane, name)).toEqual([])
    }
  })

  test('cannot write into another stream, nor move a row there', async () => {
    await open(plane, ada[plane])
    for (const { name } of tables.filter(one => one.plane === plane)) {
      expect(await stateOf(roles[plane].unsafe(tableInsert(plane, name, ben[plane])))).toBe(denied)
      const moved = roles[plane].unsafe(`update ${plane}.${name} set stream = ${ben[plane]}`)
      expect([name, await stateOf(moved)]).toEqual([name, denied])
    }
    const counts = await Promise.all(
      tables.map(({ plane, name }) => owner.unsafe(`select 1 from ${plane}.${name}`)),
    )
    expect(counts.map(rows => rows.length)).toEqual(tables.map(() => 2))
  })

  test('changes or removes nothing of another stream', async () => {
    await open(plane, ada[plane])
    const me = roles[plane]
    for (const { name } of tables.filter(one => one.plane === plane)) {
      const rows = await stateOf(
        me.unsafe(`delete from ${plane}.${name} where stream = ${ben[plane]}`),
      )
      expect([name, ['it went through', denied].includes(rows ?? '')]).toEqual([name, true])
      expect(await stateOf(me.unsafe(`truncate ${plane}.${name}`))).toBe(denied)
    }
    expect(
      await me.unsafe(
        `update ${plane}.streams set last = now() where id = ${ben[plane]} returning id`,
      ),
    ).toHaveLength(0)
    expect(await stateOf(me.unsafe(`update ${plane}.streams set retired_at = now()`))).toBe(denied)
    for (const { name } of tables.filter(one => one.plane === plane)) {
      expect(
        await owner.unsafe(`select 1 from ${plane}.${name} where stream = ${ben[plane]}`),
      ).toHaveLength(1)
    }
  })

  test('cannot even name a table of the other plane', async () => {
    await open(plane, ada[other(plane)])
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

const tableInsert = (plane: Plane, name: string, stream: string): string =>
  tables.find(one => one.plane === plane && one.name === name)?.insert(stream) ?? ''

test('an audit row is not changed by its owner either', async () => {
  for (const statement of [
    "update audit.entries set action = 'x'",
    'delete from audit.entries',
    'truncate audit.entries',
  ]) {
    expect([statement, await stateOf(owner.unsafe(statement))]).toEqual([statement, denied])
  }
})
