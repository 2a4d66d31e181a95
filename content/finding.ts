import { join } from 'node:path'

/** A content error with its position and its fix. */
export type Finding = {
  path: string
  line: number
  column: number
  rule: string
  message: string
  fix: string
  /** A warning is printed and doesn't fail the check. */
  level?: 'error' | 'warning' | undefined
  /** The edit that `--fix` makes, if the fix is mechanical. */
  edit?: Edit | undefined
}

/** Replaces `length` characters of one line. */
export type Edit = { line: number; column: number; length: number; text: string }

export function print(finding: Finding): string {
  const { path, line, column, rule, message, fix } = finding
  const label = finding.level === 'warning' ? 'warning: ' : ''
  return `${path}:${line}:${column}  ${rule}  ${label}${message}  → ${fix}`
}

/** Line and column, both from 1, of an offset into a text that starts on the given line. */
export function place(text: string, offset: number, firstLine: number) {
  const before = text.slice(0, offset)
  const line = before.split('\n').length - 1
  return { line: firstLine + line, column: offset - before.lastIndexOf('\n') }
}

/**
 * Keeps one finding for each frontmatter value: the first, which is nearest to the error, because
 * the other findings follow from the first.
 */
export function oncePerValue(found: readonly Finding[]): Finding[] {
  const seen = new Set<string>()
  return found.filter(({ path, line, column, rule }) => {
    if (!rule.startsWith('F-')) return true
    const at = `${path}:${line}:${column}`
    return !seen.has(at) && seen.add(at)
  })
}

/** Applies all findings' edits, and returns their number. */
export async function fixAll(root: string, found: readonly Finding[]): Promise<number> {
  const edits = found.flatMap(({ path, edit }) => (edit === undefined ? [] : [{ path, edit }]))
  for (const [path, own] of Map.groupBy(edits, each => each.path)) {
    const file = Bun.file(join(root, path))
    const lines = (await file.text()).split('\n')
    // Starts at the end, so an edit never moves the position of the next edit.
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

/** Findings as SARIF 2.1.0, which code hosts show at the line in a change. */
export function sarif(found: readonly Finding[]): string {
  const rules = [...new Set(found.map(({ rule }) => rule))].sort()
  const results = found.map(
    ({ path, line, column, rule, message, fix, edit, level = 'error' }) => ({
      ruleId: rule,
      ruleIndex: rules.indexOf(rule),
      level,
      message: { text: `${message}. ${fix}.` },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: path },
            region: { startLine: line, startColumn: column },
          },
        },
      ],
      ...(edit === undefined ? {} : { fixes: [fixOf(path, fix, edit)] }),
    }),
  )
  const driver = {
    name: 'lint-content',
    rules: rules.map(id => ({ id, shortDescription: { text: id } })),
  }
  return JSON.stringify(
    {
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [{ tool: { driver }, columnKind: 'unicodeCodePoints', results }],
    },
    null,
    2,
  )
}

/** The edit that a code host offers to commit. */
function fixOf(uri: string, text: string, edit: Edit) {
  const { line, column, length } = edit
  const replacement = {
    deletedRegion: {
      startLine: line,
      startColumn: column,
      endLine: line,
      endColumn: column + length,
    },
    insertedContent: { text: edit.text },
  }
  return {
    description: { text },
    artifactChanges: [{ artifactLocation: { uri }, replacements: [replacement] }],
  }
}
