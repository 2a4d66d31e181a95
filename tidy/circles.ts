/** By file: the files that it imports, type-only imports included. */
export type Imports = ReadonlyMap<string, readonly string[]>

/**
 * Every circle of imports, as the sorted paths of its files: each strongly connected component of
 * more than one file, and each file that imports itself (Tarjan, SIAM J. Comput. 1, 1972).
 */
export function circlesOf(imports: Imports): string[][] {
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
    if (members.length > 1 || targets.includes(file)) circles.push(members.toSorted())
  }

  for (const file of imports.keys()) if (!lowest.has(file)) visit(file)
  return circles.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))
}
