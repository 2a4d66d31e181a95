// The contents of an image built from a working checkout, and the account its programs run as.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { account } from './containers.ts'

const root = path.join(import.meta.dir, '../../..')
const textOf = (name: string) => readFileSync(path.join(root, name), 'utf8')
const linesOf = (name: string) =>
  textOf(name)
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))

const lines = linesOf('.dockerignore')

/** Whether a file is in a build's context. The last line that matches it or one of its folders
 *  decides. */
function isShipped(file: string): boolean {
  const parts = file.split('/')
  const folders = parts.map((_, at) => parts.slice(0, at + 1).join('/'))
  const matches = (line: string) =>
    folders.some(name => new Bun.Glob(line.replace(/^!/, '')).match(name))
  return lines.findLast(line => matches(line))?.startsWith('!') ?? true
}

test('image: has no history, no tests and no secrets, wherever one is planted', () => {
  const planted = ['secrets.json', 'node.key', 'ca.pem', 'gateway.env', '.env', '.env.production']
  const folders = [
    '',
    'out/',
    'deploy/cluster/out/',
    'gateway/',
    'content/docs/',
    'site/',
    '.data/',
  ]
  for (const folder of folders) {
    for (const name of planted) expect([folder + name, isShipped(folder + name)]).toContain(false)
  }
  for (const file of ['.git/config', 'out/authority/ca.key', 'out/db1/patroni.yml', 'notes.txt'])
    expect([file, isShipped(file)]).toEqual([file, false])
  const listed = Bun.spawnSync(['git', 'ls-files'], { cwd: root }).stdout.toString().split('\n')
  const shipped = listed.filter(isShipped)
  const tests = /(^|\/)testing\/|\.(test|suite)\.tsx?$|^e2e\/|^deploy\/test/
  expect(shipped.filter(name => tests.test(name))).toEqual([])
})

test('image: has the files that a site build, a gateway, a worker and a command read', () => {
  const read = [
    'package.json',
    'bun.lock',
    'deploy/install.mjs',
    'deploy/run.mjs',
    'deploy/prune.ts',
    'deploy/sbom.ts',
    'gateway/server/main.ts',
    'gateway/commands/admin.ts',
    'site/astro.config.ts',
    'site/build/build.ts',
    'content/changelog.md',
    'contract/generated/openapi.v1.json',
    'database/migrations/0001_platform.sql',
    'clients/cli/src/families.ts',
  ]
  for (const file of read) expect([file, isShipped(file)]).toEqual([file, true])
})

test('image: uses the containers’ account, and PostgreSQL’s account has a name', () => {
  expect(textOf('deploy/cluster/Containerfile')).toContain(`useradd --uid ${account} `)
  const postgres = textOf('deploy/cluster/Containerfile.postgres')
  expect(postgres).toContain(`groupmod --gid ${account} postgres`)
  expect(postgres).toContain(`usermod --uid ${account} postgres`)
  expect(postgres).toContain(`USER ${account}:${account}\n`)
})
