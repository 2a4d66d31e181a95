// Runs the Python library's tests: installs its wheel offline into a separate environment, then
// tests it against the platform in one Python process. PYTHON_VERSIONS="3.9 3.13" repeats this for
// each version.

import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fixturesBase } from '#clinical/testing/fixtures.ts'
import { openTestWorker } from '#clinical/deliveries/engine/testing/worker.ts'
import { openGateway } from '#gateway/testing/subscribers.ts'
import { openPlatform } from '#gateway/testing/authorization.ts'
import { issueCredentials } from '#gateway/testing/authorizing.ts'
import { model } from '../generate/model.ts'
import { snake } from '#contract/derive/names.ts'
import { expectOutcomes, openMatrix } from '../testing/matrix.ts'
import { findPython, packPython } from './pack.ts'

const here = import.meta.dir
const versions = process.env['PYTHON_VERSIONS']?.split(' ')
/** The long run writes and reads SDK_ROWS rows. */
const patienceMs = 300_000 + Number(process.env['SDK_ROWS'] ?? 0) * 50
const names = versions?.map(version => `python${version}`) ?? ['python3', 'python']
const canInstall = (python: string) =>
  Bun.spawnSync([python, '-c', 'import pip, venv']).exitCode === 0
const usable = names.filter(name => findPython([name]) !== null && canInstall(name))
const found = usable[0] ?? null
if (found === null) {
  console.log('The Python library was not tested: there is no Python 3.9 with pip and venv here.')
}

/** Python blocks from the documents, as `file:line` and text. */
function examples(): [string, string][] {
  return ['README.md', '../../content/docs/sdks.md'].flatMap(name => {
    const text = readFileSync(path.join(here, name), 'utf8')
    return [...text.matchAll(/^```python\n([^]*?)^```$/gm)].map((block): [string, string] => [
      `${path.basename(name)}:${text.slice(0, block.index).split('\n').length}`,
      block[1] ?? '',
    ])
  })
}

const vectors = path.resolve(here, '../../contract/vectors/webhook-signatures.json')

/** Test input that doesn't need a running platform. */
const known = () => ({
  vectors: JSON.parse(readFileSync(vectors, 'utf8')).vectors,
  documents: examples(),
  names: model.operations.map(({ resource, verb }) => [...resource, verb].map(snake).join('.')),
  event_types: model.events.map(({ type }) => type),
  problems: Object.fromEntries(model.problems.map(({ code, className }) => [code, className])),
  examples: Object.fromEntries(
    model.operations.flatMap(({ result, answer }) =>
      result.kind === 'resource' ? [[result.type, answer]] : [],
    ),
  ),
})

async function openGiven() {
  const platform = await openPlatform()
  const running = await platform.start()
  const { integration, test: key, live } = platform.fixtures.ada
  const [sockets, worker] = await Promise.all([
    openGateway(platform.fixtures),
    openTestWorker(platform.fixtures),
  ])
  const { mint } = await issueCredentials(platform, integration)
  const scopes = ['organization:read'] as const
  const narrow = { integration, mode: 'test', name: 'One scope', scopes: [...scopes] } as const
  const api = new URL((await running.call('/v1/organization')).url).origin
  const { client_id, client_secret } = mint
  return {
    given: {
      ...known(),
      api,
      sockets: new URL(sockets.http).origin,
      public: fixturesBase,
      key,
      live,
      narrow: await platform.fixtures.key(narrow),
      client: { client_id, client_secret, auth_url: running.issuer },
    },
    async close() {
      await Promise.all([sockets.close(), worker.stop()])
      await running.stop()
      await platform.close()
    },
  }
}

type Ran = { readonly code: number; readonly text: string }

async function run(command: string[], env: Record<string, string> = {}): Promise<Ran> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(SVC|PYTHON)/.test(name))
  const child = Bun.spawn(command, {
    cwd: here,
    env: { ...(Object.fromEntries(inherited) as Record<string, string>), ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { code: await child.exited, text: out + err }
}

const environments = mkdtempSync(path.join(tmpdir(), 'python-'))
afterAll(() => rmSync(environments, { recursive: true, force: true }))
const installed = new Map<string, Promise<string>>()

/** Installs the wheel into a separate environment, once for each Python. */
function install(python: string): Promise<string> {
  const made = installed.get(python) ?? environment(python, path.join(environments, python))
  installed.set(python, made)
  return made
}

async function environment(python: string, own: string): Promise<string> {
  const [wheel] = packPython(python, environments)
  const made = await run([python, '-m', 'venv', '--without-pip', own])
  expect(made).toEqual({ code: 0, text: '' })
  const inside = path.join(own, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python')
  const options = ['--no-index', '--quiet', '--disable-pip-version-check']
  const pip = await run([python, '-m', 'pip', '--python', own, 'install', ...options, wheel])
  expect(pip.code, pip.text).toBe(0)
  return inside
}

for (const python of versions ? names : [found ?? 'python3']) {
  test.skipIf(!usable.includes(python))(
    `${python}: the wheel installs offline and passes its tests`,
    async () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'wheel-'))
      const { given, close } = await openGiven()
      try {
        const inside = await install(python)
        const file = path.join(folder, 'given.json')
        writeFileSync(file, JSON.stringify(given))
        const command = [inside, '-W', 'error', '-m', 'unittest', 'discover', '-s', 'tests']
        const { code, text } = await run(command, { SDK_TEST: file })
        expect(code, text).toBe(0)
        const count = Number(/^Ran (\d+) tests/m.exec(text)?.[1])
        expect(count, text).toBeGreaterThan(40)
      } finally {
        await close()
        rmSync(folder, { recursive: true })
      }
    },
    patienceMs,
  )
}

/** Type-checks the installed library, a program that uses it, and the examples. */
async function checkTypes(python: string, folder: string): Promise<Ran[]> {
  const inside = await install(python)
  const programs = examples().map(([name, text]) => {
    const file = path.join(folder, `${name.replaceAll(/\W/g, '_')}.py`)
    writeFileSync(file, text)
    return file
  })
  const checked = [path.join(here, 'tests', 'typed_program.py'), ...programs]
  const pyright = path.resolve(here, '../../node_modules/.bin/pyright')
  const chosen = ['--pythonpath', inside, '--pythonversion', '3.9']
  const config = path.join(folder, 'mypy.ini')
  writeFileSync(config, '[mypy]\n')
  const mypy = ['mypy', '--strict', '--config-file', config, '--python-executable', inside]
  const checkers = [
    [pyright, ...chosen, ...checked, path.join(here, 'src', 'svc')],
    ...(Bun.which('mypy') === null
      ? []
      : [
          [...mypy, '--cache-dir', folder, ...programs, checked[0] ?? ''],
          [...mypy, '--cache-dir', folder, '-p', 'svc'],
        ]),
  ]
  const ran: Ran[] = []
  for (const command of checkers) ran.push(await run(command))
  const complete = [pyright, ...chosen.slice(0, 2), '--verifytypes', 'svc', '--ignoreexternal']
  const search = `${path.dirname(inside)}:${process.env['PATH']}`
  ran.push(await run(complete, { VIRTUAL_ENV: path.dirname(path.dirname(inside)), PATH: search }))
  return ran
}

for (const python of versions ? names : [found ?? 'python3']) {
  test.skipIf(!usable.includes(python))(
    `${python}: both clients match the fault matrix`,
    async () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'matrix-'))
      const { given, authority, close } = await openMatrix()
      try {
        const inside = await install(python)
        const [file, trusted] = ['given.json', 'authority.pem'].map(name => path.join(folder, name))
        writeFileSync(file ?? '', JSON.stringify(given))
        writeFileSync(trusted ?? '', authority)
        const command = [inside, '-W', 'error', 'tests/matrix.py', file ?? '']
        const { code, text } = await run(command, { SSL_CERT_FILE: trusted ?? '' })
        expect(code, text).toBe(0)
        expectOutcomes(text, 2 * 50)
      } finally {
        await close()
        rmSync(folder, { recursive: true })
      }
    },
    patienceMs,
  )
}

test.skipIf(found === null)(
  'types: pyright, and mypy if installed, find no error in the library or its examples, and every public type is known',
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'types-'))
    try {
      const ran = await checkTypes(found ?? '', folder)
      if (Bun.which('mypy') === null) console.log('mypy is not installed: only pyright ran.')
      expect(ran.length).toBeGreaterThan(0)
      for (const { code, text } of ran) expect(code, text).toBe(0)
      expect(ran.at(-1)?.text).toContain('Type completeness score: 100%')
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
  300_000,
)

test.skipIf(found === null)('pack: the same sources produce the same bytes', () => {
  const folders = ['one', 'other'].map(() => mkdtempSync(path.join(tmpdir(), 'packed-')))
  const [one, other] = folders.map(folder =>
    packPython(found ?? '', folder).map(file => Bun.hash(readFileSync(file))),
  )
  for (const folder of folders) rmSync(folder, { recursive: true })
  expect(one?.length).toBe(2)
  expect(one).toEqual(other)
})
