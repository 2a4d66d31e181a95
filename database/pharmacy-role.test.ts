// Checks what SQL the pharmacy role may run: it finds any clinic's due prescriptions, reads and
// updates an order in the current tenant, and can't do anything else.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { sqlState } from './failures.ts'
import { type TestDatabase, testDatabase } from './testing/database.ts'
import { dropChecks, readTables, type Table } from './testing/tenant-tables.ts'

const denied = '42501'
const readable = ['events', 'orders', 'patients', 'prescriptions', 'tenants']
const changeable = ['orders', 'prescriptions', 'tenants']

let database: TestDatabase
let owner: SQL
let me: SQL
let tables: Table[] = []
const tenants: string[] = []
beforeAll(async () => {
  database = await testDatabase()
  owner = new SQL(database.url, { max: 1 })
  me = new SQL(database.urls.pharmacy, { max: 1 })
  await owner`insert into auth.integrations (id, name) values ('ada', 'Ada')`
  await owner`
    insert into auth.organizations (id, name, slug)
    values ('one', 'One', 'one'), ('two', 'Two', 'two')`
  for (const organization of ['one', 'two']) {
    const [row] = await owner`
      insert into live.tenants (integration, organization)
      values ('ada', ${organization}) returning id::text`
    tenants.push(row.id)
  }
  tables = (await readTables(owner)).filter(
    ({ mode, name }) => mode === 'live' && readable.includes(name),
  )
  await dropChecks(owner)
  for (const { insert } of tables) {
    for (const tenant of tenants) await owner.unsafe(insert(tenant))
  }
})
afterAll(async () => {
  await Promise.all([owner.close(), me.close()])
  await database.close()
})

const open = (tenant: string) => me`select set_config('app.tenant', ${tenant}, false)`
const stateOf = async (work: Promise<unknown>): Promise<string | null> =>
  work.then(
    () => 'succeeded',
    failure => sqlState(failure),
  )

test('app_pharmacy: has exactly these privileges in live mode', async () => {
  const rows: { right: string; names: string[] }[] = await owner`
    select r as right, array(
             select relname::text from pg_class c
              where relnamespace = 'live'::regnamespace and relkind in ('r', 'p')
                and (has_table_privilege('app_pharmacy', c.oid, r) or (r <> 'delete'
                     and has_any_column_privilege('app_pharmacy', c.oid, r))) order by 1) as names
      from unnest(array['select', 'insert', 'update', 'delete']) r`
  expect(Object.fromEntries(rows.map(({ right, names }) => [right, names]))).toEqual({
    select: readable,
    insert: ['events'],
    update: changeable,
    delete: [],
  })
  for (const statement of [
    'set role app_live',
    'select from test.patients',
    'select from live.cases',
    'select from auth.credentials',
    'select from auth.persons',
    'select from audit.entries',
    'update live.patients set updated_at = now()',
    'update pharmacy.connections set ended_at = now()',
    'update pharmacy.connections set secret = secret',
    'insert into pharmacy.transmissions default values',
  ]) {
    expect([statement, await stateOf(me.unsafe(statement))]).toEqual([statement, denied])
  }
})

test('app_pharmacy: reads and changes only the current tenant’s rows, and none without a tenant', async () => {
  const [first = '', second = ''] = tenants
  const shared = readable.filter(name => name !== 'tenants')
  expect(tables.map(({ name }) => name).toSorted()).toEqual(shared)
  for (const tenant of [first, second, '']) {
    const found = tenant === '' ? [] : [{ tenant }]
    await open(tenant)
    for (const name of shared) {
      const rows = await me.unsafe(`select tenant::text from live.${name}`)
      expect([name, [...rows]]).toEqual([name, found])
    }
    for (const name of ['orders', 'prescriptions']) {
      const update = `update live.${name} set status = status returning tenant::text`
      expect([name, [...(await me.unsafe(update))]]).toEqual([name, found])
    }
    const clocks = await me`update live.tenants set last = now() returning id::text as tenant`
    expect([...clocks]).toEqual(found)
  }
  await open(first)
  for (const { name, insert } of tables.filter(one => one.name === 'events')) {
    expect([name, await stateOf(me.unsafe(insert(second)))]).toEqual([name, denied])
  }
})
