// The runbooks' SQL works on a database that was prepared as in production, where the owner isn't
// a superuser: `admin sql` runs as the owner, psql as the server's superuser.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SQL } from 'bun'
import { type Embedded, startEmbedded } from '#database/embedded/server.ts'
import { migrate } from '#database/migrate.ts'
import { read, root } from './testing/pages.ts'

const runbooks = ['deploy/README.md', 'deploy/observe/README.md']
const texts = (await Promise.all(runbooks.map(read))).map(text => text.replaceAll(/\s+/g, ' '))
const folder = mkdtempSync(path.join(tmpdir(), 'runbooks-'))
let server: Embedded
let superuser: SQL
let owner: SQL

beforeAll(async () => {
  const dir = path.join(folder, 'postgres')
  server = await startEmbedded({ dir, password: 'password', durable: false, watch: false })
  await using app = new SQL(server.url, { max: 1 })
  for (const statement of preparation()) await app.unsafe(statement)
  await app.unsafe(`alter role production password 'password'`)
  const url = new URL(server.url)
  url.pathname = '/telehealth'
  superuser = new SQL(url.href, { max: 1 })
  url.username = 'production'
  owner = new SQL(url.href, { max: 1 })
  await migrate(owner)
}, 120_000)
afterAll(async () => {
  await owner.close()
  await superuser.close()
  await server.stop()
  rmSync(folder, { recursive: true })
})

/** One machine's SQL, without settings that need a restart. The embedded server's superuser already
 *  has the owner's name. */
function preparation(): string[] {
  const node = path.join(folder, 'node')
  const values = path.join(root, 'deploy/one-machine/values.yaml')
  const program = path.join(root, 'deploy/one-machine/write.ts')
  const { exitCode } = Bun.spawnSync([
    process.execPath,
    program,
    `--values=${values}`,
    `--out=${node}`,
  ])
  expect(exitCode).toBe(0)
  const [first = ''] = readFileSync(path.join(node, 'prepare.sql'), 'utf8').split('-- These take')
  return first.replaceAll(/\bapp\b/g, 'production').split(';')
}

const statementsAfter = (command: RegExp) =>
  texts.flatMap(text => [...text.matchAll(command)].map(({ groups }) => groups?.['sql'] ?? ''))

test('runbooks: the owner may run what `admin sql` runs, and sees the rows', async () => {
  const statements = statementsAfter(/npm run admin -- sql (?<quote>["'])(?<sql>.+?)\k<quote>/g)
  expect(statements.length).toBeGreaterThan(5)
  for (const statement of statements) {
    await owner.unsafe(statement)
    if (!statement.startsWith('select')) continue
    // PostgreSQL's plan if a table's policies hide every row.
    const plan = JSON.stringify(await owner.unsafe(`explain ${statement}`))
    expect([statement, plan.includes('One-Time Filter: false')]).toEqual([statement, false])
  }
})

test('runbooks: what psql runs works for the superuser', async () => {
  const statements = statementsAfter(/ -c "(?<sql>.+?)"/g)
  expect(statements.length).toBeGreaterThan(4)
  const [session] = await owner`select pg_backend_pid() as pid`
  await superuser`select pg_create_physical_replication_slot('unused')`
  for (const statement of statements) {
    const filled = statement.replace('<pid>', session.pid).replace('<slot>', 'unused')
    await superuser.unsafe(filled)
  }
  expect([...(await superuser`select from pg_replication_slots`)]).toEqual([])
})
