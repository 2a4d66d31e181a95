import { join } from 'node:path'
import type { Finding } from './finding.ts'

/** Applies the edits of all findings that have one, and returns their number. */
export async function fixAll(root: string, found: readonly Finding[]): Promise<number> {
  const edits = found.flatMap(({ path, edit }) => (edit === undefined ? [] : [{ path, edit }]))
  for (const [path, own] of Map.groupBy(edits, each => each.path)) {
    const file = Bun.file(join(root, path))
    const lines = (await file.text()).split('\n')
    // From the end, so that no edit moves the position of a later one.
    const fromEnd = own.toSorted(
      (a, b) => b.edit.line - a.edit.line || b.edit.column - a.edit.column,
    )
    for (const { edit } of fromEnd) {
      const line = lines[edit.line - 1]
      if (line === undefined) continue
      const start = edit.column - 1
      lines[edit.line - 1] = line.slice(0, start) + edit.text + line.slice(start + edit.length)
    }
    await Bun.write(file, lines.join('\n'))
  }
  return edits.length
}
