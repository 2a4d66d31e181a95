// Packs the command line into a tarball that installs offline, for `npm run pack`.

import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import manifest from './manifest.json' with { type: 'json' }
import { buildCli } from './build.ts'

const here = import.meta.dir
const clients = path.dirname(here)

/** Writes the package into a folder, and its tarball beside it; returns the tarball's path. */
export async function packCli(to: string = path.join(clients, 'dist')): Promise<string> {
  const folder = path.join(to, 'cli')
  rmSync(folder, { recursive: true, force: true })
  await buildCli(path.join(folder, 'dist'))
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  for (const name of ['README.md', 'CHANGELOG.md']) {
    cpSync(path.join(here, name), path.join(folder, name))
  }
  const license = path.join(clients, 'LICENSE')
  if (existsSync(license)) cpSync(license, path.join(folder, 'LICENSE'))
  const packed = Bun.spawnSync(['npm', 'pack', '--json', '--pack-destination', to, folder])
  if (packed.exitCode !== 0) throw new Error(`${packed.stdout}${packed.stderr}`)
  const [{ filename }] = JSON.parse(packed.stdout.toString()) as [{ filename: string }]
  return path.join(to, filename)
}

if (import.meta.main) console.log(await packCli())
