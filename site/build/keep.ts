// Pages that Astro doesn't need to render again stay in its output folder as hard links, with their
// compressed versions. Astro would copy each page from its cache, which creates a new file. After
// thousands of deletions, as when one build replaces another, ext4 takes up to a millisecond per
// new file. A link takes 15 µs.
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { linkOrCopy, move, versionsOf } from './write.ts'

const own = join(import.meta.dir, '..', '.astro')
const cache = join(own, 'cache')

/** The output folder never changes, because Astro's cache works for only one output folder. */
export const outDir = join(own, 'dist')

/** The files that a build has written. A finished build removes the list. */
const journal = join(own, 'written')

/** Astro's manifest of pages that the next build may skip. */
type Manifest = { routes: Record<string, { paths: Record<string, { outputFile: string }> }> }

function keptFiles(): string[] {
  const file = join(cache, 'incremental-build.json')
  if (!existsSync(file)) return []
  const { routes }: Manifest = JSON.parse(readFileSync(file, 'utf8'))
  const pages = Object.values(routes).flatMap(({ paths }) => Object.values(paths))
  return pages.map(({ outputFile }) => decodeURI(outputFile))
}

const writtenFiles = (): string[] =>
  existsSync(journal) ? readFileSync(journal, 'utf8').split('\n').filter(Boolean) : []

/**
 * Returns the previous build's files. Removes pages that an unfinished build left here and in
 * Astro's cache, because Astro would mistake them for the previous build's.
 */
export function beginBuild(): string[] {
  if (existsSync(journal)) {
    for (const file of writtenFiles()) rmSync(join(cache, 'dist', file), { force: true })
    rmSync(outDir, { recursive: true, force: true })
    rmSync(journal)
  }
  return keptFiles()
}

/** Removes a file before it is rewritten, because the existing file may belong to the served
 *  site. */
export function removeVersions(file: string): void {
  appendFileSync(journal, `${file}\n`)
  for (const version of versionsOf(join(outDir, file))) rmSync(version)
}

/** Moves the finished build into place, without pages that no longer exist. The next build
 *  starts with the pages that it may keep. */
export async function finishBuild(into: string, before: readonly string[]): Promise<void> {
  const next = `${outDir}.next`
  rmSync(next, { recursive: true, force: true })
  const files = keptFiles()
  const made = new Set([...files, ...writtenFiles()])
  for (const file of before.filter(each => !made.has(each))) removeVersions(file)
  for (const folder of new Set(files.map(dirname))) {
    mkdirSync(join(next, folder), { recursive: true })
  }
  for (const version of files.flatMap(file => versionsOf(join(outDir, file)))) {
    linkOrCopy(version, next + version.slice(outDir.length))
  }
  await move(outDir, into)
  renameSync(next, outDir)
  rmSync(journal, { force: true })
}
