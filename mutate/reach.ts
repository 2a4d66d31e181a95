// Finds the tests that reach a file: its direct and indirect importers, nearest first.
import path from 'node:path'
import { imports } from '#tidy/rules.ts'

export type Source = { path: string; text: string }

/** Excludes benchmarks, which import everything that they measure and catch no faults, and the
 *  repository's rules, which don't test a single file. */
const isTest = (file: string) => /^(?!bench\/).+\/.+\.test\.tsx?$/.test(file)

/** For each file, the files that import it, or that contain its name to start it as a process. */
export function importersOf(sources: readonly Source[]): Map<string, string[]> {
  const byName = Map.groupBy(sources, source => path.posix.basename(source.path))
  const importers = new Map<string, string[]>()
  for (const source of sources) {
    const started = [...source.text.matchAll(/['/]([\w.-]+\.ts)['"`]/g)].flatMap(found => {
      const named = byName.get(found[1] ?? '') ?? []
      return named.length === 1 ? named.map(one => one.path) : []
    })
    for (const target of new Set([...imports(source).map(one => one.target), ...started])) {
      if (target !== source.path)
        importers.set(target, [...(importers.get(target) ?? []), source.path])
    }
  }
  return importers
}

/**
 * The tests that reach a file: tests in its folder first, then tests in its module, then all other
 * tests, each group by distance.
 */
export function testsOf(file: string, importers: ReadonlyMap<string, readonly string[]>): string[] {
  const distances = new Map([[file, 0]])
  // A map iterates in insertion order, including entries that are added meanwhile.
  for (const [reached, distance] of distances) {
    for (const importer of importers.get(reached) ?? []) {
      if (!distances.has(importer)) distances.set(importer, distance + 1)
    }
  }
  const isOfModule = (test: string) => test.split('/')[0] === file.split('/')[0]
  const rank = (test: string) =>
    (distances.get(test) ?? 0) +
    (foldersApart(file, test) === 0 ? 0 : isOfModule(test) ? 1000 : 2000)
  return [...distances.keys()]
    .filter(isTest)
    .sort(
      (a, b) =>
        rank(a) - rank(b) || foldersApart(file, a) - foldersApart(file, b) || (a < b ? -1 : 1),
    )
}

/** How many folders apart two files are. */
function foldersApart(one: string, other: string): number {
  const [a, b] = [path.posix.dirname(one).split('/'), path.posix.dirname(other).split('/')]
  const shared = a.findIndex((name, at) => name !== b[at])
  const common = shared < 0 ? a.length : shared
  return a.length + b.length - 2 * common
}
