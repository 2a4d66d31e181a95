import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync, mkdirSync, existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SQL } from 'bun'
import { startEmbedded, type Embedded } from './server.ts'

const home = mkdtempSync(path.join(tmpdir(), 'embedded-'))
const dir = path.join(home, 'postgres')
const running: Embedded[] = []
afterAll(async () => {
  for (const each of running) await each.stop()
  rmSync(home, { recursive: true, force: true })
})

async function start(options: Partial<Parameters<typeof startEmbedded>[0]> = {}) {
  const embedded = await startEmbedded({ dir, password: 'p@ss/word', ...options })
  running.push(embedded)
  return embedded
}

async function rows(embedded: Embedded): Promise<number> {
  await using sql = new SQL(embedded.url, { max: 1 })
  const [{ n }] = await sql`select count(*)::int as n from kept`
  return n
}

test('embedded: recovers from an interrupted first start', async () => {
  mkdirSync(`${dir}.new`)
  writeFileSync(path.join(`${dir}.new`, 'PG_VERSION'), '18')
  const embedded = await start()
  await using sql = new SQL(embedded.url, { max: 1 })
  await sql`create table kept (id int primary key)`
  await sql`insert into kept select generate_series(1, 1000)`
  expect(await rows(embedded)).toBe(1000)
}, 60_000)

test('embedded: restarts a killed server on the same port with its data', async () => {
  const changes: string[] = []
  const returned = Promise.withResolvers<void>()
  const embedded = await start({
    onChange: change => {
      changes.push(change)
      if (change === 'returned') returned.resolve()
    },
  })
  expect(embedded.reused).toBe(true)
  const { port, pid } = embedded
  process.kill(pid, 'SIGKILL')
  await returned.promise
  expect(changes).toEqual(['died', 'returned'])
  expect(embedded.port).toBe(port)
  expect(embedded.pid).not.toBe(pid)
  expect(await rows(embedded)).toBe(1000)
}, 60_000)

test('embedded: two simultaneous processes share one server', async () => {
  await Promise.all(running.splice(0).map(each => each.stop()))
  const [one, two] = await Promise.all([start(), start()])
  expect(one.pid).toBe(two.pid)
  expect([one.reused, two.reused].sort()).toEqual([false, true])
}, 60_000)

test('embedded: stop leaves no process and no pid file, and the next start uses the same port', async () => {
  const before = running.at(-1)
  await Promise.all(running.splice(0).map(each => each.stop()))
  expect(existsSync(path.join(dir, 'postmaster.pid'))).toBe(false)
  const after = await start()
  expect(after.port).toBe(before?.port ?? 0)
  expect(after.reused).toBe(false)
  expect(await rows(after)).toBe(1000)
}, 60_000)

test('embedded: reports a wrong password in one sentence', async () => {
  await expect(startEmbedded({ dir, password: 'other' })).rejects.toThrow(/secrets\.json/)
}, 60_000)

test('embedded: refuses another major version’s data in one sentence', async () => {
  const old = path.join(home, 'old')
  mkdirSync(old)
  writeFileSync(path.join(old, 'PG_VERSION'), '15\n')
  const { uid } = await Bun.file(path.join(dir, 'PG_VERSION')).stat()
  const { chownSync } = await import('node:fs')
  if (process.getuid?.() === 0) chownSync(old, uid, uid)
  await expect(startEmbedded({ dir: old, password: 'x' })).rejects.toThrow(
    /created by PostgreSQL 15/,
  )
})
