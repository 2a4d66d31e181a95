// Checks what SQL the console's role may run: it reads the current organization's rows, writes in
// one of its tenants, and can't do anything else.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { sqlState } from './failures.ts'
import { dropChecks, readTables, type Table } from './testing/tenant-tables.ts'
import { type TestDatabase, testDatabase } from './testing/database.ts'

const denied = '42501'

/** The live tables that the console reads. */
const readable = [
  'bulk_exports',
  'bulk_files',
  'cases',
  'consents',
  'events',
  'exports',
  'files',
  'idempotency_keys',
  'messages',
  'orders',
  'patients',
  'prescriptions',
  'tenants',
  'visits',
]
const insertable = [
  'bulk_exports',
  'charges',
  'discarded_objects',
  'events',
  'idempotency_keys',
  'messages',
  'orders',
  'prescriptions',
]
const changeable = [
  'bulk_exports',
  'bulk_files',
  'cases',
  'files',
  'orders',
  'patients',
  'prescriptions',
  'tenants',
  'visits',
]

let database: TestDatabase
let owner: SQL
let me: SQL
let tables: Table[] = []
/** Two tenants of the first clinic, in two integrations, and one of the second. */
const tenants: string[] = []
beforeAll(async () => {
  database = await testDatabase()
  owner = new SQL(database.url, { max: 1 })
  me = new SQL(database.urls.console, { max: 1 })
  await owner`insert into auth.integrations (id, name) values ('ada', 'Ada'), ('ben', 'Ben')`
  await owner`
    insert into auth.organizations (id, name, slug)
    values ('one', 'One', 'one'), ('two', 'Two', 'two')`
  for (const [integration, organization] of [
    ['ada', 'one'],
    ['ben', 'one'],
    ['ada', 'two'],
  ]) {
    const [row] = await owner`
      insert into live.tenants (integration, organization)
      values (${integration}, ${organization}) returning id::text`
    tenants.push(row.id)
  }
  tables = (await readTables(owner)).filter(one => one.mode === 'live')
  await dropChecks(owner)
  for (const { name, insert } of tables) {
    for (const tenant of tenants) await owner.unsafe(insert(tenant))
    if (name === 'idempotency_keys') await owner`update live.idempotency_keys set key = 'console:x'`
  }
})
afterAll(async () => {
  await Promise.all([owner.close(), me.close()])
  await database.close()
})

const open = (organization: string, tenant: string) =>
  me`select set_config('app.organization', ${organization}, false),
            set_config('app.tenant', ${tenant}, false)`
const stateOf = async (work: Promise<unknown>): Promise<string | null> =>
  work.then(
    () => 'succeeded',
    failure => sqlState(failure),
  )
const seen = async (name: string): Promise<string[]> => {
  const rows = await me.unsafe(`select tenant::text from live.${name} t order by t.tenant`)
  return rows.map((row: { tenant: string }) => row.tenant)
}
const tenantTables = () => tables.map(one => one.name)

test('app_console: owns nothing, has no privileged attribute and can assume no other role', async () => {
  const [row] = await owner`
    select rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication as mighty,
           (select count(*)::int from pg_class where relowner = r.oid) as relations,
           (select count(*)::int from pg_auth_members where member = r.oid) as memberships
      from pg_roles r where rolname = 'app_console'`
  expect(row).toEqual({ mighty: false, relations: 0, memberships: 0 })
  for (const statement of [
    'set role app_live',
    'select from test.patients',
    'select from auth.credentials',
    'select from auth.staff',
    'select from auth.persons',
    'update auth.staff set roles = roles',
    'select from audit.entries',
    'select developers_email from auth.integrations',
  ]) {
    expect([statement, await stateOf(me.unsafe(statement))]).toEqual([statement, denied])
  }
})

test('app_console: has exactly these privileges in live mode', async () => {
  const rows: { right: string; names: string[] }[] = await owner`
    select r as right, array(
             select relname::text from pg_class c
              where relnamespace = 'live'::regnamespace and relkind in ('r', 'p')
                and (has_table_privilege('app_console', c.oid, r) or (r <> 'delete'
                     and has_any_column_privilege('app_console', c.oid, r))) order by 1) as names
      from unnest(array['select', 'insert', 'update', 'delete']) r`
  expect(Object.fromEntries(rows.map(({ right, names }) => [right, names]))).toEqual({
    select: readable,
    insert: insertable,
    update: changeable,
    delete: ['idempotency_keys'],
  })
})

test('app_console: can add its clinic’s disclosures and holds and lift a hold, but not delete either', async () => {
  const [first = '', second = '', third = ''] = tenants
  const rights: { name: string; right: string; may: boolean }[] = await owner`
    select n as name, r as right, has_any_column_privilege('app_console', 'records.' || n, r) as may
      from unnest(array['disclosures', 'holds']) n, unnest(array['select', 'insert', 'update']) r
     union all
    select n, 'delete', has_table_privilege('app_console', 'records.' || n, 'delete')
      from unnest(array['disclosures', 'holds']) n order by 1, 2`
  expect(rights.filter(one => one.may).map(one => `${one.name} ${one.right}`)).toEqual([
    'disclosures insert',
    'disclosures select',
    'holds insert',
    'holds select',
    'holds update',
  ])
  await owner`alter table records.holds drop constraint holds_tenant_patient_fkey`
  const hold = (tenant: string) =>
    me.unsafe(`insert into records.holds (tenant, id, patient, reason, placed_by, placed_by_name,
      placed_at) values (${tenant}, 'hold_' || gen_random_uuid(), 'x', 'x', 'x', 'x', now())`)
  for (const [organization, set, row, outcome] of [
    ['one', first, first, 'succeeded'],
    ['one', second, second, 'succeeded'],
    ['two', third, third, 'succeeded'],
    ['one', first, second, denied],
    ['one', third, third, denied],
    ['', first, first, denied],
  ] as const) {
    await open(organization, set)
    expect([organization, set, await stateOf(hold(row))]).toEqual([organization, set, outcome])
  }
  await open('one', first)
  const shown = await me`select h.tenant::text from records.holds h order by h.tenant`
  expect([...shown]).toEqual([{ tenant: first }, { tenant: second }])
  const lifted = await me`
    update records.holds set lifted_reason = 'x', lifted_by = 'x', lifted_by_name = 'x',
           lifted_at = now() returning tenant::text`
  expect([...lifted]).toEqual([{ tenant: first }])
})

test('app_console: reads its clinic’s unanswered threads, and removes them only in its tenant', async () => {
  const [first = '', second = '', third = ''] = tenants
  await owner`alter table records.unanswered_threads drop constraint unanswered_threads_tenant_case_fkey`
  await owner`
    insert into records.unanswered_threads (tenant, "case", organization, first_message, last_message)
    select t.id, 'x', t.organization, 'x', 'x' from live.tenants t where t.organization is not null`
  const threads = async (statement: string) =>
    (await me.unsafe(statement)).map(({ tenant }: { tenant: string }) => tenant)
  const read = 'select u.tenant::text from records.unanswered_threads u order by u.tenant'
  const remove = 'delete from records.unanswered_threads returning tenant::text'
  await open('two', first)
  expect([await threads(read), await threads(remove)]).toEqual([[third], []])
  await open('one', first)
  expect([await threads(read), await threads(remove)]).toEqual([[first, second], [first]])
  const change = me`update records.unanswered_threads set last_message = ''`
  expect(await stateOf(change)).toBe(denied)
})

test('diagnosis codes: only the console can read them, and no service role can change them', async () => {
  const rows: { right: string; roles: string[] }[] = await owner`
    select p as right, array(select rolname::text from pg_roles r
                              where not rolsuper and rolname like 'app\\_%'
                                and has_table_privilege(r.oid, 'records.diagnosis_codes', p)
                              order by 1) as roles
      from unnest(array['select', 'insert', 'update', 'delete', 'truncate']) p`
  expect(rows.map(({ right, roles }) => [right, roles])).toEqual([
    ['select', ['app_console']],
    ['insert', []],
    ['update', []],
    ['delete', []],
    ['truncate', []],
  ])
  const load = "select records.load_diagnosis_codes(2026, '{A00.0}', '{Cholera}')"
  expect(await stateOf(me.unsafe(load))).toBe(denied)
})

test('app_console: without an organization, it can neither read nor write rows', async () => {
  await using fresh = new SQL(database.urls.console, { max: 1 })
  for (const name of readable.filter(one => one !== 'tenants')) {
    expect([name, await fresh.unsafe(`select 1 from live.${name}`)]).toEqual([name, []])
  }
  for (const { name, insert } of tables.filter(one => insertable.includes(one.name))) {
    expect([name, await stateOf(fresh.unsafe(insert(tenants[0] ?? '')))]).toEqual([name, denied])
  }
})

test('app_console: reads all of its clinic’s patients, from every integration, and no other clinic’s', async () => {
  const [first = '', second = '', third = ''] = tenants
  const shared = readable.filter(one => !['tenants', 'idempotency_keys'].includes(one))
  expect(shared.filter(one => !tenantTables().includes(one))).toEqual([])
  for (const name of shared) {
    await open('one', '')
    expect([name, await seen(name)]).toEqual([name, [first, second]])
    await open('two', '')
    expect([name, await seen(name)]).toEqual([name, [third]])
    await open('three', first)
    expect([name, await seen(name)]).toEqual([name, []])
  }
})

test('app_console: writes only in the current tenant, and only if it belongs to the clinic', async () => {
  const [first = '', second = '', third = ''] = tenants
  for (const { name, insert } of tables.filter(one => insertable.includes(one.name))) {
    for (const [organization, set, row] of [
      ['one', first, second],
      ['one', third, third],
      ['one', '', first],
      ['two', first, first],
    ] as const) {
      await open(organization, set)
      expect([name, set, await stateOf(me.unsafe(insert(row)))]).toEqual([name, set, denied])
    }
  }
  for (const name of ['cases', 'orders', 'prescriptions']) {
    const update = `update live.${name} set status = status returning tenant::text`
    await open('one', first)
    expect([name, [...(await me.unsafe(update))]]).toEqual([name, [{ tenant: first }]])
    await open('one', third)
    expect([name, [...(await me.unsafe(update))]]).toEqual([name, []])
  }
  await open('one', first)
  const clocks = await me`update live.tenants set last = now() returning id::text`
  expect([...clocks]).toEqual([{ id: first }])
})

test('app_console: can lock a patient, but not change one', async () => {
  const [first = ''] = tenants
  await open('one', first)
  const locked = await me`select tenant::text from live.patients for share`
  expect([...locked]).toEqual([{ tenant: first }])
  const change = me`update live.patients set updated_at = now()`
  expect(await stateOf(change)).toBe(denied)
})

test('app_console: can’t read an integration’s idempotency keys', async () => {
  const [first = ''] = tenants
  await open('one', first)
  expect(await seen('idempotency_keys')).toEqual([first])
  await owner`update live.idempotency_keys set key = 'mine'`
  expect(await seen('idempotency_keys')).toEqual([])
})

test('nothing advances a live case on a timer: the worker may not change a clinic’s decisions', async () => {
  const decided = ['cases', 'messages', 'orders', 'prescriptions', 'visits']
  const rows: { name: string; may: boolean }[] = await owner`
    select n as name, has_any_column_privilege('app_worker_live', 'live.' || n, 'update')
                   or has_any_column_privilege('app_worker_live', 'live.' || n, 'insert') as may
      from unnest(${owner.array(decided, 'TEXT')}) n`
  expect([...rows]).toEqual(decided.map(name => ({ name, may: false })))
  // The functions that the worker calls with the owner's privileges don't change those tables
  // either.
  const functions: { name: string; text: string }[] = await owner`
    select proname as name, prosrc as text from pg_proc p
     where prosecdef and pronamespace in ('live'::regnamespace, 'public'::regnamespace)
       and has_function_privilege('app_worker_live', p.oid, 'execute')`
  expect(functions.length).toBeGreaterThan(3)
  const change = new RegExp(`(update|insert into)\\s+(live\\.)?(${decided.join('|')})\\b`, 'i')
  expect(functions.filter(({ text }) => change.test(text)).map(({ name }) => name)).toEqual([])
})
