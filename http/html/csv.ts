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

export type CsvRow = readonly Cell[]

const linesOf = (rows: readonly CsvRow[]): string =>
  rows.map(row => `${row.map(cellOf).join(',')}\r\n`).join('')

export const csvOf = (head: readonly string[], rows: readonly CsvRow[]): string =>
  linesOf([head, ...rows])

/** A file without a limit: each part of its rows is read once the previous part has been sent. If
 *  a part can't be read, the download fails, so nobody takes an incomplete file for a whole one. */
export function csvStream(
  head: readonly string[],
  parts: AsyncGenerator<readonly CsvRow[]>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    start: controller => controller.enqueue(encoder.encode(linesOf([head]))),
    async pull(controller) {
      const { done, value } = await parts.next()
      if (done === true) controller.close()
      else controller.enqueue(encoder.encode(linesOf(value)))
    },
    async cancel() {
      await parts.return(undefined)
    },
  })
}
