// The Location of a created resource: the path for reading it.

import { type AnyOperation, pathNames } from '../operation.ts'

type Route = Pick<AnyOperation, 'method' | 'path' | 'returns' | 'status'>

/** Returns the path before the new ID, or null if the new resource can only be read in a list. A
 *  path that takes a second ID, for a parent, doesn't count: the response doesn't have that ID. */
export function locationOf(row: Route, rows: readonly Route[]): string | null {
  if (row.status !== 201) return null
  const reads = rows.filter(
    other =>
      other.method === 'GET' && other.path.endsWith('}') && pathNames(other.path).length === 1,
  )
  const before = (path: string) => path.slice(0, path.lastIndexOf('/'))
  // Prefers an item in the same collection: the response to reserving a file has another schema.
  const found =
    reads.find(other => before(other.path) === row.path) ??
    reads.find(other => other.returns === row.returns)
  return found ? before(found.path) : null
}
