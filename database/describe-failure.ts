// A failure as log fields: its class, message, statement and stack, without the values that caused
// it.
import { isRejectedValue, sqlState, statementOf } from './failures.ts'

/** The end of a longer statement is only more columns and conditions. */
const statementLengthMax = 4000

export function describeFailure(failure: unknown): Record<string, string> {
  if (!(failure instanceof Error)) return { failure: typeof failure }
  const state = sqlState(failure)
  // PostgreSQL repeats rejected values in its messages.
  const isSafe = !isRejectedValue(failure)
  const frames = (failure.stack ?? '').split('\n').filter(line => /^\s+at /.test(line))
  const fields: Record<string, string> = { failure: failure.name }
  const { code } = failure as { code?: unknown }
  if (state !== null) fields['sqlstate'] = state
  else if (typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code)) fields['code'] = code
  if (isSafe) fields['message'] = failure.message.slice(0, 500)
  const statement = statementOf(failure)
  if (statement !== undefined) {
    fields['statement'] = statement.trim().replaceAll(/\s+/g, ' ').slice(0, statementLengthMax)
  }
  fields['stack'] = frames
    .slice(0, 12)
    .map(line => line.trim())
    .join('; ')
  return fields
}
