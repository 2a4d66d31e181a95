// `npm run pack`: writes what integrators install into clients/dist/. Nothing is published by it.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { buildPackage } from './typescript/build.ts'

const here = import.meta.dir
const dist = path.join(here, 'dist')

function run(command: string[], cwd = here): string {
  const done = Bun.spawnSync(command, { cwd, stderr: 'pipe' })
  if (done.exitCode !== 0) throw new Error(`${command.join(' ')}\n${done.stdout}${done.stderr}`)
  return done.stdout.toString().trim()
}

/** The tarball of the TypeScript library; its path. */
export async function packTypescript(to = dist): Promise<string> {
  const folder = path.join(to, 'typescript')
  await buildPackage(folder)
  const packed = run(['npm', 'pack', '--json', '--pack-destination', to, folder])
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }]
  return path.join(to, filename)
}

if (import.meta.main) {
  await rm(dist, { recursive: true, force: true })
  await mkdir(dist, { recursive: true })
  await packTypescript()
  // Each of the others has its own build, and a machine need not be able to run it.
  for (const other of ['python/pack.ts', 'cli/pack.ts']) {
    if (existsSync(path.join(here, other))) run([process.execPath, other])
  }
  for (const name of readdirSync(dist).filter(name => /\.(tgz|whl|tar\.gz|zip)$/.test(name))) {
    const bytes = readFileSync(path.join(dist, name))
    const hash = createHash('sha256').update(bytes).digest('hex')
    console.log(`${hash}  clients/dist/${name}  ${bytes.length} bytes`)
  }
}
