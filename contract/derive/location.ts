// The Location of a created resource: the path for reading it.

import { type AnyOperation, pathNames } from '../operation.ts'

type Route = Pick<AnyOperation, 'method' | 'path' | 'returns' | 'status'>

/** Returns the path before the new ID, or null if the new resource can only be read in a list.
 *  Paths that also need a parent's ID are skipped, because the response doesn't contain that ID. */
export function locationOf(row: Route, rows: readonly Route[]): string | null {
  if (row.status !== 201) return null
  const reads = rows.filter(
    other =>
      other.method === 'GET' && other.path.endsWith('}') && pathNames(other.path).length === 1,
  )
  const before = (path: string) => path.slice(0, path.lastIndexOf('/'))
  // Prefers an item in the same collection, because reserving a file returns another schema.
  const found =
    reads.find(other => before(other.path) === row.path) ??
    reads.find(other => other.returns === row.returns)
  return found ? before(found.path) : null
}
