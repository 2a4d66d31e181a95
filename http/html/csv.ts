// Tables as CSV (RFC 4180), for spreadsheet programs.

/** Spreadsheet programs read a cell that starts this way as a formula, which could send neighboring
 *  cells' content elsewhere. */
const beginsFormula = /^[=+\-@\t\r\n＝＋－＠]/

type Cell = string | number | null

/** A negative number isn't a formula. */
function cellOf(value: Cell): string {
  if (typeof value === 'number') return String(value)
  const text = value === null ? '' : beginsFormula.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export const csvOf = (head: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [head, ...rows].map(row => `${row.map(cellOf).join(',')}\r\n`).join('')
