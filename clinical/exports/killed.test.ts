// A worker is killed during an export, and another worker completes the export once.

import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { until } from '#http/testing/until.ts'
import { type Connection, ConnectionLost, openPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { queuedCase, invokeOk } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { removeOrphans } from '../files/cleanup.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { assemble } from './bundle.ts'
import { completePending } from '../testing/exports.ts'

const fixtures = useFixtures()

/** Assembles as a worker does, and blocks just before the bundle is stored until the process is
 *  killed. */
const program = `
  import { completeExports } from ${JSON.stringify(path.join(import.meta.dir, 'complete.ts'))}
  import { openFiles } from ${JSON.stringify(path.join(import.meta.dir, '../files/files.ts'))}
  import { openStorage } from ${JSON.stringify(path.join(import.meta.dir, '../storage/open.ts'))}
  import { openPool } from '#database/pool.ts'
  const { url, folder } = await Bun.stdin.json()
  const pool = openPool({ url, size: 1, name: 'crashing', path: 'test, public' })
  const storage = openStorage({ folder }, () => 0, () => '0123456789abcdef')
  const store = () => (console.log('storing'), new Promise(() => {}))
  const files = openFiles({ ...storage, store }, ['a secret'], 'http://localhost')
  const pools = { test: pool, live: pool }
  const stopping = new AbortController().signal
  await completeExports({ pools, fresh: () => '0123456789abcdef', stopping },
                        { files, base: 'http://localhost' })
`

test('exports: if a worker is killed before storing the bundle, another completes it once', async () => {
  const { patient } = await queuedCase(fixtures)
  const { id } = await invokeOk(fixtures, 'createExport', { id: patient })
  const child = Bun.spawn([process.execPath, '-e', program], {
    cwd: path.dirname(path.dirname(import.meta.dir)),
    stdin: 'pipe',
    stdout: 'pipe',
  })
  const url = fixtures.database.urls.worker_test
  await child.stdin.write(JSON.stringify({ url, folder: fixtures.folder }))
  await child.stdin.end()
  const { value } = await child.stdout.getReader().read()
  expect(new TextDecoder().decode(value)).toBe('storing\n')
  child.kill('SIGKILL')
  await child.exited

  const left = () => readdirSync(path.join(fixtures.folder, 'aside'))
  expect([(await invokeOk(fixtures, 'getExport', { id })).status, left().length]).toEqual([
    'pending',
    1,
  ])
  expect(await completePending(fixtures)).toBe(0) // The claim hasn't expired.
  await queryAsOwner(fixtures, sql`update test.exports set due_at = now() where id = ${id}`)
  expect(await completePending(fixtures)).toBe(1)
  expect((await invokeOk(fixtures, 'downloadExport', { id })).export).toBe(id)
  const bundles = readdirSync(path.join(fixtures.folder, 'test', 'x'), { recursive: true })
  expect(bundles.filter(name => String(name).includes(path.sep))).toHaveLength(1)
  expect(await removeOrphans(fixtures.context.files.storage)).toBe(0) // The file isn't old enough.
})

/** Opens a worker connection for a new patient, and returns the arguments for `assemble`. */
async function openWorker(name: string) {
  const { patient } = await queuedCase(fixtures)
  const [row] = await queryAsOwner<{ tenant: string }>(
    fixtures,
    sql`select tenant::text as tenant from test.patients where id = ${patient}`,
  )
  const tenant = row?.tenant ?? ''
  const url = fixtures.database.urls.worker_test
  const pool = openPool({ url, size: 1, name, path: 'test, public' })
  const { organization } = fixtures.ada
  const { files, base } = fixtures.context
  return {
    pool,
    files,
    base,
    subject: { mode: 'test', tenant, organization, patient } as const,
    use: (work: (connection: Connection) => Promise<void>) =>
      pool.use(async connection => {
        await connection.run(sql`select set_config('app.tenant', ${tenant}, false)`)
        await work(connection)
      }),
  }
}

test('exports: rows written between two pages are in neither', async () => {
  const { pool, files, base, subject, use } = await openWorker('during')
  const { patient: id } = subject
  const before = await invokeOk(fixtures, 'getPatient', { id })
  const { data: consents } = await invokeOk(fixtures, 'listConsents', { id })
  let text = ''
  const storage = {
    ...files.storage,
    store: async (key: string, file: Parameters<typeof files.storage.store>[1]) => {
      text = await Bun.file(file.path).text()
      return files.storage.store(key, file)
    },
  }
  await use(async connection => {
    let runs = 0
    const during: Connection = {
      async run(statement) {
        const rows = await connection.run<never>(statement)
        // The snapshot has begun, and the patient has been read.
        if (++runs !== 2) return rows
        await invokeOk(fixtures, 'updatePatient', { id, body: { first_name: 'Later' } })
        const body = { kind: 'privacy', version: 'later' }
        await invokeOk(fixtures, 'recordConsent', { id, body })
        return rows
      },
    }
    const object = 'd'.repeat(32)
    const made = await assemble(
      { connection: during, files: { ...files, storage }, base, object },
      subject,
    )
    const bundle = JSON.parse(`{${text}`)
    expect(bundle).toMatchObject({ created_at: made?.at, patient: before, consents })
    expect(text).not.toMatch(/later/i)
  })
  await pool.close()
})

test('exports: losing the connection between two pages fails instead of shortening the bundle', async () => {
  const { pool, files, base, subject, use } = await openWorker('cut')
  await use(async connection => {
    const whole = await assemble({ connection, files, base, object: 'w'.repeat(32) }, subject)
    expect(whole?.size).toBeGreaterThan(0)
    let runs = 0
    const cut: Connection = {
      async run(statement) {
        const rows = await connection.run<never>(statement)
        if (++runs !== 3) return rows
        const sessions = sql`from pg_stat_activity where application_name = 'cut'`
        await queryAsOwner(fixtures, sql`select pg_terminate_backend(pid) ${sessions}`)
        await until(
          async () => (await queryAsOwner(fixtures, sql`select ${sessions}`)).length === 0,
        )
        return rows
      },
    }
    await expect(
      assemble({ connection: cut, files, base, object: 'c'.repeat(32) }, subject),
    ).rejects.toThrow(ConnectionLost)
    expect(runs).toBe(3)
  })
  await pool.close()
})
