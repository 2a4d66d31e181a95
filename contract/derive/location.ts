// The Location of what an operation creates: the path under which it is read.

import { type AnyOperation, pathNames } from '../operation.ts'

type Route = Pick<AnyOperation, 'method' | 'path' | 'returns' | 'status'>

/**
 * The path before the new id, or null when the new resource can only be read in a list. A path that
 * takes a second id, of a parent, does not count: the answer does not hold that id.
 */
export function locationOf(row: Route, rows: readonly Route[]): string | null {
  if (row.status !== 201) return null
  const reads = rows.filter(
    other =>
      other.method === 'GET' && other.path.endsWith('}') && pathNames(other.path).length === 1,
  )
  const before = (path: string) => path.slice(0, path.lastIndexOf('/'))
  // The item of the same collection first: the answer to a file's reservation has another schema.
  const found =
    reads.find(other => before(other.path) === row.path) ??
    reads.find(other => other.returns === row.returns)
  return found ? before(found.path) : null
}
