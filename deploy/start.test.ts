// What `npm start` says when it cannot start, before anything is installed.
import { afterAll, expect, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const root = path.join(import.meta.dir, '..')
const checkout = mkdtempSync(path.join(tmpdir(), 'start-'))
for (const name of ['package.json', 'bun.lock', 'deploy']) {
  cpSync(path.join(root, name), path.join(checkout, name), { recursive: true })
}
const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
afterAll(async () => {
  await server.stop(true)
  rmSync(checkout, { recursive: true, force: true })
})

async function start() {
  const child = Bun.spawn(['node', 'deploy/start.mjs'], {
    cwd: checkout,
    env: { ...process.env, PORT: String(server.port), HOST: '', DATA_DIR: '' },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [printed, code] = await Promise.all([new Response(child.stderr).text(), child.exited])
  return { printed, code }
}

test('start: a port that is in use is named with its process, before anything is installed', async () => {
  const { printed, code } = await start()
  const { port = 0 } = server
  expect(code).toBe(1)
  expect(printed).toMatch(
    new RegExp(
      `^Port ${port} is already in use by bun\\S* \\(process ${process.pid}\\)\\. Stop it`,
    ),
  )
  expect(printed).toContain(`PORT=${port + 1} npm start\n`)
  expect(['node_modules', '.data'].some(name => existsSync(path.join(checkout, name)))).toBe(false)
})

test('start: a second start in the same folder names the first', async () => {
  mkdirSync(path.join(checkout, '.data'))
  writeFileSync(path.join(checkout, '.data', 'app.state'), `ready ${process.pid}`)
  const { printed, code } = await start()
  expect([code, printed]).toEqual([
    1,
    expect.stringContaining(`already running from this folder, at port ${server.port}`),
  ])
})
