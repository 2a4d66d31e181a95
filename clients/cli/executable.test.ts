// This machine's single-file executable, and how Homebrew and Scoop install the other systems'
// executables.

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { formula, scoopManifest, type Target, targets } from './channels.ts'
import { buildExecutable, ownTarget } from './executables.ts'
import { useCli } from './testing/use-cli.ts'

setDefaultTimeout(60_000)
const cli = useCli()

describe.skipIf(ownTarget === undefined)('the executable', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-executable-'))
  let program = ''
  beforeAll(async () => {
    program = await buildExecutable(ownTarget ?? 'linux-x64', folder)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('needs no Node, no packages beside it and no variables from its folder', async () => {
    // An .env file in the working folder must not affect the program.
    writeFileSync(path.join(folder, '.env'), 'SVC_API_KEY=svc_sk_test_of_the_folder\n')
    const run = async (...words: string[]) => {
      const child = Bun.spawn([program, ...words], {
        cwd: folder,
        env: { HOME: cli.shell.home, SVC_BASE_URL: cli.platform.base, KEY: '' },
        stdin: new Blob([cli.platform.key]),
        stdout: 'pipe',
        stderr: 'pipe',
      })
      const [out, err] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
      ])
      return { code: await child.exited, out, err }
    }
    const anonymous = await run('organization', 'get')
    expect([anonymous.code, anonymous.err]).toMatchObject([4, expect.stringContaining('log')])
    expect((await run('login', '--api-key', '-')).code).toBe(0)
    expect((await run('organization', 'get', '--jq', '.mode')).out).toBe('test\n')
    expect((await run('docs', 'webhooks')).out).toStartWith('# Webhooks')
    expect(JSON.parse((await run('openapi')).out)).toHaveProperty('openapi')
    expect((await run('sandbox', 'loop', '--scenario', 'declined')).code).toBe(0)
    const doctor = await run('doctor', '--json')
    expect([doctor.code, JSON.parse(doctor.out).at(-1).check]).toEqual([0, 'realtime'])
    expect((await run('logout')).code).toBe(0)
    expect(readFileSync(program).includes(path.resolve(import.meta.dir, '../..'))).toBe(false)
  })

  test('the formula and the manifest have every target with its URL and hash', () => {
    const all = (Object.keys(targets) as Target[]).map((target, at) => ({
      target,
      name: `svc-1.0.0-${target}.tar.gz`,
      hash: String(at).repeat(64),
    }))
    const about = { version: '1.0.0', license: 'MIT' }
    const from = 'https://downloads.example.com/1.0.0'
    const texts = formula(all, from, about) + scoopManifest(all, from, about)
    for (const { name, hash } of all) {
      expect(texts).toMatch(new RegExp(`"${from}/${name}",?\\s+(sha256|"hash":) "${hash}"`))
    }
    expect(formula(all.slice(0, 1), from, about).match(/url/g)).toHaveLength(1)
    expect(JSON.parse(scoopManifest([], from, about))).toMatchObject({ architecture: {} })
  })
})
