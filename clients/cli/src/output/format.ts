// Formats data on standard output for a person or a program.

import { usage } from '../errors.ts'

export const formats = ['table', 'json', 'jsonl', 'yaml', 'csv', 'ids'] as const
export type Format = (typeof formats)[number]

export function formatOf(text: string, name = '--format'): Format {
  const found = formats.find(one => one === text)
  if (found) return found
  throw usage(`${name} must be one of ${formats.join(', ')}`)
}

type FormatFlags = { readonly json?: boolean; readonly output?: string; readonly format?: string }

/** The requested format, and the flag that requested it. */
export function formatIn(flags: FormatFlags): { wanted: string | undefined; flag: string } {
  const { json, output, format } = flags
  if (json) return { wanted: 'json', flag: '--json' }
  return output === undefined
    ? { wanted: format, flag: '--format' }
    : { wanted: output, flag: '--output' }
}

type Row = Readonly<Record<string, unknown>>
export const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The placeholder for an object that must not be shown. */
export const hidden = '…'

/** Reads `a.b` from a nested object. Anything inside a hidden object is hidden. */
export const at = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (one, name) => (isRow(one) ? one[name] : one === hidden ? hidden : undefined),
      value,
    )

export const pick = (value: unknown, fields: readonly string[]): unknown =>
  isRow(value) ? Object.fromEntries(fields.map(name => [name, at(value, name) ?? null])) : value

/** The ID to print for a row: its `id`, or else its first field. */
const idIn = (value: unknown): string =>
  isRow(value) ? String(value['id'] ?? Object.values(value)[0] ?? '') : String(value)

export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
export const jsonLine = (value: unknown): string => `${JSON.stringify(value)}\n`

async function yaml(value: unknown): Promise<string> {
  const { stringify } = await import('yaml')
  return stringify(value, { lineWidth: 0 })
}

/** Formats a value for the formats that depend on neither the terminal nor earlier rows. */
export async function formatted(
  value: unknown,
  format: Exclude<Format, 'table' | 'csv'>,
): Promise<string> {
  const all = Array.isArray(value) ? value : [value]
  if (format === 'json') return json(value)
  if (format === 'yaml') return yaml(value)
  if (format === 'jsonl') return all.map(jsonLine).join('')
  return all.map(one => `${idIn(one)}\n`).join('')
}
