/** The files that each file imports, including type-only imports. */
type Imports = ReadonlyMap<string, readonly string[]>

/** Every import cycle, as the sorted paths of its files: each strongly connected component with
 *  more than one file (Tarjan, SIAM J. Comput. 1, 1972). */
function circlesOf(imports: Imports): string[][] {
  const lowest = new Map<string, number>()
  const open: string[] = []
  const circles: string[][] = []

  function visit(file: string): void {
    const index = lowest.size
    lowest.set(file, index)
    open.push(file)
    const targets = imports.get(file) ?? []
    for (const target of targets) {
      if (!imports.has(target)) continue
      if (!lowest.has(target)) visit(target)
      if (!open.includes(target)) continue
      lowest.set(file, Math.min(lowest.get(file) ?? 0, lowest.get(target) ?? 0))
    }
    if (lowest.get(file) !== index) return
    const members = open.splice(open.indexOf(file))
    if (members.length > 1) circles.push(members.toSorted())
  }

  for (const file of imports.keys()) if (!lowest.has(file)) visit(file)
  return circles.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))
}

/** The part of a path directly inside a folder: for `a/b/c.ts` in `a`, that's `a/b`. */
const childOf = (folder: string, file: string): string => {
  const end = file.indexOf('/', folder.length === 0 ? 0 : folder.length + 1)
  return end < 0 ? file : file.slice(0, end)
}

/** The innermost folder that contains both files; '' for the whole repository. */
function sharedFolder(one: string, other: string): string {
  let folder = ''
  for (;;) {
    const child = childOf(folder, one)
    if (child === one || child !== childOf(folder, other)) return folder
    folder = child
  }
}

/**
 * Every cycle among a folder's direct children, which are its files and each subfolder as a whole.
 * Without cycles, a reader can read the children in order.
 */
export function folderCirclesOf(imports: Imports): string[][] {
  const byFolder = new Map<string, Map<string, Set<string>>>()
  for (const [file, targets] of imports) {
    for (const target of targets.filter(one => imports.has(one) && one !== file)) {
      const folder = sharedFolder(file, target)
      const graph = byFolder.get(folder) ?? new Map<string, Set<string>>()
      byFolder.set(folder, graph)
      const [from, to] = [childOf(folder, file), childOf(folder, target)]
      graph.set(from, (graph.get(from) ?? new Set()).add(to))
      graph.set(to, graph.get(to) ?? new Set())
    }
  }
  return [...byFolder.values()].flatMap(graph =>
    circlesOf(new Map([...graph].map(([from, targets]) => [from, [...targets]]))),
  )
}
