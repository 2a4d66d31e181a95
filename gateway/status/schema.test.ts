// The gateway's check of its database's schema. upgrades.test.ts runs gateway processes during an
// upgrade.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { migrate, readMigrations } from '#database/migrate.ts'
import { type ConnectionPool, openPool } from '#database/pool.ts'
import { type TestDatabase, testDatabase } from '#database/testing/database.ts'
import { until } from '#http/testing/until.ts'
import { watchSchema } from './schema.ts'

let database: TestDatabase
let owner: SQL
let pool: ConnectionPool
beforeAll(async () => {
  database = await testDatabase()
  owner = new SQL({ url: database.url, max: 1 })
  pool = openPool({ url: database.url, size: 1, name: 'watch' })
})
afterAll(async () => {
  await Promise.all([owner.close(), pool.close()])
  await database.close()
})

const all = readMigrations()
const newest = all.at(-1)?.name.slice(0, 4) ?? ''
const apply = (name: string, text: string) => {
  const sha256 = new Bun.CryptoHasher('sha256').update(text).digest('hex')
  return migrate(owner, undefined, [...all, { name, text, sha256 }])
}
const remove = (name: string) => owner`delete from public.migrations where name = ${name}`

test('gateway: accepts a newer schema that supports this version, and no other', async () => {
  const watch = watchSchema(pool)
  expect(await watch.check.run()).toEqual({ status: 'pass', observedValue: newest })
  await apply('9100_compatible.sql', `-- compatible with ${newest}\nselect 1`)
  expect(await watch.check.run()).toEqual({ status: 'pass', observedValue: '9100' })
  expect(watch.isAccepted()).toBe(true)
  await remove('9100_compatible.sql')
  await apply('9101_other.sql', 'select 1')
  expect(await watch.check.run()).toEqual({
    status: 'fail',
    observedValue: '9101',
    output: "The database's schema is newer than this version can use.",
  })
  expect(watch.isAccepted()).toBe(false)
  await remove('9101_other.sql')
  watch.stop()
})

test('gateway: checks the schema without a request, from startup on', async () => {
  const { promise: begins, resolve } = Promise.withResolvers<void>()
  const watch = watchSchema(pool, { begins, everyMilliseconds: 20 })
  expect(watch.isAccepted()).toBe(false)
  resolve()
  await until(watch.isAccepted)
  await apply('9102_third.sql', 'select 1')
  await until(() => !watch.isAccepted())
  watch.stop()
})
