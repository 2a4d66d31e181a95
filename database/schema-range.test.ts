import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { checkSchema, knownMigrations } from './check-schema.ts'
import { migrate, type Migration, readMigrations } from './migrate.ts'
import { oldestBeside } from './schema-range.ts'
import { testDatabase, type TestDatabase } from './testing/database.ts'
import { until } from '#http/testing/until.ts'

let database: TestDatabase
let sql: SQL
beforeAll(async () => {
  database = await testDatabase()
  sql = new SQL(database.url, { max: 2 })
})
afterAll(async () => {
  await sql.close()
  await database.close()
})

const all = readMigrations()
const newest = all.at(-1)?.name.slice(0, 4) ?? ''
const fixture = (name: string, text: string): Migration => ({
  name,
  text,
  sha256: new Bun.CryptoHasher('sha256').update(text).digest('hex'),
})
const widening = (from: string) =>
  fixture(
    '9100_nickname.sql',
    `-- Why.\n-- compatible with ${from}\ncreate table nickname (id int)`,
  )

async function without(name: string): Promise<void> {
  await sql`delete from public.migrations where name = ${name}`
  await sql.unsafe('drop table if exists nickname')
}

describe('schema range', () => {
  test('a version runs on the schema of its own migrations', async () => {
    await checkSchema(database.url)
    const sessions = async () =>
      (
        await sql`select from pg_stat_activity where application_name = 'schema'
        and datname = current_database()`
      ).length
    await until(async () => (await sessions()) === 0)
  })

  test('a version refuses a schema that lacks one of its migrations, and names the command', async () => {
    const known = new Set([...knownMigrations(), '9100_nickname.sql'])
    await expect(checkSchema(database.url, known)).rejects.toThrow(
      /lacks the migration 9100_nickname\.sql\. Run this version's `npm run admin -- migrate`/,
    )
  })

  test('a version runs on a schema with a newer compatible migration, and migrates nothing', async () => {
    await migrate(sql, undefined, [...all, widening(newest)])
    await checkSchema(database.url)
    expect(await migrate(sql)).toEqual([])
    await without('9100_nickname.sql')
  })

  test('a version refuses a newer migration that is not compatible with it', async () => {
    const later = String(Number(newest) + 1).padStart(4, '0')
    for (const one of [widening(later), fixture('9100_nickname.sql', 'select 1')]) {
      await migrate(sql, undefined, [...all, one])
      await expect(checkSchema(database.url)).rejects.toThrow(
        /9100_nickname\.sql.*not have or support/,
      )
      await expect(migrate(sql)).rejects.toThrow(/9100_nickname\.sql.*not have or support/)
      await without('9100_nickname.sql')
    }
  })
})

test('schema range: every newer migration is compatible with the oldest version that runs', () => {
  const applied = (all: Record<string, string | null>) =>
    oldestBeside(Object.entries(all).map(([name, from]) => ({ name, compatible_with: from })))
  expect(applied({ '0001_a.sql': null })).toBe('0001')
  expect(applied({ '0001_a.sql': null, '0002_b.sql': '0001' })).toBe('0001')
  expect(applied({ '0001_a.sql': null, '0002_b.sql': '0001', '0003_c.sql': '0002' })).toBe('0002')
  expect(applied({ '0001_a.sql': null, '0002_b.sql': null, '0003_c.sql': '0001' })).toBe('0002')
})

test('migrate: gives up a lock so that traffic continues, and starts again', async () => {
  await sql.unsafe('create table busy (id int)')
  const holder = await sql.reserve()
  await holder.unsafe('begin; insert into busy values (1)')
  const waits = Promise.withResolvers<string>()
  await using migrator = new SQL(database.url, { max: 1 })
  const text = 'alter table busy add column nickname text'
  const began = performance.now()
  const migrated = migrate(migrator, waits.resolve, [...all, fixture('9101_busy.sql', text)])
  expect(await waits.promise).toContain('9101_busy.sql is waiting for a lock')
  // The first attempt waits two seconds for the lock.
  expect(performance.now() - began).toBeGreaterThan(1900)
  // The migration no longer waits for the lock, so others can read and write.
  await sql.unsafe('insert into busy values (2)')
  await holder.unsafe('commit')
  await holder.release()
  expect(await migrated).toEqual(['9101_busy.sql'])
  expect([...(await sql`select id, nickname from busy order by id`)]).toEqual([
    { id: 1, nickname: null },
    { id: 2, nickname: null },
  ])
  await sql`delete from public.migrations where name = '9101_busy.sql'`
})
