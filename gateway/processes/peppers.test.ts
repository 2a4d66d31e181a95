import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { migrate } from '#database/migrate.ts'
import { openPool } from '#database/pool.ts'
import { type TestDatabase, testDatabase } from '#database/testing/database.ts'
import { until } from '#http/testing/until.ts'
import { claimPeppers, startWithPeppers } from './peppers.ts'

const [first, second, third] = ['the first', 'the second', 'the third'].map(
  which => `${which} pepper of this test`,
) as [string, string, string]

let database: TestDatabase
let owner: SQL
beforeAll(async () => {
  database = await testDatabase()
  owner = new SQL({ url: database.url, max: 1 })
})
afterAll(async () => {
  await owner.close()
  await database.close()
})

const digests = async () =>
  (await owner`select digest from public.pepper_digests order by digest`).map(
    (row: { digest: string }) => row.digest,
  )
const claim = (...peppers: [string, ...string[]]) => claimPeppers(database.url, peppers)
const renew = async (pepper: string) => {
  const pool = openPool({ url: database.url, size: 1, name: 'renew' })
  await pool.use(connection => startWithPeppers(connection, [pepper]))
  await pool.close()
}
const forget = () => owner`delete from public.pepper_digests`

test('peppers: the first start records its pepper; another is refused and changes nothing', async () => {
  await forget()
  expect(await claim(first)).toBe(true)
  const noted = await digests()
  expect(noted).toHaveLength(1)
  expect(await claim(second)).toBe(false)
  expect(await claim(second, third)).toBe(false)
  expect(await digests()).toEqual(noted)
  expect(await claim(first)).toBe(true)
})

test('peppers: after a rotation in steps, the old pepper is refused', async () => {
  await forget()
  type Peppers = [string, ...string[]]
  const steps: Peppers[] = [[first], [first, second], [first], [second, first], [second]]
  for (const peppers of steps) expect([peppers, await claim(...peppers)]).toEqual([peppers, true])
  expect(await claim(first)).toBe(false)
})

test('peppers: of concurrent first starts with two peppers, only one pepper’s succeed', async () => {
  for (let round = 0; round < 5; round++) {
    await forget()
    const peppers = [first, second, third, first, second, third]
    const started = await Promise.all(peppers.map(pepper => claim(pepper)))
    const names = peppers.filter((_, at) => started[at])
    expect([names.length, new Set(names).size]).toEqual([2, 1])
  }
})

test('peppers: a lost pepper is replaced only on request', async () => {
  await forget()
  await claim(first)
  await renew(second)
  expect([await claim(first), await claim(second)]).toEqual([false, true])
})

test('peppers: are recorded even if the connection is lost midway', async () => {
  await forget()
  const holder = new SQL({ url: database.url, max: 1 })
  await holder`begin`
  await holder`lock table public.pepper_digests in access exclusive mode`
  const claiming = claim(first)
  await until(async () => {
    const ended = await owner`
      select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'peppers' and state = 'active'`
    return ended.length > 0
  })
  await holder`commit`
  expect(await claiming).toBe(true)
  expect(await digests()).toHaveLength(1)
  await holder.close()
})

test('peppers: a database without a schema accepts any pepper', async () => {
  const empty = await testDatabase([])
  for (const pepper of [first, second]) expect(await claimPeppers(empty.url, [pepper])).toBe(true)
  await using owner = new SQL({ url: empty.url, max: 1 })
  await migrate(owner)
  expect(await claimPeppers(empty.url, [second])).toBe(true)
  expect(await claimPeppers(empty.url, [first])).toBe(false)
  await owner.close()
  await empty.close()
})
