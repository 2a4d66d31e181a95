import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { migrate, readMigrations, type Migration } from './migrate.ts'
import { testDatabase, type TestDatabase } from './testing/database.ts'

let database: TestDatabase
let sql: SQL
beforeAll(async () => {
  database = await testDatabase()
  sql = new SQL(database.url, { max: 4 })
})
afterAll(async () => {
  await sql.close()
  await database.close()
})

const all = readMigrations()
function added(name: string, text: string): Migration[] {
  return [...all, { name, text, sha256: new Bun.CryptoHasher('sha256').update(text).digest('hex') }]
}

test('the template has every migration, so nothing is left to apply', async () => {
  expect(await migrate(sql)).toEqual([])
})

test('a file of a plane runs once in each schema', async () => {
  const applied = await migrate(
    sql,
    undefined,
    added('9000_each.plane.sql', 'create table each (id int)'),
  )
  expect(applied).toEqual(['9000_each.plane.sql'])
  const rows = await sql`
    select table_schema from information_schema.tables where table_name = 'each' order by 1`
  expect(rows.map((row: { table_schema: string }) => row.table_schema)).toEqual(['live', 'test'])
  await sql`delete from public.migrations where name = '9000_each.plane.sql'`
})

test('two processes that migrate at once apply a migration once', async () => {
  const migrations = added('9001_once.sql', 'create table once (id int); select pg_sleep(0.1)')
  const other = new SQL(database.url, { max: 1 })
  const applied = await Promise.all([
    migrate(sql, undefined, migrations),
    migrate(other, undefined, migrations),
  ])
  await other.close()
  expect(applied.flat()).toEqual(['9001_once.sql'])
  await sql`delete from public.migrations where name = '9001_once.sql'`
})

test('a migration that fails names its line and leaves nothing behind', async () => {
  const text = 'create table half (id int);\nselect 1 / 0;\n'
  await expect(migrate(sql, undefined, added('9002_bad.sql', text))).rejects.toThrow(
    /9002_bad\.sql failed.*division by zero \(22012\)/,
  )
  const broken = 'create table half (id int);\nselect broken_name;\n'
  await expect(migrate(sql, undefined, added('9002_bad.sql', broken))).rejects.toThrow(/at line 2/)
  const [row] = await sql`select to_regclass('half') as half`
  expect(row.half).toBeNull()
})

test('history may be neither edited nor removed nor preceded', async () => {
  const [first, ...rest] = all
  if (first === undefined) return
  await expect(migrate(sql, undefined, [{ ...first, sha256: '0' }, ...rest])).rejects.toThrow(
    /was edited after it was applied/,
  )
  await expect(migrate(sql, undefined, rest)).rejects.toThrow(/which this version .* does not/)
  await expect(migrate(sql, undefined, added('0000_early.sql', 'select 1'))).rejects.toThrow(
    /Give it a higher number/,
  )
})

// Two of one number are applied in the order of their names, which nobody chose. Those before this
// rule have landed and stay.
test('from 0121 on every number is one migration', () => {
  const doubled = (names: string[]) =>
    names.filter(name => names.some(other => other !== name && other.startsWith(name.slice(0, 5))))
  expect(doubled(['0121_one.sql', '0121_other.plane.sql', '0122_next.sql'])).toHaveLength(2)
  expect(doubled(all.map(({ name }) => name).filter(name => name > '0121'))).toEqual([])
})
