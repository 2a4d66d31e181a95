// Which tests reach a file: those that import it, directly or through other files, nearest first.
import path from 'node:path'
import { imports } from '#tidy/rules.ts'

export type Source = { path: string; text: string }

/** Without the benchmarks, which import all that they measure and notice no fault, and without the
 *  rules of the repository, which are no test of a file. */
const isTest = (file: string) => /^(?!bench\/).+\/.+\.test\.tsx?$/.test(file)

/** By file, the files that import it, or that name it to start it as a process. */
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

/** The tests that reach a file: those in its folder first, then those of its module, each by
 *  the length of the way. */
export function testsOf(file: string, importers: ReadonlyMap<string, readonly string[]>): string[] {
  const distances = new Map([[file, 0]])
  // A map is iterated in the order of insertion, and continues with what is added meanwhile.
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

/** How many folders a walk from one file to the other passes. */
function foldersApart(one: string, other: string): number {
  const [a, b] = [path.posix.dirname(one).split('/'), path.posix.dirname(other).split('/')]
  const shared = a.findIndex((name, at) => name !== b[at])
  const common = shared < 0 ? a.length : shared
  return a.length + b.length - 2 * common
}
