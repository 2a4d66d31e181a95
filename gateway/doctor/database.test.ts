import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { readMigrations } from '#database/migrate.ts'
import { registerProcess } from '#database/processes.ts'
import { testDatabase, type TestDatabase } from '#database/testing/database.ts'
import { claimPeppers } from '../processes/peppers.ts'
import { readConfig } from '../settings/config.ts'
import { pharmacyFindings } from './clinic-services.ts'
import { databaseFindings } from './database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const [first, second] = [
  'a pepper of more than thirty-two characters',
  'another pepper of the same length or so',
]
const asked = (peppers: [string, ...string[]], url = database.url) => {
  return { url, config: readConfig({}), peppers, isLive: false }
}
const ask = (...of: Parameters<typeof asked>) => databaseFindings(asked(...of))
const of = async (name: string, peppers: [string, ...string[]] = [first]) =>
  (await ask(peppers)).filter(one => one.name === name).map(({ status }) => status)

test('doctor: the pepper must match one that the platform uses, even during a rotation', async () => {
  expect(await of('pepper')).toEqual(['ok'])
  await claimPeppers(database.url, [first])
  expect(await of('pepper')).toEqual(['ok'])
  expect(await of('pepper', [second])).toEqual(['fault'])
  expect(await of('pepper', [second, first])).toEqual(['ok'])
  // The last step of a rotation: the old pepper is no longer used.
  await claimPeppers(database.url, [second, first])
  await claimPeppers(database.url, [second])
  expect(await of('pepper')).toEqual(['fault'])
})

test('doctor: reports which versions support the schema, and which don’t', async () => {
  const newest = readMigrations().at(-1)?.name.slice(0, 4) ?? ''
  const found = (await ask([first])).find(({ name }) => name === 'schema')
  expect(found?.text).toMatch(/^Runs versions with migration \d{4} or later\.$/)
  expect((found?.text.match(/\d{4}/)?.[0] ?? '') <= newest).toBe(true)
  const older = await testDatabase(readMigrations().slice(0, -1))
  const lacking = (await ask([first], older.url)).find(({ name }) => name === 'schema')
  await older.close()
  expect([lacking?.status, lacking?.text]).toEqual([
    'fault',
    expect.stringContaining('npm run admin -- migrate'),
  ])
})

test('doctor: reports a missing first migration, and no other database fault', async () => {
  const empty = await testDatabase([])
  const [found, pharmacies] = await Promise.all([
    ask([first], empty.url),
    pharmacyFindings({ url: empty.url, config: readConfig({}), encryptionKeys: [] }),
  ])
  await empty.close()
  expect(found.filter(({ status }) => status === 'fault')).toEqual([
    { name: 'schema', status: 'fault', text: expect.stringContaining('npm run admin -- migrate') },
  ])
  expect(pharmacies).toEqual([])
})

test('doctor: warns about the PostgreSQL from npm, but not about your own', async () => {
  expect(await of('database release')).toEqual(['warning'])
  const config = readConfig({ DATABASE_URL: database.url })
  const found = await databaseFindings({ ...asked([first]), config })
  expect(found.filter(({ name }) => name === 'database release')).toEqual([])
})

test('doctor: several gateways need shared counters and storage', async () => {
  expect(await of('several gateways')).toEqual([])
  const gateway = { kind: 'gateway', connections: 1, schema: '0158' } as const
  const both = await Promise.all([1, 2].map(() => registerProcess(database.urls.test, gateway)))
  expect(await of('several gateways')).toEqual(['warning', 'warning'])
  await Promise.all(both.map(({ close }) => close()))
})

test('doctor: warns if gateways run without a worker', async () => {
  const process = { connections: 1, schema: '0158' } as const
  expect(await of('worker')).toEqual([])
  const gateway = await registerProcess(database.urls.test, { ...process, kind: 'gateway' })
  expect(await of('worker')).toEqual(['warning'])
  const worker = await registerProcess(database.urls.test, { ...process, kind: 'worker' })
  expect(await of('worker')).toEqual(['ok'])
  await Promise.all([gateway.close(), worker.close()])
})

test('doctor: a missing backup is a warning, and an unreachable database is a fault', async () => {
  expect(await of('backup')).toEqual(['warning'])
  expect(await ask([first], 'postgres://app:secret@127.0.0.1:1/app')).toEqual([
    { name: 'database', status: 'fault', text: expect.not.stringContaining('secret') },
  ])
})

test('doctor: a backup older than 26 hours is a warning, or a fault in live mode', async () => {
  await using owner = new SQL(database.url, { max: 1 })
  const at = async (hours: number, isLive: boolean) => {
    await owner`delete from public.backups`
    await owner`insert into public.backups (taken_at) values (now() - make_interval(hours => ${hours}))`
    const found = await databaseFindings({ ...asked([first]), isLive })
    return found.find(({ name }) => name === 'backup')
  }
  expect(await at(25, true)).toMatchObject({ status: 'ok', text: 'The last one is 25 hours old.' })
  expect(await at(27, false)).toMatchObject({ status: 'warning' })
  expect(await at(27, true)).toMatchObject({ status: 'fault' })
})

test('doctor: a remote server’s name is verified', async () => {
  expect(await of('database encryption')).toEqual(['ok'])
  // 0.0.0.0 also reaches the server, but doesn't count as this machine.
  const found = await ask([first], database.url.replace('127.0.0.1', '0.0.0.0'))
  const encryption = found.find(({ name }) => name === 'database encryption')
  expect(encryption).toMatchObject({
    status: 'warning',
    text: expect.stringContaining('verify-full'),
  })
})
