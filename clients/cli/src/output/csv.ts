// Rows as CSV (RFC 4180): a nested field has its own column, `address.city`.

import { isRow } from './format.ts'

type Cells = Readonly<Record<string, unknown>>

function* cells(value: unknown, at: string): Generator<[name: string, value: unknown]> {
  if (!isRow(value)) return yield [at, value]
  for (const [name, one] of Object.entries(value)) yield* cells(one, at ? `${at}.${name}` : name)
}

const flat = (value: unknown): Cells =>
  Object.fromEntries(isRow(value) ? cells(value, '') : [['value', value]])

function quoted(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const line = (values: readonly unknown[]) => `${values.map(quoted).join(',')}\n`

/**
 * Writes rows under one header. The first rows determine the header, because a stream can't change
 * its header later.
 */
export function openCsv(): (rows: readonly unknown[]) => string {
  let columns: string[] | undefined
  return values => {
    const rows = values.map(flat)
    if (rows.length === 0) return ''
    const header = columns === undefined
    const names = (columns ??= [...new Set(rows.flatMap(row => Object.keys(row)))])
    const lines = rows.map(row => line(names.map(name => row[name])))
    return `${header ? line(names) : ''}${lines.join('')}`
  }
}
