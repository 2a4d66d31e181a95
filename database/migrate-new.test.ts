// Migrates a new database, and reports failed migrations.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SQL } from 'bun'
import { migrate, type Migration, readMigrations } from './migrate.ts'
import { testDatabase, type TestDatabase } from './testing/database.ts'

let database: TestDatabase
let admin: SQL
let url: string
let driver: SQL
beforeAll(async () => {
  database = await testDatabase()
  admin = new SQL(database.url, { max: 1 })
})
afterAll(async () => {
  await admin.close()
  await database.close()
})

let made = 0
beforeEach(async () => {
  const name = `${new URL(database.url).pathname.slice(1)}_${++made}`
  await admin.unsafe(`create database ${name}`)
  const address = new URL(database.url)
  address.pathname = `/${name}`
  url = address.href
  driver = new SQL(url, { max: 1 })
})
afterEach(async () => {
  await driver.close()
  await admin.unsafe(`drop database ${new URL(url).pathname.slice(1)} with (force)`)
})

const migration = (name: string, text: string): Migration => ({
  name,
  text,
  sha256: new Bun.CryptoHasher('sha256').update(text).digest('hex'),
})
const first = migration('0001_first.sql', 'create table first (id int)')
const second = migration('0002_second.sql', '-- compatible with 0001\ncreate table second (id int)')
const run = (...migrations: Migration[]) => migrate(driver, undefined, migrations, [])
const applied = async () => [
  ...(await driver`select name, compatible_with from public.migrations order by name`),
]

test('migrate: a new database gets every migration with its compatible version', async () => {
  expect(await run(first, second)).toEqual(['0001_first.sql', '0002_second.sql'])
  expect(await applied()).toEqual([
    { name: '0001_first.sql', compatible_with: null },
    { name: '0002_second.sql', compatible_with: '0001' },
  ])
  expect(await run(first, second)).toEqual([])
})

test.each([
  ['select 1 / 0;', ': division by zero (22012)'],
  ['select missing', ' at line 1: column "missing" does not exist (42703)'],
  ['\n\nselect missing', ' at line 3: column "missing" does not exist (42703)'],
  // The constraint is checked at commit.
  [
    `create table pairs (id int primary key,
       other int constraint fit references pairs deferrable initially deferred);
     insert into pairs values (1, 2)`,
    ': insert or update on table "pairs" violates foreign key constraint "fit" (23503); Key (other)=(2) is not present in table "pairs".',
  ],
])('migrate: %j fails with the position, the reason and the details', async (text, reason) => {
  await run(first)
  const failed = run(first, migration('0002_bad.sql', text)).catch(
    (failure: Error) => failure.message,
  )
  expect(await failed).toBe(`The migration 0002_bad.sql failed${reason}`)
  // The migration leaves no trace, and its connection is still usable.
  expect(await run(first, second)).toEqual(['0002_second.sql'])
})

test('migrate: ignores files that aren’t named like migrations', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'migrations-'))
  const names = [
    '0002_b.mode.sql',
    '0001_a.sql',
    '0003_c.index.sql',
    '0004_d.backfill.sql',
    'notes.md',
  ]
  for (const name of names) writeFileSync(path.join(folder, name), 'select 1')
  expect(readMigrations(folder).map(({ name }) => name)).toEqual(['0001_a.sql', '0002_b.mode.sql'])
  rmSync(folder, { recursive: true })
})
