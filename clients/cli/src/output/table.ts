// Tables and single objects for people. Without a terminal, tables have tabs instead of borders, so
// `cut` and `awk` can read them.

import { at, isRow } from './format.ts'

export type Look = {
  /** Infinity if there is no terminal. */
  readonly columns: number
  readonly hasColor: boolean
}

/** Replaces characters in external text that could move the cursor or change the terminal. */
export const printable = (text: string): string =>
  text.replaceAll(/(?![\t\n])[\p{Cc}\p{Bidi_Control}]/gu, '\uFFFD')

/** A cell's text. A reference appears as its ID, and a long list as its length. */
export function cellOf(value: unknown, itemsMax = 3): string {
  if (value === null || value === undefined) return '-'
  if (Array.isArray(value)) {
    const isShort = value.length <= itemsMax && value.every(one => typeof one === 'string')
    return isShort ? printable(value.join(', ')) || '-' : `${value.length} items`
  }
  if (isRow(value)) return 'id' in value ? cellOf(value['id']) : JSON.stringify(value)
  return printable(String(value).replaceAll(/\s*\n\s*/g, ' '))
}

const dim = (text: string, { hasColor }: Look) => (hasColor ? `\u001b[2m${text}\u001b[22m` : text)
const bold = (text: string, { hasColor }: Look) => (hasColor ? `\u001b[1m${text}\u001b[22m` : text)

/** Loads a function that counts a string's terminal columns; a wide character counts as two. */
async function widthOf(): Promise<(text: string) => number> {
  const { default: width } = await import('string-width')
  return width
}

export async function table(
  rows: readonly unknown[],
  fields: readonly string[],
  look: Look,
): Promise<string> {
  const cells = rows.map(row => fields.map(name => cellOf(at(row, name))))
  if (look.columns === Number.POSITIVE_INFINITY) {
    return cells.map(row => `${row.join('\t')}\n`).join('')
  }
  const width = await widthOf()
  const widths = fields.map((name, index) =>
    Math.max(width(name), ...cells.map(row => width(row[index] ?? ''))),
  )
  const shown = fitting(widths, look.columns)
  // In a narrow terminal, prints each row as several labeled lines, so no ID is cut off.
  if (shown < Math.min(2, fields.length)) return blocks(cells, fields, look)
  const { default: Table } = await import('cli-table3')
  const grid = new Table({
    chars: blank,
    style: { 'padding-left': 0, 'padding-right': 2, head: [], border: [] },
    head: fields.slice(0, shown).map(name => dim(name, look)),
  })
  for (const row of cells) grid.push(row.slice(0, shown))
  const lines = grid.toString().split('\n')
  return lines.map(line => `${line.trimEnd()}\n`).join('')
}

/** The number of columns that fit side by side. */
function fitting(widths: readonly number[], columns: number): number {
  let room = columns
  const over = widths.findIndex(width => (room -= width + 2) < -2)
  return over === -1 ? widths.length : over
}

const blocks = (cells: readonly string[][], fields: readonly string[], look: Look) =>
  cells
    .map(row => fields.map((name, at) => `${dim(name, look)}\n  ${row[at] ?? ''}\n`).join(''))
    .join('\n')

const sides = ['top', 'bottom', 'left', 'mid', 'right'] as const
const blank = Object.fromEntries(
  [
    ...sides,
    'top-mid',
    'top-left',
    'top-right',
    'bottom-mid',
    'bottom-left',
    'bottom-right',
    'left-mid',
    'mid-mid',
    'right-mid',
    'middle',
  ].map(side => [side, '']),
)

/** Yields one line per field. A nested field's name includes its parent's. */
function* lines(value: unknown, at = ''): Generator<[string, string]> {
  if (!isRow(value)) return yield [at, cellOf(value)]
  for (const [name, one] of Object.entries(value)) {
    const path = at === '' ? name : `${at}.${name}`
    if (isRow(one)) yield* lines(one, path)
    else if (Array.isArray(one) && one.some(isRow)) {
      for (const [index, item] of one.entries()) yield* lines(item, `${path}[${index}]`)
    } else yield [path, cellOf(one, Number.POSITIVE_INFINITY)]
  }
}

export function details(value: unknown, look: Look): string {
  const all = [...lines(value)]
  const widest = Math.max(0, ...all.map(([name]) => name.length))
  if (look.columns < widest + 24) {
    return all.map(([name, text]) => `${bold(name, look)}\n  ${text}\n`).join('')
  }
  return all.map(([name, text]) => `${dim(name.padEnd(widest), look)}  ${text}\n`).join('')
}
