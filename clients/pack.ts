// `npm run pack` writes the packages that integrators install to clients/dist/, and prints each
// file's SHA-256. `npm run pack -- typescript` writes only the TypeScript package. `npm run pack --
// platform` packs the platform that `svc dev` starts without a checkout. `npm run pack -- release`
// packs what an operator installs, with a package list and SHA256SUMS. `npm run pack -- executables
// https://…` packs the CLI for machines without Node. Nothing is published.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { packPlatform } from './platform.ts'
import { buildPackage } from './typescript/build.ts'

const here = import.meta.dir
const dist = path.join(here, 'dist')

/** The URL where the executables will be published. */
const from = process.argv.filter(word => word.startsWith('https://'))

function run(command: string[], cwd = here): string {
  const done = Bun.spawnSync(command, { cwd, stderr: 'pipe' })
  if (done.exitCode !== 0) throw new Error(`${command.join(' ')}\n${done.stdout}${done.stderr}`)
  return done.stdout.toString().trim()
}

/** Packs the TypeScript library; returns the tarball's path. */
export async function packTypescript(to = dist): Promise<string> {
  const folder = path.join(to, 'typescript')
  await buildPackage(folder)
  const packed = run(['npm', 'pack', '--json', '--pack-destination', to, folder])
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }]
  return path.join(to, filename)
}

/** Packers by folder name. All but `typescript` run the folder's own pack.ts. */
const packers: Readonly<Record<string, () => Promise<unknown>>> = {
  typescript: () => packTypescript(),
  ...Object.fromEntries(
    ['python', 'cli']
      .filter(name => existsSync(path.join(here, name, 'pack.ts')))
      .map(name => [name, async () => console.error(run([process.execPath, `${name}/pack.ts`]))]),
  ),
}

/** The files that users install, each with its hash. */
export const packed = (folder = dist): { name: string; hash: string; bytes: number }[] =>
  readdirSync(folder)
    .filter(name => /\.(tgz|whl|tar\.gz|zip|cdx\.json)$/.test(name))
    .toSorted()
    .map(name => {
      const bytes = readFileSync(path.join(folder, name))
      const hash = createHash('sha256').update(bytes).digest('hex')
      return { name, hash, bytes: bytes.length }
    })

/** Adds packers that run only when named, because they take minutes. */
const named: typeof packers = {
  ...packers,
  platform: () => packPlatform(dist),
  executables: async () => console.error(run([process.execPath, 'cli/executables.ts', ...from])),
  release: () => packRelease(dist),
}

/** Packs what an operator unpacks: the platform, its list of packages, and the hashes. */
export async function packRelease(to: string, level?: number): Promise<void> {
  const archive = await packPlatform(to, level)
  const list = run(['node', path.join(here, '../deploy/run.mjs'), 'deploy/sbom.ts'])
  writeFileSync(archive.replace(/\.tgz$/, '.cdx.json'), list)
  const lines = packed(to).map(({ name, hash }) => `${hash}  ${name}\n`)
  writeFileSync(path.join(to, 'SHA256SUMS'), lines.join(''))
}

if (import.meta.main) {
  const wanted = process.argv.slice(2).filter(word => !from.includes(word))
  const unknown = wanted.filter(name => !(name in named))
  if (unknown.length > 0) {
    console.error(`Unknown: ${unknown.join(', ')}. Choose from ${Object.keys(named).join(', ')}.`)
    process.exit(2)
  }
  await mkdir(dist, { recursive: true })
  for (const name of wanted.length > 0 ? wanted : Object.keys(packers)) {
    await named[name]?.()
  }
  for (const { name, hash } of packed()) console.log(`${hash}  clients/dist/${name}`)
}
