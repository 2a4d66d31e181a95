import { dayMilliseconds } from '#contract/moments.ts'
import type { Input } from '#contract/api.ts'
import { limits } from '#contract/limits.ts'
import type { Fault } from '#contract/faults.ts'
import { invalid } from '#contract/problems.ts'
import { sql } from '#database/sql.ts'
import { momentText } from '#database/clock.ts'
import { read, tenantOf } from '../pipeline/handler.ts'
import { countsCharges } from '../modes.ts'
import { published } from '../pipeline/publish.ts'

/** Returns the requested window; the default is the current month so far. */
function windowOf(input: Input<'getUsage'>, now: number): { from: number; to: number } {
  const today = new Date(now)
  const month = Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), 1)
  const from = input.from === undefined ? month : Date.parse(input.from)
  const to = input.to === undefined ? now : Date.parse(input.to)
  const fault = (pointer: string, code: Fault['code'], message: string) =>
    invalid([{ pointer, code, message }])
  // In a month's first millisecond the default window is empty, which isn't an error.
  if (to <= from && input.to !== undefined)
    throw fault('?to', 'too_small', 'to must be after from.')
  if (to <= from && input.from !== undefined) {
    throw fault('?from', 'too_large', 'from must be before to, which defaults to now.')
  }
  if (to - from > limits.usageWindowDays * dayMilliseconds) {
    const days = `at most ${limits.usageWindowDays} days`
    throw input.to === undefined
      ? fault('?from', 'too_large', `from must be ${days} before now.`)
      : fault('?to', 'too_large', `to must be ${days} after from.`)
  }
  return { from, to }
}

/** Returns ledger totals. Usage isn't a resource, so its ID is constant. */
export const getUsage = read('getUsage', (call, input) => {
  const window = windowOf(input, call.now)
  const [from, to] = [momentText(window.from), momentText(window.to)]
  return {
    rows: sql`
      select 'usage' as id, ${published(sql`
        ${from}::text as "from", ${to}::text as "to", (
          select coalesce(json_agg(row_to_json(k) order by k.kind, k.currency), '[]') from (
            select kind, sum(sign(amount))::int as count, sum(amount)::bigint as amount, currency
              from charges
             where tenant = ${tenantOf(call)} and created_at >= ${from}::timestamptz
               and created_at < ${to}::timestamptz and ${countsCharges(call.principal.mode)}
             group by kind, currency) k) as data`)} as item`,
  }
})
