// Tables as CSV (RFC 4180) for programs that open it as a spreadsheet.

/** A cell that starts so is a formula to a spreadsheet, which may send what stands beside it. */
const beginsFormula = /^[=+\-@\t\r\n＝＋－＠]/

type Cell = string | number | null

/** A number below zero isn't a formula. */
function cellOf(value: Cell): string {
  if (typeof value === 'number') return String(value)
  const text = value === null ? '' : beginsFormula.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export const csvOf = (head: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [head, ...rows].map(row => `${row.map(cellOf).join(',')}\r\n`).join('')
