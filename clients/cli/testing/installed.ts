// The package as people install it: packed, and installed offline into an empty folder. Tests run
// this and not the sources. It is built once per state of the sources.

import { existsSync, mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { packCli } from '../pack.ts'

const root = path.join(import.meta.dir, '../../..')

const sources = [
  'clients/cli/{src,scenarios}/**/*',
  'clients/cli/*.{ts,json,md}',
  'clients/typescript/src/**/*.ts',
  'clients/generate/**/*.ts',
  'contract/**/*.ts',
  'content/docs/*.md',
]

async function stateOfSources(): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256')
  const names = sources.flatMap(one => [...new Bun.Glob(one).scanSync({ cwd: root })])
  for (const name of names.toSorted()) {
    if (/\.(test|suite)\.ts$/.test(name)) continue
    hasher.update(name).update(await Bun.file(path.join(root, name)).bytes())
  }
  return hasher.digest('hex').slice(0, 16)
}

export type Installed = {
  /** The program that npm linked. */
  readonly program: string
  /** The package's folder. */
  readonly folder: string
  readonly tarball: string
}

export async function installedCli(): Promise<Installed> {
  const place = path.join(root, '.data/clients', `cli-${await stateOfSources()}`)
  if (!existsSync(place)) await install(place)
  return {
    program: path.join(place, 'node_modules/.bin/svc'),
    folder: path.join(place, 'node_modules/svc-cli'),
    tarball: path.join(place, 'package.tgz'),
  }
}

async function install(place: string): Promise<void> {
  mkdirSync(path.dirname(place), { recursive: true })
  const made = mkdtempSync(`${place}-`)
  renameSync(await packCli(made), path.join(made, 'package.tgz'))
  writeFileSync(path.join(made, 'package.json'), '{ "name": "program", "private": true }\n')
  const cache = path.join(made, 'empty-cache')
  const command = ['npm', 'install', '--offline', '--no-audit', '--no-fund', '--cache', cache]
  const done = Bun.spawnSync([...command, './package.tgz'], { cwd: made })
  if (done.exitCode !== 0) throw new Error(`${done.stdout}${done.stderr}`)
  // Another process may have been faster; its folder is just as good.
  if (!existsSync(place)) renameSync(made, place)
}
