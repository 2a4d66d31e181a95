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
}

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
