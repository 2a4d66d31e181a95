import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SQL } from 'bun'
import { untilPaused } from '#http/testing/pauses.ts'
import { until } from '#http/testing/until.ts'
import { migrate, readMigrations, type Migration } from './migrate.ts'
import { testDatabase, type TestDatabase } from './testing/database.ts'

/** All versions use this lock, so two of them don't migrate at the same time. */
const lockKey = 727_274

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

test('migrate: applies nothing to a database that has every migration', async () => {
  expect(await migrate(sql)).toEqual([])
})

test('migrate: waits for another process, and logs that once after a second', async () => {
  const other = await sql.reserve()
  const lines: string[] = []
  const waiting = Promise.withResolvers<number>()
  const started = performance.now()
  await other.unsafe(`select pg_advisory_lock(${lockKey})`)
  const migrated = migrate(sql, line => {
    lines.push(line)
    waiting.resolve(performance.now() - started)
  })
  expect(await waiting.promise).toBeGreaterThan(900)
  await untilPaused(100, 3)
  await other.unsafe(`select pg_advisory_unlock(${lockKey})`)
  expect(await migrated).toEqual([])
  expect(lines).toEqual(['Waiting for another process that is migrating the database …'])
  await other.release()
})

test('migrate: runs a *.mode.sql file once in each schema, with that mode’s lines', async () => {
  const text = `create table each (id int, {mode}_only int
    , test_too int -- only test
    , live_too int -- only live
  );
-- begin only live
alter table each add column {mode}_block int;
-- end only live`
  expect(await migrate(sql, undefined, added('9000_each.mode.sql', text))).toEqual([
    '9000_each.mode.sql',
  ])
  const rows = await sql`
    select table_schema as mode, string_agg(column_name, ' ' order by ordinal_position) as columns
      from information_schema.columns where table_name = 'each' group by 1 order by 1`
  expect([...rows]).toEqual([
    { mode: 'live', columns: 'id live_only live_too live_block' },
    { mode: 'test', columns: 'id test_only test_too' },
  ])
  await sql`delete from public.migrations where name = '9000_each.mode.sql'`
})

test('migrate: names the failing line in a *.mode.sql file, even after omitted lines', async () => {
  const text = 'select 1; -- only test\nselect 1; -- only test\nselect broken_name; -- only live\n'
  await expect(migrate(sql, undefined, added('9003_live.mode.sql', text))).rejects.toThrow(
    /at line 3/,
  )
})

test('migrate: refuses a file name without a position', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'migrations-'))
  for (const name of ['12_short.sql', '0012_Big.sql', '0012_x.both.sql', 'x.sql']) {
    writeFileSync(path.join(folder, name), '')
    expect(() => readMigrations(folder)).toThrow('must look like')
    rmSync(path.join(folder, name))
  }
  rmSync(folder, { recursive: true })
})

test('migrate: applies a migration once when two processes migrate at the same time', async () => {
  const migrations = added('9001_once.sql', 'create table once (id int)')
  const [other, holder] = [new SQL(database.url, { max: 1 }), await sql.reserve()]
  await holder.unsafe(`select pg_advisory_lock(${lockKey})`)
  const waiting: string[] = []
  const migrated = [sql, other].map(each =>
    migrate(each, line => void waiting.push(line), migrations),
  )
  await until(() => waiting.length === 2)
  await holder.unsafe(`select pg_advisory_unlock(${lockKey})`)
  await holder.release()
  const applied = await Promise.all(migrated)
  await other.close()
  expect(applied.flat()).toEqual(['9001_once.sql'])
  await sql`delete from public.migrations where name = '9001_once.sql'`
})

test('migrate: names the failing line of a migration, and keeps none of its changes', async () => {
  const text = 'create table half (id int);\nselect 1 / 0;\n'
  await expect(migrate(sql, undefined, added('9002_bad.sql', text))).rejects.toThrow(
    /9002_bad\.sql failed.*division by zero \(22012\)/,
  )
  const broken = 'create table half (id int);\nselect broken_name;\n'
  await expect(migrate(sql, undefined, added('9002_bad.sql', broken))).rejects.toThrow(/at line 2/)
  const [row] = await sql`select to_regclass('half') as half`
  expect(row.half).toBeNull()
})

test('migrate: refuses an applied migration that was edited, removed or preceded by a new one', async () => {
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

// Two migrations with the same number would be applied in alphabetical order, which is arbitrary.
test('migrations: every number is unique', () => {
  const doubled = (names: string[]) =>
    names.filter(name => names.some(other => other !== name && other.startsWith(name.slice(0, 5))))
  expect(doubled(['0121_one.sql', '0121_other.mode.sql', '0122_next.sql'])).toHaveLength(2)
  const folder = path.join(import.meta.dir, 'migrations')
  expect(doubled(readdirSync(folder))).toEqual([])
})
