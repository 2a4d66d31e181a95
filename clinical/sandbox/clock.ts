// Reads the sandbox's clock, and sets the time to advance it to. A worker advances it (advance.ts).
// Decided in docs/decisions/0095-give-each-sandbox-a-clock.md.

import { dayMilliseconds } from '#contract/moments.ts'
import type { Fault } from '#contract/faults.ts'
import { limits } from '#contract/limits.ts'
import { invalid } from '#contract/problems.ts'
import type { InputOf } from '#contract/operation.ts'
import type { previewOperations } from '#contract/preview/operations.ts'
import { momentText } from '#database/clock.ts'
import { sql, type Statement } from '#database/sql.ts'
import { type AnyCall, tenantOf } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'
import { read, write } from '../preview/handler.ts'

type Input = InputOf<typeof previewOperations.setTestClock>

const members = ['advance_by_s', 'set_to', 'resume'] as const

const columns = (call: AnyCall, target: Statement): Statement => sql`
  ${momentText(call.now)}::text as now,
  (select ahead_ms / 1000 from tenants where id = ${tenantOf(call)}) as ahead_s,
  ${target} is not null as is_advancing, iso(${target}) as target`

export const getTestClock = read('getTestClock', call => ({
  rows: sql`
    select '' as id, ${published(columns(call, sql`a.target`))} as item
      from (select 1) one left join sandbox_advances a on a.integration = ${call.principal.integration}`,
}))

const fault = (pointer: string, code: Fault['code'], message: string) =>
  invalid([{ pointer, code, message }])

/** Returns the time to advance the clock to; null ends a running advance. */
function targetOf(input: Input, call: AnyCall, running: string | null): number | null {
  const [only, ...others] = members.filter(name => input[name] !== undefined)
  if (only === undefined || others.length > 0) {
    const message = 'The body must have exactly one of advance_by_s, set_to and resume.'
    throw fault('#', only === undefined ? 'required' : 'not_allowed', message)
  }
  if (input.resume === false) throw fault('#/resume', 'not_allowed', 'resume must be true.')
  if (input.resume === true) return null
  const start = Math.max(call.now, running === null ? 0 : Date.parse(running))
  const { advance_by_s = 0, set_to } = input
  const target = set_to === undefined ? start + advance_by_s * 1000 : Date.parse(set_to)
  if (target <= start) {
    const message = `set_to must be later than ${momentText(start)}, the clock's time or target.`
    throw fault('#/set_to', 'too_small', message)
  }
  if (target > start + limits.clockAdvanceDays * dayMilliseconds) {
    const message = `set_to must be at most ${limits.clockAdvanceDays} days after ${momentText(start)}.`
    throw fault('#/set_to', 'too_large', message)
  }
  if (target > call.realNow + limits.clockAheadDays * dayMilliseconds) {
    const message = `${only} must not move the clock more than ${limits.clockAheadDays} days ahead of real time.`
    throw fault(`#/${only}`, 'too_large', message)
  }
  return target
}

type Facts = { target: string | null }

export const setTestClock = write('setTestClock', {
  facts: ({ principal }) => sql`
    select iso(a.target) as target
      from (select 1) one left join sandbox_advances a on a.integration = ${principal.integration}`,
  decide: (call, input, found: Facts | null) => {
    const running = found?.target ?? null
    const target = targetOf(input, call, running)
    return { running, target: target === null ? null : momentText(target) }
  },
  // Locks the tenant, so a concurrent reset either comes first or ends this advance too.
  write: (call, { running, target }) => {
    const { integration } = call.principal
    const answer = published(columns(call, sql`${target}::timestamptz`))
    const held = sql`
      held as materialized (
        select id from tenants
         where id = ${tenantOf(call)} and retired_at is null and exists (select from go) for share
      )`
    if (target === null) {
      return sql`${held}, ended as (
        delete from sandbox_advances
         where integration = ${integration} and exists (select from held)
      ), changed as (select '' as id, ${answer} as answer from held)`
    }
    return sql`${held}, changed as (
      insert into sandbox_advances as a (integration, target)
      select ${integration}, ${target}::timestamptz from held
      on conflict (integration) do update set target = excluded.target
       where a.target = ${running}::timestamptz
      returning '' as id, ${answer} as answer
    )`
  },
})
