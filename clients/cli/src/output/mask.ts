// Masks patient data in live-mode tables, because screens are shared and terminals keep scrollback.

import { hidden, isRow } from './format.ts'

/** The contract's names for fields that identify a person or contain their words. */
const personal: ReadonlySet<string> = new Set([
  'first_name',
  'middle_name',
  'last_name',
  'email',
  'phone',
  'address',
  'line1',
  'line2',
  'city',
  'postal_code',
  'body',
  'answer',
  'answers',
  'question',
  'reason',
  'filename',
  'url',
])

/** The first two letters, or fewer for a short text, so the whole is never shown. */
function shorten(text: string): string {
  const letters = [...text]
  return `${letters.slice(0, Math.min(2, letters.length - 1)).join('')}…`
}

function maskedValue(name: string, value: unknown): unknown {
  if (value === null || value === undefined) return value
  if (name === 'date_of_birth') return `${String(value).slice(0, 4)}-…`
  if (!personal.has(name)) return masked(value)
  return typeof value === 'string' ? shorten(value) : hidden
}

/** The same value with every personal field shortened, at any depth. */
export function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked)
  if (!isRow(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, maskedValue(name, one)]),
  )
}
