import { join } from 'node:path'
import type { Finding } from './finding.ts'

/** Types what needs no thought, and answers how many faults that mended. */
export async function fixAll(root: string, found: readonly Finding[]): Promise<number> {
  const can = found.flatMap(({ path, edit }) => (edit === undefined ? [] : [{ path, edit }]))
  for (const [path, own] of Map.groupBy(can, each => each.path)) {
    const file = Bun.file(join(root, path))
    const lines = (await file.text()).split('\n')
    // From the end, so that no edit moves the place of one that is still to be made.
    const last = own.toSorted((a, b) => b.edit.line - a.edit.line || b.edit.column - a.edit.column)
    for (const { edit } of last) {
      const line = lines[edit.line - 1]
      if (line === undefined) continue
      const start = edit.column - 1
      lines[edit.line - 1] = line.slice(0, start) + edit.text + line.slice(start + edit.length)
    }
    await Bun.write(file, lines.join('\n'))
  }
  return can.length
}
