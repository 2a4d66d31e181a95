// Installs a packed client as users do: offline, into an empty folder, once per version of its
// sources.

import { existsSync, mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const root = path.join(import.meta.dir, '../..')

/** The sources of every client. */
const shared = [
  'clients/generate/**/*.ts',
  'clients/typescript/*.*',
  'clients/typescript/src/**/*.ts',
  'content/site.config.ts',
  'contract/**/*.ts',
]

async function stateOf(sources: readonly string[]): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256')
  const names = [...shared, ...sources].flatMap(pattern => {
    const found = [...new Bun.Glob(pattern).scanSync({ cwd: root })]
    if (found.length === 0) throw new Error(`${pattern} matches no file`)
    return found
  })
  for (const name of names.toSorted()) {
    // Generated files derive from the other files.
    if (/\.(test|suite)\.ts$|\/generated\//.test(name)) continue
    hasher.update(name).update(await Bun.file(path.join(root, name)).bytes())
  }
  return hasher.digest('hex').slice(0, 16)
}

/** Packs into a folder and installs the tarball there, unless these sources are already
 *  installed. */
export async function installOnce(
  name: string,
  sources: readonly string[],
  pack: (to: string) => Promise<string>,
): Promise<{ folder: string; tarball: string }> {
  const folder = path.join(root, '.data/clients', `${name}-${await stateOf(sources)}`)
  const tarball = path.join(folder, 'package.tgz')
  if (existsSync(folder)) return { folder, tarball }
  mkdirSync(path.dirname(folder), { recursive: true })
  const made = mkdtempSync(`${folder}-`)
  renameSync(await pack(made), path.join(made, 'package.tgz'))
  writeFileSync(path.join(made, 'package.json'), '{ "name": "program", "private": true }\n')
  const cache = path.join(made, 'empty-cache')
  const command = ['npm', 'install', '--offline', '--no-audit', '--no-fund', '--cache', cache]
  const done = Bun.spawnSync([...command, './package.tgz'], { cwd: made })
  if (done.exitCode !== 0) throw new Error(`${done.stdout}${done.stderr}`)
  // Another process may have installed the same sources first.
  if (!existsSync(folder)) renameSync(made, folder)
  return { folder, tarball }
}
