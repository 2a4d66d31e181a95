// After a refusal, suggests the contract's value that the user probably meant.

import type { Call } from '../api/client.ts'
import { ApiRefusal } from '../errors.ts'
import { isRow } from '../output/format.ts'
import { nearest } from '../nearest.ts'
import type { Field, Operation } from '../../../generate/cli/row.ts'

function* near(field: Field, value: unknown): Generator<string> {
  const { values = [], fields = [], items } = field
  if (Array.isArray(value) && items) for (const one of value) yield* near(items, one)
  else if (isRow(value)) yield* nearIn(fields, value)
  else if (typeof value === 'string' && values.length > 0 && !values.includes(value)) {
    const found = nearest(value, values)
    if (found !== undefined) yield found
  }
}

function* nearIn(fields: readonly Field[], row: Readonly<Record<string, unknown>>) {
  for (const field of fields) yield* near(field, row[field.name])
}

/**
 * Returns the error, with a suggestion if a known value is close. A newer API may accept other
 * values.
 */
export function withSuggestion(error: unknown, { body, query }: Operation, call: Call): unknown {
  if (!(error instanceof ApiRefusal) || error.problem.status !== 400) return error
  const found = [...nearIn(query, call.query ?? {})]
  if (body && isRow(call.body)) found.push(...nearIn(body, call.body))
  if (found.length > 0) error.suggestion = `Did you mean ${found.join(', ')}?`
  return error
}
