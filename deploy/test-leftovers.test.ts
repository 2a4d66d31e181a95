import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const memory = mkdtempSync(path.join(tmpdir(), 'memory-'))
afterAll(() => rmSync(memory, { recursive: true }))

const nodeOptions = { cwd: path.join(import.meta.dir, '..'), stdout: 'pipe' } as const
/** The results of the file's functions, run in Node. */
async function inNode(shown: string): Promise<string[]> {
  const script = `import { endKilled, endLeftovers } from './deploy/test-leftovers.mjs'
    import fs from 'node:fs'
    console.log(JSON.stringify((await ${shown}) ?? []))`
  const child = Bun.spawn(['node', '--input-type=module', '--eval', script], nodeOptions)
  return JSON.parse(await new Response(child.stdout).text())
}

/** The id of a run that has ended. */
async function endedRun(): Promise<number> {
  const child = Bun.spawn(['true'])
  await child.exited
  return child.pid
}

const listens = 'console.log(Bun.serve({ port: 0, fetch: () => new Response() }).port)'
const bun = (script: string, words: string[] = []) => [process.execPath, '-e', script, ...words]

/** A process that listens, and its port. */
async function listening(command: string[], env: Record<string, string>) {
  const child = Bun.spawn(command, { env, stdout: 'pipe' })
  let port = ''
  for await (const chunk of child.stdout) {
    port = Buffer.from(chunk).toString().trim()
    break
  }
  return { child, port }
}

test('a run names the processes it left behind, with their ports, and ends them', async () => {
  const run = await endedRun()
  const folder = path.join(memory, `tests-${run}-a`)
  mkdirSync(folder)
  const marked = await listening(bun(listens), { TEST_RUN: `${run}` })
  // Like a PostgreSQL server, which gets its own environment.
  const inside = await listening(bun(listens, [`${folder}/postgres`]), {})
  const other = await listening(bun(listens), { TEST_RUN: `${process.pid}` })
  const left = await inNode(`endLeftovers(${run}, { seconds: 0 })`)
  for (const { child, port } of [marked, inside]) {
    expect(
      left.filter(line => line.startsWith(`process ${child.pid} on port ${port}:`)),
    ).toHaveLength(1)
    expect(await child.exited).toBe(137)
  }
  expect(left).toHaveLength(2)
  expect(other.child.exitCode).toBeNull()
  other.child.kill()
})

test('a run waits for exiting processes, and then names nothing', async () => {
  const run = await endedRun()
  const file = path.join(memory, 'over')
  const script = `while (!require('fs').existsSync('${file}')) Bun.sleepSync(10)`
  const child = Bun.spawn(bun(script), { env: { TEST_RUN: `${run}` } })
  const left = inNode(`endLeftovers(${run}, { seconds: 60 })`)
  writeFileSync(file, '')
  expect(await left).toEqual([])
  expect(await child.exited).toBe(0)
})

test('a run removes its folder, or names it if it could not', async () => {
  const [run, folder] = [await endedRun(), path.join(memory, 'folder')]
  mkdirSync(folder)
  const given = `folder: '${folder}', seconds: 0`
  expect(await inNode(`endLeftovers(${run}, { ${given} })`)).toEqual([`folder ${folder}`])
  const remove = `remove: () => fs.rmSync('${folder}', { recursive: true })`
  expect(await inNode(`endLeftovers(${run}, { ${given}, ${remove} })`)).toEqual([])
})

test.skipIf(Bun.which('ipcmk') === null)(
  'a run names and removes a killed server’s shared memory',
  async () => {
    const made = Bun.spawnSync(['ipcmk', '-M', '4096']).stdout.toString()
    const id = Number(/\d+/.exec(made)?.[0])
    const folder = path.join(memory, 'servers')
    mkdirSync(path.join(folder, 'postgres'), { recursive: true })
    const lines = [1, folder, 0, 5432, '', '127.0.0.1', ` 1234  ${id}`, 'ready']
    writeFileSync(path.join(folder, 'postgres', 'postmaster.pid'), lines.join('\n'))
    const given = `folder: '${folder}', remove: () => fs.rmSync('${folder}', { recursive: true })`
    const run = await endedRun()
    expect(await inNode(`endLeftovers(${run}, { ${given} })`)).toEqual([`shared memory ${id}`])
    expect(Bun.spawnSync(['ipcrm', '-m', String(id)], { stderr: 'ignore' }).exitCode).not.toBe(0)
  },
)

test.skipIf(!existsSync('/dev/shm'))('ending a server frees all of its shared memory', async () => {
  const segment = `/dev/shm/PostgreSQL.${process.pid}${Date.now()}`
  writeFileSync(segment, 'x'.repeat(4096))
  const run = await endedRun()
  const script = `globalThis.kept = Bun.mmap('${segment}'); ${listens}`
  const { child } = await listening(bun(script), { TEST_RUN: `${run}` })
  expect(await inNode(`endLeftovers(${run}, { seconds: 0 })`)).toHaveLength(1)
  expect(await child.exited).toBe(137)
  expect(existsSync(segment)).toBe(false)
})

test('the next run ends a killed run’s leftovers', async () => {
  const { child } = await listening(bun(listens), { TEST_RUN: `${await endedRun()}` })
  const other = await listening(bun(listens), { TEST_RUN: `${process.pid}` })
  await inNode('endKilled()')
  expect(await child.exited).toBe(137)
  expect(other.child.exitCode).toBeNull()
  other.child.kill()
})
