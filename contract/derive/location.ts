// Where what a row creates is read: the Location of its answer.

import { type Operation, pathNames } from '../operation.ts'

type Route = Pick<Operation, 'method' | 'path' | 'returns' | 'status'>

/**
 * The path before the new id, or null when what was made is read in a list only. One id must be
 * the whole of what the path asks for: a path through a parent cannot be filled in from an answer.
 */
export function locationOf(row: Route, rows: readonly Route[]): string | null {
  if (row.status !== 201) return null
  const reads = rows.filter(
    other =>
      other.method === 'GET' && other.path.endsWith('}') && pathNames(other.path).length === 1,
  )
  const before = (path: string) => path.slice(0, path.lastIndexOf('/'))
  // The collection's own item first: a reservation is read as the file that it becomes.
  const found =
    reads.find(other => before(other.path) === row.path) ??
    reads.find(other => other.returns === row.returns)
  return found ? before(found.path) : null
}
