import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SQL } from 'bun'
import { reserveBallast } from './ballast.ts'
import { type Embedded, startEmbedded } from './server.ts'

const home = mkdtempSync(path.join(tmpdir(), 'keep-'))
const dir = path.join(home, 'postgres')
let server: Embedded | undefined
afterAll(async () => {
  await server?.stop()
  rmSync(home, { recursive: true, force: true })
}, 60_000)

test('embedded: a server that cannot start is retried until it starts', async () => {
  const pauses: number[] = []
  const reasons: string[] = []
  const manyAttempts = Promise.withResolvers<void>()
  const returned = Promise.withResolvers<void>()
  server = await startEmbedded({
    dir,
    password: 'keep',
    durable: false,
    log: reason => reasons.push(reason),
    onChange: change => change === 'returned' && returned.resolve(),
    pause: async milliseconds => {
      pauses.push(milliseconds)
      if (pauses.length === 16) manyAttempts.resolve()
      await new Promise(setImmediate)
    },
  })
  // PostgreSQL doesn't start without this file.
  const control = path.join(dir, 'global', 'pg_control')
  renameSync(control, `${control}.away`)
  process.kill(server.pid, 'SIGKILL')
  await manyAttempts.promise
  expect(pauses.slice(0, 3)).toEqual([50, 100, 200])
  expect(pauses.slice(8, 16)).toEqual(Array.from({ length: 8 }, () => 5000))
  // The killed server's children may still be exiting during the first attempts.
  expect(reasons.filter(reason => reason.includes('pg_control'))).toHaveLength(1)
  // A full disk can truncate the pid file, which PostgreSQL then rejects.
  writeFileSync(path.join(dir, 'postmaster.pid'), '')
  renameSync(`${control}.away`, control)
  await returned.promise
  await using sql = new SQL(server.url, { max: 1 })
  expect((await sql`select 1 as one`)[0].one).toBe(1)
}, 60_000)

test('ballast: is written completely next to the data directory, and stays while the disk has room', async () => {
  const beside = path.join(home, 'other')
  writeFileSync(`${beside}.ballast.part`, 'of an interrupted process')
  await reserveBallast(beside)
  expect(statSync(`${beside}.ballast`).size).toBe(64 * 2 ** 20)
  expect(existsSync(`${beside}.ballast.part`)).toBe(false)
  const { mtimeMs } = statSync(`${beside}.ballast`)
  await reserveBallast(beside)
  expect(statSync(`${beside}.ballast`).mtimeMs).toBe(mtimeMs)
})
