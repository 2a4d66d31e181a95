// Files of whole lists, which a person downloads from a page.
import { activityLimits } from '#contract/console/activity.ts'
import type { Problem } from '#contract/problems.ts'
import { type CsvRow, csvStream } from '#http/html/csv.ts'
import type { FileToKeep } from '#http/pages/answer.tsx'

type Part = { readonly next: string | null }
type PartQuery = { readonly before: string | undefined; readonly limit: string }
type ReadPart<P extends Part> = (
  query: PartQuery,
) => Promise<{ readonly problem: null; readonly value: P } | { readonly problem: Problem }>

type ListFile<P extends Part> = {
  readonly name: string
  readonly head: readonly string[]
  /** Reads the list's newest rows, or with `before`, the rows that follow. */
  readonly read: ReadPart<P>
  readonly cellsIn: (part: P) => readonly CsvRow[]
}

const limit = String(activityLimits.pageMax)

/** Every row of a list, newest first, however many there are. The file's own requests are later, so
 *  its other parts don't have them. */
export async function listFile<P extends Part>({
  name,
  head,
  read,
  cellsIn,
}: ListFile<P>): Promise<{ readonly file: FileToKeep } | Problem> {
  const first = await read({ before: undefined, limit })
  if (first.problem) return first.problem
  const content = csvStream(head, partsFrom(first.value, read, cellsIn))
  return { file: { name, type: 'text/csv; charset=utf-8', content } }
}

async function* partsFrom<P extends Part>(
  first: P,
  read: ReadPart<P>,
  cellsIn: (part: P) => readonly CsvRow[],
) {
  yield cellsIn(first)
  for (let { next } = first; next !== null;) {
    const found = await read({ before: next, limit })
    if (found.problem) throw found.problem
    yield cellsIn(found.value)
    next = found.value.next
  }
}
