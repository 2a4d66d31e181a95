// A release as an operator installs it: packed, checked, unpacked into an empty folder and started.

import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { packRelease } from './pack.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'release-'))
const unpacked = path.join(folder, 'telehealth')
afterAll(() => rmSync(folder, { recursive: true, force: true }), 300_000)

/** Makes downloads fail. */
const unplugged = { npm_config_registry: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9' }

/** The packages in a packages folder, including nested ones, as `name@version`. */
function packagesIn(modules: string): string[] {
  const names = readdirSync(modules).filter(name => !name.startsWith('.'))
  return names.flatMap(name => {
    const place = path.join(modules, name)
    if (name.startsWith('@')) return packagesIn(place)
    const entries = readdirSync(place)
    const manifest = JSON.parse(readFileSync(path.join(place, 'package.json'), 'utf8'))
    const inside = entries.includes('node_modules')
      ? packagesIn(path.join(place, 'node_modules'))
      : []
    return [`${manifest.name}@${manifest.version}`, ...inside]
  })
}

test('release: the verified file starts without a download, and contains what its list says', async () => {
  await packRelease(folder, 1)
  const names = readdirSync(folder)
  const file = names.find(name => name.endsWith('.tgz')) ?? ''
  const run = (...command: string[]) => Bun.spawnSync(command, { cwd: folder }).exitCode
  expect(run('sha256sum', '--check', 'SHA256SUMS')).toBe(0)
  mkdirSync(unpacked)
  expect(run('tar', '-xzf', file, '-C', unpacked)).toBe(0)

  const list = JSON.parse(
    readFileSync(path.join(folder, file.replace('.tgz', '.cdx.json')), 'utf8'),
  )
  const components: { name: string; version: string }[] = list.components
  const listed = new Set(components.map(({ name, version }) => `${name}@${version}`))
  const held = packagesIn(path.join(unpacked, 'node_modules'))
  expect(held.length).toBeGreaterThan(100)
  expect(held.filter(name => !listed.has(name))).toEqual([])

  const settings = { PORT: '0', DATA_DIR: path.join(folder, 'data'), LOG_FORMAT: 'json' }
  const platform = Bun.spawn(['node', 'deploy/start.mjs', '--verbose'], {
    cwd: unpacked,
    env: { PATH: process.env['PATH'], HOME: folder, ...unplugged, ...settings },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  let printed = ''
  let base: string | undefined
  for await (const part of platform.stdout.pipeThrough(new TextDecoderStream())) {
    printed += part
    base = /http:\/\/localhost:\d+/.exec(printed)?.[0]
    if (base !== undefined && /svc_sk_test_/.test(printed)) break
  }
  const [home, ready] = await Promise.all([fetch(`${base}/`), fetch(`${base}/api/ready`)])
  platform.kill('SIGTERM')
  expect([home.status, ready.status, await platform.exited]).toEqual([200, 200, 0])
}, 1_800_000)
