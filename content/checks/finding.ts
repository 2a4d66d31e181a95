/** One thing an editor has to mend, with the place and the remedy. */
export type Finding = {
  path: string
  line: number
  column: number
  rule: string
  message: string
  fix: string
  /** A warning is printed and stops nobody. */
  level?: 'error' | 'warning' | undefined
  /** Where the remedy needs no thought: what `--fix` types. */
  edit?: Edit | undefined
}

/** So many characters from a place on, on one line, and what comes in their stead. */
export type Edit = { line: number; column: number; length: number; text: string }

export function print(finding: Finding): string {
  const { path, line, column, rule, message, fix } = finding
  const softly = finding.level === 'warning' ? 'warning: ' : ''
  return `${path}:${line}:${column}  ${rule}  ${softly}${message}  → ${fix}`
}

/** Line and column, both from 1, of an offset into a text that begins on the given line. */
export function place(text: string, offset: number, firstLine: number) {
  const before = text.slice(0, offset)
  const line = before.split('\n').length - 1
  return { line: firstLine + line, column: offset - before.lastIndexOf('\n') }
}

/**
 * One finding for each value of a frontmatter: the first rule that refuses it is the nearest to the
 * fault, and what others say of it follows.
 */
export function oncePerValue(found: readonly Finding[]): Finding[] {
  const seen = new Set<string>()
  return found.filter(({ path, line, column, rule }) => {
    if (!rule.startsWith('F-')) return true
    const at = `${path}:${line}:${column}`
    return !seen.has(at) && seen.add(at)
  })
}
