// Messages that `npm start` prints before it installs anything, if the platform can't start.
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

async function start(environment: Readonly<Record<string, string>> = {}) {
  const none = { AUTH_PORT: '', MCP_PORT: '', PORTAL_PORT: '', CONSOLE_PORT: '' }
  const own = { PORT: String(server.port), HOST: '', DATA_DIR: '', ...none }
  const child = Bun.spawn(['node', 'deploy/start.mjs'], {
    cwd: checkout,
    env: { ...process.env, ...own, ...environment },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [printed, code] = await Promise.all([new Response(child.stderr).text(), child.exited])
  return { printed, code }
}

test('start: a port in use is named with its process, before anything is installed', async () => {
  const { printed, code } = await start()
  const { port = 0 } = server
  expect(code).toBe(1)
  expect(printed).toMatch(
    new RegExp(
      `^Port ${port} is already in use by bun\\S* \\(process ${process.pid}\\)(\\. Stop it|, and port)`,
    ),
  )
  // The next ports may also be in use.
  expect(printed).toMatch(/: PORT=\d+ npm start\n/)
  expect(['node_modules', '.data'].some(name => existsSync(path.join(checkout, name)))).toBe(false)
})

test('start: another module’s port is also named, with the setting that changes it', async () => {
  const { port = 0 } = server
  const held = `is already in use by bun\\S* \\(process ${process.pid}\\)`
  const derived = await start({ PORT: String(port - 2) })
  expect(derived.code).toBe(1)
  // Other programs may use the ports before and after this port.
  expect(derived.printed).toMatch(new RegExp(`[Pp]ort ${port} ${held}`))
  expect(Number(/PORT=(\d+) npm start/.exec(derived.printed)?.[1])).toBeGreaterThan(port)
  const other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const beside = other.port
  const both = await start({ PORT: String(port), CONSOLE_PORT: String(beside) })
  await other.stop(true)
  expect(both.printed).toMatch(new RegExp(`^Port ${port} ${held}.*, and port ${beside} ${held}`))
  expect(both.printed).toMatch(
    /Stop them, or choose other ports: CONSOLE_PORT=\d+ PORT=\d+ npm start\n/,
  )
})

test('start: a second start in the same folder names the first', async () => {
  mkdirSync(path.join(checkout, '.data'))
  writeFileSync(path.join(checkout, '.data', 'app.state'), `ready ${process.pid}`)
  const { printed, code } = await start()
  expect([code, printed]).toEqual([
    1,
    expect.stringContaining(`already running from this folder, on port ${server.port}`),
  ])
})

test('commands: each program first installs missing packages, so it works in a new checkout', async () => {
  const { scripts } = await Bun.file(path.join(root, 'package.json')).json()
  const others = Object.entries<string>(scripts).filter(
    ([, line]) => !line.split('&&').every(each => /^(exec )?node deploy\//.test(each.trim())),
  )
  expect(others).toEqual([])
})

test('commands: an option that a command doesn’t have is named, and nothing runs', async () => {
  const { scripts } = await Bun.file(path.join(root, 'package.json')).json()
  const refusals = Object.entries<string>(scripts).map(async ([name, line]) => {
    // As npm runs it: an option goes to the last of several programs.
    const last = line.split('&&').at(-1)
    const child = Bun.spawn(['sh', '-c', `${last} --nonsense`], {
      cwd: root,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const streams = [child.stdout, child.stderr].map(stream => new Response(stream).text())
    const printed = (await Promise.all(streams)).join('')
    return { name, code: await child.exited, isNamed: printed.includes('--nonsense') }
  })
  expect(await Promise.all(refusals)).toEqual(
    Object.keys(scripts).map(name => ({ name, code: 2, isNamed: true })),
  )
})
