import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { ownSchema } from './check-schema.ts'
import { type Migration, readMigrations } from './migrate.ts'
import { checkMigrations } from './migration-check.ts'
import { type ConnectionPool, openPool } from './pool.ts'
import { registerProcess } from './processes.ts'
import { nothing, sql } from './sql.ts'
import { testDatabase, type TestDatabase } from './testing/database.ts'

let database: TestDatabase
let owner: ConnectionPool
beforeAll(async () => {
  database = await testDatabase()
  owner = openPool({ url: database.url, size: 1, name: 'migration check' })
})
afterAll(async () => {
  await owner.close()
  await database.close()
})

const all = readMigrations()
const own = ownSchema()
const added = (text: string): Migration[] => [...all, { name: '9100_x.sql', text, sha256: 'none' }]
const check = (migrations: Migration[]) =>
  owner.use(connection => checkMigrations(connection, migrations))

test('migrate --check: nothing is pending in a database that has every migration', async () => {
  expect(await check(all)).toEqual({ pending: [], newer: [], processes: [], stop: [], fault: null })
})

test('migrate --check: names pending migrations and the processes that they would break', async () => {
  const older = { kind: 'worker', connections: 1, schema: '0001' } as const
  const current = { kind: 'gateway', connections: 1, schema: own } as const
  const later = { kind: 'worker', connections: 1, schema: '2000' } as const
  const newer = { kind: 'gateway', connections: 1, schema: '9100' } as const
  const running = []
  for (const one of [older, current, later, newer])
    running.push(await registerProcess(database.urls.test, one))
  const stopOf = async (text: string) => (await check(added(text))).stop
  // Processes must stop unless the migration is compatible with the oldest one's schema.
  expect(await stopOf('select 1')).toEqual([older, current, later])
  expect(await stopOf(`-- compatible with ${own}`)).toEqual([older])
  const found = await check(added('-- compatible with 0001'))
  expect(found).toMatchObject({
    pending: [{ name: '9100_x.sql', compatible_with: '0001' }],
    processes: [older, current, later, newer],
    stop: [],
  })
  await Promise.all(running.map(({ close }) => close()))
})

test('migrate --check: names the indexes and backfills that a migration would wait for', async () => {
  const statement = nothing
  const job = {
    kind: 'index',
    name: '9099_x.index',
    table: 'a.b',
    index: 'a.x',
    statement,
  } as const
  const waitsFor = async () => {
    const migrations = added('-- after 9099\nselect 1')
    const found = await owner.use(connection => checkMigrations(connection, migrations, [job]))
    return found.pending.map(one => one.waits_for)
  }
  expect(await waitsFor()).toEqual([['9099_x.index']])
  const begun = sql`insert into public.online_jobs (name, kind, of_table, started_at)
    values ('9099_x.index', 'index', 'a.b', now())`
  await owner.use(connection => connection.run(begun))
  expect(await waitsFor()).toEqual([['9099_x.index']])
  const done = sql`update public.online_jobs set ended_at = now() where name = '9099_x.index'`
  await owner.use(connection => connection.run(done))
  expect(await waitsFor()).toEqual([[]])
})

test('migrate --check: an earlier version reports whether it supports the database', async () => {
  const apply = (from: string | null) =>
    owner.use(connection =>
      connection.run(sql`insert into public.migrations (name, sha256, compatible_with)
        values ('9100_x.sql', 'none', ${from})
        on conflict (name) do update set compatible_with = excluded.compatible_with`),
    )
  await apply(own)
  expect(await check(all)).toMatchObject({ newer: ['9100_x.sql'], fault: null })
  await apply(null)
  expect((await check(all)).fault).toMatch(/9100_x\.sql, which .* does not have or support/)
  await owner.use(connection =>
    connection.run(sql`delete from public.migrations where name = '9100_x.sql'`),
  )
})

test('migrate --check: everything is pending in a database that was never migrated', async () => {
  const url = new URL(database.url)
  const name = `${url.pathname.slice(1)}_empty`
  await using admin = new SQL(database.url, { max: 1 })
  await admin.unsafe(`create database ${name}`)
  url.pathname = `/${name}`
  const empty = openPool({ url: url.href, size: 1, name: 'empty' })
  const { pending, fault } = await empty.use(connection => checkMigrations(connection, all))
  await empty.close()
  expect([pending.length, fault]).toEqual([all.length, null])
  await admin.unsafe(`drop database ${name}`)
})
