// `npm run admin -- backup` as an operator runs it: restores a running installation's backup and
// the WAL archived since then, to just before everything was deleted.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { cp, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { SQL } from 'bun'
import { invokeOk, rivera } from '#clinical/testing/call.ts'
import { signOnce, signerOf } from '#clinical/audit/sign.ts'
import { type Fixtures, openFixtures } from '#clinical/testing/fixtures.ts'
import { attachFile } from '#clinical/testing/files.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import type { Embedded } from '#database/embedded/server.ts'
import { startInstalled } from '#database/testing/installed.ts'
import { openRoles, workerUrls } from '#database/roles.ts'
import { quickFolder } from '#database/testing/small-disk.ts'
import { sql } from '#database/sql.ts'
import { auditSecretOf, rolePasswords } from '../settings/credentials.ts'
import { collectDatabase } from '../server/database-metrics.ts'
import { openMetrics } from '#http/observe/metrics.ts'
import { until } from '#http/testing/until.ts'
import { nameOf, scrape } from '../testing/prometheus.ts'
import { openSecrets } from '../settings/secrets.ts'

const isFull = process.env['FAULT_ROUNDS'] !== undefined
let folder = ''
let server: Embedded
let fixtures: Fixtures
let pepper = ''
const at = (...names: string[]) => path.join(folder, ...names)
const dataDir = () => at('data')

beforeAll(async () => {
  folder = quickFolder()
  const secrets = openSecrets(dataDir())
  pepper = secrets('keyPepper')
  server = await startInstalled({
    dir: at('data', 'postgres'),
    password: secrets('databasePassword'),
    archive: at('archive'),
    settings: { fsync: 'off' },
  })
  const urls = await openRoles(server.url, rolePasswords(pepper))
  const database = { url: server.url, urls, close: async () => {} }
  fixtures = await openFixtures({ reuse: { database, folder: at('data', 'files'), pepper } })
})
afterAll(async () => {
  await fixtures.close()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

async function backup(dataDir: string, ...args: string[]) {
  const child = Bun.spawn(
    [process.execPath, path.join(import.meta.dir, 'admin.ts'), 'backup', ...args],
    {
      env: { DATA_DIR: dataDir, PATH: process.env['PATH'] },
      stdout: 'pipe',
      stderr: 'pipe',
    },
  )
  const texts = [new Response(child.stdout).text(), new Response(child.stderr).text()]
  const [stdout = '', stderr = ''] = await Promise.all(texts)
  return { code: await child.exited, stdout, stderr }
}

const encryption = () =>
  fixtures.owner.use(connection => signOnce(connection, signerOf(auditSecretOf(pepper))))
const createPatients = async (count: number, live = fixtures.ada.live) => {
  for (let turn = 0; turn < count; turn++) {
    await invokeOk(fixtures, 'createPatient', { as: live, body: rivera })
  }
}

/** The database server's metrics by family. */
function openScrape() {
  const metrics = openMetrics()
  const { close } = collectDatabase(metrics, workerUrls(fixtures.database.urls))
  const valueOf = async (family: string, labels: Record<string, string> = {}) =>
    scrape(await metrics.text())
      .get(family)
      ?.series.get(nameOf(family, labels))
  return { valueOf, close }
}

/** A new DATA_DIR that contains only the secrets. */
async function newDataDir(name: string): Promise<string> {
  await cp(at('data', 'secrets.json'), at(name, 'secrets.json'))
  return at(name)
}

/** Waits until all WAL written so far is archived. */
async function archived(): Promise<void> {
  const [row] = await queryAsOwner<{ file: string }>(
    fixtures,
    sql`select pg_walfile_name(pg_switch_wal()) as file`,
  )
  await until(() => existsSync(at('archive', row?.file ?? '')))
}

test('backup: restores a backup and its archived WAL to just before a DELETE', async () => {
  await attachFile(fixtures, { as: fixtures.ada.live })
  const body = { url: 'https://public.brand.example/hooks', event_types: ['*'] }
  const { secret } = await invokeOk(fixtures, 'createWebhookEndpoint', {
    as: fixtures.ada.live,
    body,
  })
  await createPatients(5)
  await encryption()
  const taken = await backup(dataDir(), 'take', at('copy'))
  expect([taken.code, taken.stderr]).toEqual([0, ''])
  expect(taken.stdout).toMatch(/with [12] files?\./)
  expect((await backup(dataDir(), 'take', at('copy'))).stderr).toContain('already exists')

  // No PostgreSQL file contains a secret that is shown only once.
  const files = readdirSync(at('copy', 'postgres'), { recursive: true, withFileTypes: true })
  const bytes = files.flatMap(one =>
    one.isFile() ? [readFileSync(path.join(one.parentPath, one.name))] : [],
  )
  const filesWith = (text: string) => bytes.filter(file => file.includes(text)).length
  expect([secret, fixtures.ada.live].map(filesWith)).toEqual([0, 0])
  expect(filesWith(fixtures.ada.integration)).toBeGreaterThan(0)

  await createPatients(3)
  await encryption()
  const [moment] = await queryAsOwner<{ at: string }>(
    fixtures,
    sql`select iso(clock_timestamp() + interval '2 ms') as at`,
  )
  await until(async () => {
    const passed = sql`select clock_timestamp() > ${moment?.at ?? ''}::timestamptz as is_over`
    return (await queryAsOwner<{ is_over: boolean }>(fixtures, passed))[0]?.is_over === true
  })
  await using owner = new SQL(server.url, { max: 1 })
  await owner.unsafe(`set session_replication_role = replica; delete from live.events;
                      delete from live.patients; delete from audit.entries`)
  await archived()

  const then = await newDataDir('then')
  const flags = ['--archive', at('archive')]
  const restored = await backup(then, 'restore', at('copy'), ...flags, '--until', moment?.at ?? '')
  expect([restored.code, restored.stderr]).toEqual([0, ''])
  expect(restored.stdout).toMatch(/^live: 9 patients, 0 cases, \d+ events, the last at 2/m)
  expect(restored.stdout).toContain('1 live document, 0 without a file.')
  expect(restored.stdout).toMatch(/rows under 2 signatures, 0 not yet signed\./)
  expect(restored.stdout).toContain('Nothing was changed, removed or added.')
})

test.if(isFull)(
  'backup: after a restore to the end of the WAL, the audit log shows the deletion',
  async () => {
    const flags = ['--archive', at('archive')]
    const last = await backup(await newDataDir('last'), 'restore', at('copy'), ...flags)
    expect(last.code).toBe(1)
    expect(last.stdout).toMatch(/^live: 0 patients/m)
    expect(last.stdout).toContain('row was removed after it was signed')
  },
)

test('metrics: report a failing WAL archive, and WAL retained by an idle slot', async () => {
  const { valueOf, close } = openScrape()
  const log = 'telehealth_wal_archive'
  const untilMetric = async (family: string, isRight: (value: number) => boolean) => {
    await until(async () => isRight((await valueOf(family)) ?? Number.NaN), 20)
  }
  const switchWal = () =>
    queryAsOwner(
      fixtures,
      sql`select pg_switch_wal() from pg_logical_emit_message(false, 'a test', 'fills') as filled`,
    )
  expect(await valueOf(`${log}_failing`)).toBe(0)
  expect(await valueOf('telehealth_idle_slot_retained_bytes', { slot: 'idle' })).toBeUndefined()
  await queryAsOwner(fixtures, sql`select pg_create_physical_replication_slot('idle', true)`)
  await rename(at('archive'), at('away'))
  await switchWal()
  await untilMetric(`${log}_failing`, value => value === 1)
  await untilMetric(`${log}_oldest_waiting_seconds`, value => value > 0)
  const retained = await valueOf('telehealth_idle_slot_retained_bytes', { slot: 'idle' })
  expect(retained).toBeGreaterThan(16_000_000) // one WAL file
  await rename(at('away'), at('archive'))
  // The archiver retries when the next file is complete.
  await switchWal()
  await untilMetric(`${log}_oldest_waiting_seconds`, value => value === 0)
  await untilMetric(`${log}_failing`, value => value === 0)
  await queryAsOwner(fixtures, sql`select pg_drop_replication_slot('idle')`)
  await close()
})

test('backup: restores without an archive, and lists damaged files', async () => {
  const all = readdirSync(at('copy', 'files'), { recursive: true, withFileTypes: true })
  for (const one of all) if (one.isFile()) truncateSync(path.join(one.parentPath, one.name), 3)
  const alone = await backup(await newDataDir('alone'), 'restore', at('copy'))
  expect([alone.code, alone.stderr]).toEqual([1, ''])
  expect(alone.stdout).toMatch(/^live: 6 patients/m)
  expect(alone.stdout).toContain('is missing or damaged.')
  expect(alone.stdout).toContain('1 live document, 1 without a file.')
  expect(alone.stdout).toContain('Nothing was changed, removed or added.')
})

test('backup: record says that it was recorded', async () => {
  const { code, stdout } = await backup(dataDir(), 'record')
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Recorded a backup at 2\S+Z\.\n$/)])
})

test('backup: refuses an impossible restore in one sentence, and changes nothing', async () => {
  const again = await backup(at('alone'), 'restore', at('copy'))
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('a new folder')])
  const lately = ['--archive', at('archive'), '--until', '3 am']
  const vague = await backup(await newDataDir('vague'), 'restore', at('copy'), ...lately)
  expect([vague.code, vague.stderr]).toEqual([2, expect.stringContaining('with its offset')])
  const alone = await backup(at('vague'), 'restore', at('copy'), '--until', '2099-01-01T00:00:00Z')
  expect(alone.code).toBe(2)
  expect(alone.stderr).toStartWith('--until needs --archive, the folder with the archived log.\n')
  const nowhere = ['--archive', at('nowhere')]
  const gone = await backup(await newDataDir('gone'), 'restore', at('copy'), ...nowhere)
  expect([gone.code, gone.stderr]).toEqual([2, expect.stringContaining('must exist')])
  // The WAL ends before the requested time. No earlier state is restored instead.
  const later = ['--archive', at('archive'), '--until', '2099-01-01T00:00:00Z']
  const early = await backup(at('gone'), 'restore', at('copy'), ...later)
  expect([early.code, early.stderr]).toEqual([
    2,
    `The archived log ends before 2099-01-01T00:00:00Z. To replay all of it, leave out --until. If ${at('archive')} lacks later files, copy them there first.\n`,
  ])
  const { at: ended } = JSON.parse(readFileSync(at('copy', 'backup.json'), 'utf8'))
  const before = ['--archive', at('archive'), '--until', '2020-01-01T00:00:00Z']
  expect(await backup(at('gone'), 'restore', at('copy'), ...before)).toEqual({
    code: 2,
    stdout: '',
    stderr: `--until must be after this backup ended, at ${ended}. Restore an earlier backup instead.\n`,
  })
  const left = ['postgres', 'postgres.unfinished'].filter(name => existsSync(at('gone', name)))
  expect(left).toEqual([])
  const missing = await backup(at('gone'), 'restore', at('nothing'))
  expect([missing.code, missing.stderr]).toEqual([
    2,
    `${at('nothing')} must be a backup folder, which contains a file backup.json.\n`,
  ])
  const keyless = await backup(at('keyless'), 'restore', at('copy'))
  expect(keyless.stderr).toContain('secrets.json')
  expect(existsSync(at('keyless'))).toBe(false)
  rmSync(at('copy', 'postgres', 'backup_label'))
  const none = await backup(await newDataDir('none'), 'restore', at('copy'))
  expect(none.stderr).toContain('must be a backup folder')
  const wrong = [['take'], ['restore', 'x', '--until', 'y'], ['fix', 'x'], ['take', 'a', 'b']]
  const all = await Promise.all(wrong.map(args => backup(dataDir(), ...args)))
  expect(all.map(({ code }) => code)).toEqual([2, 2, 2, 2])
})
