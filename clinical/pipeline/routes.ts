// The table as paths: which methods a path takes. 404 and 405 are computed from it, so that a row
// is enough to make both right.

import { operationIds, table } from '#contract/api.ts'
import { isWrite } from '#contract/operation.ts'

const order = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE']

/** Methods by path, where a name in braces stands for any one segment. */
const methodsByPath = new Map<string, Set<string>>()
for (const id of operationIds) {
  const row = table[id]
  const methods = methodsByPath.get(row.path) ?? new Set()
  methods.add(row.method)
  if (!isWrite(row)) methods.add('HEAD')
  methodsByPath.set(row.path, methods)
}

const patterns = [...methodsByPath].map(([path, methods]) => ({
  segments: path.split('/'),
  methods: order.filter(method => methods.has(method)),
}))

const fits = (pattern: readonly string[], path: readonly string[]) =>
  pattern.length === path.length &&
  pattern.every((segment, at) =>
    segment.startsWith('{') ? (path[at] ?? '') !== '' : segment === path[at],
  )

/** What may be done at a path; nothing when there is no such path. The spelt-out path wins. */
export function methodsAt(path: string): readonly string[] {
  const segments = path.split('/')
  const spelt = methodsByPath.get(path)
  if (spelt) return order.filter(method => spelt.has(method))
  return patterns.find(pattern => fits(pattern.segments, segments))?.methods ?? []
}

/** The ids in a path that fits the row's, by name. */
export function namesIn(pattern: string, path: string): Record<string, string> {
  const segments = path.split('/')
  const names: Record<string, string> = {}
  for (const [at, segment] of pattern.split('/').entries()) {
    if (segment.startsWith('{')) names[segment.slice(1, -1)] = segments[at] ?? ''
  }
  return names
}
