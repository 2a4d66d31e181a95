// The package as integrators install it: packed, and installed offline into an empty folder. Tests
// use this and not the sources. It is built once per state of the sources.

import { existsSync, mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { packTypescript } from '../../pack.ts'
import type * as Sdk from '../src/sdk.ts'
import type * as Testing from '../src/testing.ts'
import type * as Webhooks from '../src/webhooks.ts'

const here = path.dirname(import.meta.dir)
const root = path.join(here, '../..')

/** Hashes everything the package is built from. */
async function stateOfSources(): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256')
  const names = ['src/**/*.ts', '*.*'].flatMap(glob => [
    ...new Bun.Glob(glob).scanSync({ cwd: here }),
  ])
  for (const name of names.toSorted()) {
    if (!name.endsWith('.test.ts')) hasher.update(await Bun.file(path.join(here, name)).bytes())
  }
  return hasher.digest('hex').slice(0, 16)
}

/** A folder with the installed package, and the tarball. */
export async function installedPackage(): Promise<{ folder: string; tarball: string }> {
  const folder = path.join(root, '.data/clients', await stateOfSources())
  const tarball = path.join(folder, 'package.tgz')
  if (existsSync(folder)) return { folder, tarball }
  mkdirSync(path.dirname(folder), { recursive: true })
  const made = mkdtempSync(`${folder}-`)
  renameSync(await packTypescript(made), path.join(made, 'package.tgz'))
  writeFileSync(path.join(made, 'package.json'), '{ "name": "program", "private": true }\n')
  const install = ['npm', 'install', '--offline', '--no-audit', '--no-fund', './package.tgz']
  const done = Bun.spawnSync(install, { cwd: made })
  if (done.exitCode !== 0) throw new Error(`${done.stdout}${done.stderr}`)
  // Another process may have been faster; its folder is just as good.
  if (!existsSync(folder)) renameSync(made, folder)
  return { folder, tarball }
}

const fileOf = async (name: string) => {
  const { folder } = await installedPackage()
  return path.join(folder, 'node_modules/@svc/sdk/esm', `${name}.js`)
}

export const sdk = (await import(await fileOf('index'))) as typeof Sdk
export const webhooks = (await import(await fileOf('webhooks'))) as typeof Webhooks
export const testing = (await import(await fileOf('testing'))) as typeof Testing
