// One small fault: the original text and its replacement.

export type Kind =
  | 'await'
  | 'boolean'
  | 'call'
  | 'comparison'
  | 'condition'
  | 'early return'
  | 'number'
  | 'operator'
  | 'sql comparison'
  | 'sql condition'
  | 'sql lock'
  | 'sql number'
  | 'sql order'

/** A replacement of `text.slice(start, end)`. */
export type Change = { kind: Kind; start: number; end: number; replacement: string }

/** Adds one, which a test of a limit detects, or doubles the number if adding one is too small a
 *  change. */
export function changedNumber(written: string): string {
  const value = Number(written.replaceAll('_', ''))
  return String(Number.isInteger(value) && value < 1000 ? value + 1 : value * 2)
}
