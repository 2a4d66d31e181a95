// A worker that is killed during an export: another worker completes the export, once.

import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { type Connection, ConnectionLost, openPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { queuedCase, invokeOk } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { removeOrphans } from '../files/cleanup.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { assemble } from './bundle.ts'
import { completePending } from '../testing/exports.ts'

const fixtures = useFixtures()

/** Assembles as a worker does and blocks just before the bundle is stored, until it is killed. */
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

test('exports: when a worker is killed before it stored the bundle, another completes it once', async () => {
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
  expect(await completePending(fixtures)).toBe(0) // the claim has not expired
  await queryAsOwner(fixtures, sql`update test.exports set due_at = now() where id = ${id}`)
  expect(await completePending(fixtures)).toBe(1)
  expect((await invokeOk(fixtures, 'downloadExport', { id })).export).toBe(id)
  const bundles = readdirSync(path.join(fixtures.folder, 'test', 'x'), { recursive: true })
  expect(bundles.filter(name => String(name).includes(path.sep))).toHaveLength(1)
  expect(await removeOrphans(fixtures.context.files.storage)).toBe(0) // the file is not old enough
})

test('exports: a connection that is lost between two pages fails instead of shortening the bundle', async () => {
  const { patient } = await queuedCase(fixtures)
  const [row] = await queryAsOwner<{ tenant: string }>(
    fixtures,
    sql`select tenant::text as tenant from test.patients where id = ${patient}`,
  )
  const tenant = row?.tenant ?? ''
  const pool = openPool({
    url: fixtures.database.urls.worker_test,
    size: 1,
    name: 'cut',
    path: 'test, public',
  })
  const { files, base } = fixtures.context
  const subject = {
    mode: 'test' as const,
    tenant,
    organization: fixtures.ada.organization,
    patient,
  }
  await pool.use(async connection => {
    await connection.run(sql`select set_config('app.tenant', ${tenant}, false)`)
    const whole = await assemble({ connection, files, base, object: 'w'.repeat(32) }, subject)
    expect(whole?.size).toBeGreaterThan(0)
    let runs = 0
    const cut: Connection = {
      async run(statement) {
        const rows = await connection.run<never>(statement)
        if (++runs !== 3) return rows
        const sessions = sql`from pg_stat_activity where application_name = 'cut'`
        await queryAsOwner(fixtures, sql`select pg_terminate_backend(pid) ${sessions}`)
        while ((await queryAsOwner(fixtures, sql`select ${sessions}`)).length > 0)
          await Bun.sleep(5)
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
