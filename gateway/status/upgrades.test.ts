// Gateway processes of this version alongside the next version's migrations, and alongside other
// peppers. schema.test.ts tests the schema check in this process.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SQL } from 'bun'
import { rivera } from '#clinical/testing/call.ts'
import { migrate, readMigrations } from '#database/migrate.ts'
import { openPool } from '#database/pool.ts'
import { runningProcesses } from '#database/processes.ts'
import { until } from '#http/testing/until.ts'
import { type Installation, openInstallation } from '#sweeps/testing/gateway-process.ts'
import { claimPeppers } from '../processes/peppers.ts'

let installation: Installation
let owner: SQL
beforeAll(async () => {
  installation = await openInstallation()
  owner = new SQL(installation.database.url, { max: 1 })
  await claimPeppers(installation.database.url, [installation.pepper])
})
afterAll(async () => {
  await owner.close()
  await installation.close()
})

const all = readMigrations()
const newest = all.at(-1)?.name.slice(0, 4) ?? ''
const next = (name: string, text: string) => [
  ...all,
  { name, text, sha256: new Bun.CryptoHasher('sha256').update(text).digest('hex') },
]

test('gateway: requests succeed while the next version adds a column, and both versions serve', async () => {
  const { call, child } = await installation.start()
  const statuses: number[] = []
  const migrated = new AbortController()
  const writers = Array.from({ length: 4 }, async () => {
    while (!migrated.signal.aborted || statuses.length < 100) {
      statuses.push((await call('/v1/patients', rivera)).answer.status)
    }
  })
  await until(() => statuses.length >= 20)
  const column = `-- compatible with ${newest}\nalter table {mode}.patients add column nickname text`
  const migrations = next('9100_nickname.mode.sql', column)
  expect(await migrate(owner, undefined, migrations)).toEqual(['9100_nickname.mode.sql'])
  migrated.abort()
  await Promise.all(writers)
  expect(new Set(statuses)).toEqual(new Set([201]))

  // Starts again, as after a rollback to this version.
  child.kill('SIGTERM')
  await child.exited
  const again = await installation.start()
  const { body } = await again.call('/api/health')
  expect(body.checks['database:schema'][0]).toMatchObject({
    status: 'pass',
    observedValue: '9100',
  })
  again.child.kill('SIGTERM')
  await again.child.exited
}, 120_000)

test('gateway: leaves rotation if the next version’s schema is unsupported, and doesn’t start', async () => {
  const { statusOf, call, child } = await installation.start()
  await owner`delete from public.migrations where name = '9100_nickname.mode.sql'`
  await migrate(owner, undefined, next('9101_other.sql', 'select 1'))
  // A health request triggers an immediate check.
  await until(async () => (await call('/api/health')).answer.status === 503)
  const { body } = await call('/api/health')
  expect(body.checks['database:schema'][0]).toMatchObject({
    status: 'fail',
    output: "The database's schema is newer than this version can use.",
  })
  expect(await statusOf('/api/ready')).toBe(503)
  expect(await statusOf('/api/live')).toBe(200)
  const { code, text } = await installation.refused()
  expect(code).toBe(1)
  expect(text).toContain('9101_other.sql, which this version of the platform does not have')
  child.kill('SIGTERM')
  await child.exited
}, 120_000)

const noPorts = { AUTH_PORT: '0', MCP_PORT: '0', PORTAL_PORT: '0', CONSOLE_PORT: '0' }
const other = 'another pepper of the same length or so'

const run = (file: string, settings: Record<string, string>, ...words: string[]) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, file, ...words], {
    env: { PATH: process.env['PATH'], DATABASE_URL: installation.database.url, ...settings },
  })
  return { code: exitCode, text: `${stdout}${stderr}` }
}
const command = (name: string, pepper: string, ...words: string[]) =>
  run('gateway/commands/admin.ts', { KEY_PEPPER: pepper }, name, ...words)

const passwords = () =>
  owner`select rolname, rolpassword from pg_authid where rolname like 'app%' order by rolname`
const audited = () =>
  owner`select surface, outcome, target from audit.entries where action = 'replaceLostPepper'`

test('gateway: doesn’t start with a pepper unknown to the database, and running gateways continue', async () => {
  await owner`delete from public.migrations where name = '9101_other.sql'`
  const { call, child } = await installation.start()
  const before = await passwords()
  const { code, text } = await installation.refused({ KEY_PEPPER: other })
  expect(code).toBe(2)
  expect(text).toContain('KEY_PEPPER must be one this database knows')
  expect(text).toContain('npm run admin -- migrate --new-pepper')
  expect(command('keys', other, 'list')).toEqual({
    code: 1,
    text: expect.stringContaining('KEY_PEPPER must match the gateways'),
  })
  expect(command('keys', installation.pepper, 'list').code).toBe(0)
  // A pepper that a running process has isn't lost.
  expect(command('migrate', other, '--new-pepper')).toEqual({
    code: 1,
    text: expect.stringContaining('a running gateway has it'),
  })
  expect([await passwords(), await audited()]).toEqual([before, []])
  expect((await call('/v1/patients', rivera)).answer.status).toBe(201)
  child.kill('SIGTERM')
  await child.exited
}, 120_000)

test('gateway: nothing is migrated with a pepper unknown to the database', async () => {
  const [last] = await owner`
    delete from public.migrations where name = (select max(name) from public.migrations) returning *`
  const before = await passwords()
  const folder = mkdtempSync(path.join(tmpdir(), 'start-'))
  const start = { KEY_PEPPER: other, DATA_DIR: folder, SITE_DIR: folder, PORT: '0' }
  const refusals = [
    command('migrate', other),
    run('gateway/server/start.ts', { ...start, ...noPorts }),
  ]
  rmSync(folder, { recursive: true })
  await owner`insert into public.migrations ${owner(last)}`
  expect(refusals).toEqual(
    [1, 2].map(code => ({
      code,
      text: expect.stringContaining('KEY_PEPPER must be one this database knows'),
    })),
  )
  expect(await passwords()).toEqual(before)
}, 120_000)

test('gateway: a lost pepper is replaced on request, with an audit row, and the old one is refused', async () => {
  const pool = openPool({ url: installation.database.url, size: 1, name: 'ended' })
  await until(async () => (await pool.use(runningProcesses)).length === 0)
  await pool.close()
  expect(command('migrate', other, '--new-pepper')).toEqual({
    code: 0,
    text: expect.stringContaining('The database now accepts only this KEY_PEPPER.'),
  })
  expect(await audited()).toEqual([{ surface: 'cli', outcome: 'ok', target: null }])
  const lost = await installation.refused()
  expect([lost.code, lost.text]).toEqual([2, expect.stringContaining('KEY_PEPPER must be one')])
  const again = await installation.start({ KEY_PEPPER: `${other},${installation.pepper}` })
  expect((await again.call('/v1/patients', rivera)).answer.status).toBe(201)
  again.child.kill('SIGTERM')
  await again.child.exited
}, 120_000)
