// `bun run backup` as an operator types it (contract/18, test 44): a copy of the open house and the
// log that was written after it become the house of the moment before somebody deleted everything.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { cp, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { SQL } from 'bun'
import { must, rivera } from '#clinical/testing/call.ts'
import { signOnce, signerOf } from '#clinical/audit/sign.ts'
import { type Fixtures, openFixtures } from '#clinical/testing/fixtures.ts'
import { attached } from '#clinical/testing/files.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { type Embedded, startEmbedded } from '#database/embedded/server.ts'
import { migrate } from '#database/migrate.ts'
import { openRoles, workerUrls } from '#database/roles.ts'
import { quickFolder } from '#database/testing/small-disk.ts'
import { sql } from '#database/sql.ts'
import { auditSecretOf, rolePasswords } from '../server/credentials.ts'
import { lookAtDatabase } from '../server/database-metrics.ts'
import { openMetrics } from '#http/metrics.ts'
import { nameOf, scrape } from '../testing/prometheus.ts'
import { openSecrets } from '../server/secrets.ts'

const isFull = process.env['FAULT_ROUNDS'] !== undefined
let folder = ''
let server: Embedded
let fixtures: Fixtures
let pepper = ''
const at = (...names: string[]) => path.join(folder, ...names)
const dataDir = () => at('house')

beforeAll(async () => {
  folder = quickFolder()
  const secrets = openSecrets(dataDir())
  pepper = secrets('keyPepper')
  server = await startEmbedded({
    dir: at('house', 'postgres'),
    password: secrets('databasePassword'),
    archive: at('archive'),
    settings: { fsync: 'off' },
  })
  await using owner = new SQL(server.url, { max: 1 })
  await migrate(owner)
  const urls = await openRoles(server.url, rolePasswords(pepper))
  const database = { url: server.url, urls, close: async () => {} }
  fixtures = await openFixtures({ beside: { database, folder: at('house', 'files'), pepper } })
})
afterAll(async () => {
  await fixtures.close()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Runs the command for the house in that folder. */
async function typed(context: string, ...args: string[]) {
  const child = Bun.spawn([process.execPath, path.join(import.meta.dir, 'backup.ts'), ...args], {
    env: { DATA_DIR: context, PATH: process.env['PATH'] },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const texts = [new Response(child.stdout).text(), new Response(child.stderr).text()]
  const [said = '', complained = ''] = await Promise.all(texts)
  return { code: await child.exited, said, complained }
}

const encryption = () =>
  fixtures.owner.use(connection => signOnce(connection, signerOf(auditSecretOf(pepper))))
const patients = async (count: number, live = fixtures.ada.live) => {
  for (let turn = 0; turn < count; turn++) {
    await must(fixtures, 'createPatient', { as: live, body: rivera })
  }
}

/** What an operator reads of the server, by family. */
function watched() {
  const metrics = openMetrics()
  const { close } = lookAtDatabase(metrics, workerUrls(fixtures.database.urls))
  const valueOf = async (family: string, labels: Record<string, string> = {}) =>
    scrape(await metrics.text())
      .get(family)
      ?.series.get(nameOf(family, labels))
  return { valueOf, close }
}

/** A folder with the secrets of the house and nothing else. */
async function blank(name: string): Promise<string> {
  await cp(at('house', 'secrets.json'), at(name, 'secrets.json'))
  return at(name)
}

/** Waits until what was written so far is in the archive. */
async function archived(): Promise<void> {
  const [row] = await queryAsOwner<{ file: string }>(
    fixtures,
    sql`select pg_walfile_name(pg_switch_wal()) as file`,
  )
  while (!existsSync(at('archive', row?.file ?? ''))) await Bun.sleep(10)
}

test('the night’s copy, and the log up to the moment before a DELETE', async () => {
  await attached(fixtures, { as: fixtures.ada.live })
  const body = { url: 'https://public.brand.example/hooks', event_types: ['*'] }
  const { secret } = await must(fixtures, 'createWebhookEndpoint', { as: fixtures.ada.live, body })
  await patients(5)
  await encryption()
  const taken = await typed(dataDir(), 'take', at('copy'))
  expect([taken.code, taken.complained]).toEqual([0, ''])
  expect(taken.said).toMatch(/with [12] files?\./)
  expect((await typed(dataDir(), 'take', at('copy'))).complained).toContain('is there already')

  // No file of PostgreSQL, nor of its log, holds a secret that was told once (contract/18, 30).
  const files = readdirSync(at('copy', 'postgres'), { recursive: true, withFileTypes: true })
  const bytes = files.flatMap(one =>
    one.isFile() ? [readFileSync(path.join(one.parentPath, one.name))] : [],
  )
  const holding = (text: string) => bytes.filter(file => file.includes(text)).length
  expect([secret, fixtures.ada.live].map(holding)).toEqual([0, 0])
  expect(holding(fixtures.ada.integration)).toBeGreaterThan(0)

  await patients(3)
  await encryption()
  const [moment] = await queryAsOwner<{ at: string }>(
    fixtures,
    sql`select iso(clock_timestamp() + interval '2 ms') as at`,
  )
  await Bun.sleep(5)
  await using owner = new SQL(server.url, { max: 1 })
  await owner.unsafe(`set session_replication_role = replica; delete from live.events;
                      delete from live.patients; delete from audit.entries`)
  await archived()

  const then = await blank('then')
  const flags = ['--archive', at('archive')]
  const restored = await typed(then, 'restore', at('copy'), ...flags, '--until', moment?.at ?? '')
  expect([restored.code, restored.complained]).toEqual([0, ''])
  expect(restored.said).toMatch(/^live: 9 patients, 0 cases, \d+ events, the last at 2/m)
  expect(restored.said).toContain('1 document in live, 0 without bytes.')
  expect(restored.said).toMatch(/rows under 2 seals, 0 not sealed yet\./)
  expect(restored.said).toContain('Nothing was changed, removed or added.')
})

test.if(isFull)(
  'read to its end, the log has the deletion too, and the audit says so',
  async () => {
    const flags = ['--archive', at('archive')]
    const last = await typed(await blank('last'), 'restore', at('copy'), ...flags)
    expect(last.code).toBe(1)
    expect(last.said).toMatch(/^live: 0 patients/m)
    expect(last.said).toContain('row was removed after it was sealed')
  },
)

test('a log that does not leave the machine is told, and for whom it is kept', async () => {
  const { valueOf, close } = watched()
  const log = 'house_wal_archive'
  const until = async (family: string, isRight: (value: number) => boolean) => {
    while (!isRight((await valueOf(family)) ?? Number.NaN)) await Bun.sleep(20)
  }
  const begun = () =>
    queryAsOwner(
      fixtures,
      sql`select pg_switch_wal() from pg_logical_emit_message(false, 'a test', 'fills') as filled`,
    )
  expect(await valueOf(`${log}_failing`)).toBe(0)
  expect(await valueOf('house_idle_slot_retained_bytes', { slot: 'nobody' })).toBeUndefined()
  await queryAsOwner(fixtures, sql`select pg_create_physical_replication_slot('nobody', true)`)
  await rename(at('archive'), at('away'))
  await begun()
  await until(`${log}_failing`, value => value === 1)
  await until(`${log}_oldest_waiting_seconds`, value => value > 0)
  const kept = await valueOf('house_idle_slot_retained_bytes', { slot: 'nobody' })
  expect(kept).toBeGreaterThan(16_000_000) // a file of the log
  await rename(at('away'), at('archive'))
  // Whoever gave up a while ago is woken by the next file.
  await begun()
  await until(`${log}_oldest_waiting_seconds`, value => value === 0)
  await until(`${log}_failing`, value => value === 0)
  await queryAsOwner(fixtures, sql`select pg_drop_replication_slot('nobody')`)
  await close()
})

test('a copy by itself is the house at its end, and what is spoilt in it is named', async () => {
  const all = readdirSync(at('copy', 'files'), { recursive: true, withFileTypes: true })
  for (const one of all) if (one.isFile()) truncateSync(path.join(one.parentPath, one.name), 3)
  const alone = await typed(await blank('alone'), 'restore', at('copy'))
  expect([alone.code, alone.complained]).toEqual([1, ''])
  expect(alone.said).toMatch(/^live: 6 patients/m)
  expect(alone.said).toContain('is not as it was copied.')
  expect(alone.said).toContain('1 document in live, 1 without bytes.')
  expect(alone.said).toContain('Nothing was changed, removed or added.')
})

test('what cannot be done is said in a sentence, and nothing is touched', async () => {
  const again = await typed(at('alone'), 'restore', at('copy'))
  expect([again.code, again.complained]).toEqual([2, expect.stringContaining('a new folder')])
  const lately = ['--archive', at('archive'), '--until', '3 am']
  const vague = await typed(await blank('vague'), 'restore', at('copy'), ...lately)
  expect([vague.code, vague.complained]).toEqual([2, expect.stringContaining('with its offset')])
  const nowhere = ['--archive', at('nowhere')]
  const gone = await typed(await blank('gone'), 'restore', at('copy'), ...nowhere)
  expect([gone.code, gone.complained]).toEqual([2, expect.stringContaining('must exist')])
  // The log ends before that moment: nobody is given an earlier one for it.
  const later = ['--archive', at('archive'), '--until', '2099-01-01T00:00:00Z']
  const early = await typed(at('gone'), 'restore', at('copy'), ...later)
  expect([early.code, early.complained]).toEqual([2, expect.stringContaining('recovery target')])
  expect(existsSync(at('gone', 'postgres'))).toBe(false)
  const keyless = await typed(at('keyless'), 'restore', at('copy'))
  expect(keyless.complained).toContain('secrets.json')
  expect(existsSync(at('keyless'))).toBe(false)
  rmSync(at('copy', 'postgres', 'backup_label'))
  const none = await typed(await blank('none'), 'restore', at('copy'))
  expect(none.complained).toContain('must be a backup folder')
  const wrong = [['take'], ['restore', 'x', '--until', 'y'], ['mend', 'x'], ['take', 'a', 'b']]
  const all = await Promise.all(wrong.map(args => typed(dataDir(), ...args)))
  expect(all.map(({ code }) => code)).toEqual([2, 2, 2, 2])
})
