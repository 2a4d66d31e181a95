/** A fault in the content, with its position and its fix. */
export type Finding = {
  path: string
  line: number
  column: number
  rule: string
  message: string
  fix: string
  /** A warning is printed and does not fail the check. */
  level?: 'error' | 'warning' | undefined
  /** The edit that `--fix` makes, where the fix is mechanical. */
  edit?: Edit | undefined
}

/** Replaces `length` characters of one line. */
export type Edit = { line: number; column: number; length: number; text: string }

export function print(finding: Finding): string {
  const { path, line, column, rule, message, fix } = finding
  const label = finding.level === 'warning' ? 'warning: ' : ''
  return `${path}:${line}:${column}  ${rule}  ${label}${message}  → ${fix}`
}

/** Line and column, both from 1, of an offset into a text that begins on the given line. */
export function place(text: string, offset: number, firstLine: number) {
  const before = text.slice(0, offset)
  const line = before.split('\n').length - 1
  return { line: firstLine + line, column: offset - before.lastIndexOf('\n') }
}

/**
 * One finding for each value of a frontmatter: the first rule that refuses it is the nearest to the
 * fault, and the others follow from it.
 */
export function oncePerValue(found: readonly Finding[]): Finding[] {
  const seen = new Set<string>()
  return found.filter(({ path, line, column, rule }) => {
    if (!rule.startsWith('F-')) return true
    const at = `${path}:${line}:${column}`
    return !seen.has(at) && seen.add(at)
  })
}
