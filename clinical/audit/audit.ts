// The audit row of a call: who asked for what, and what became of it. It rides in the statement of
// the call itself wherever there is one, so that an answer cannot exist without its row.

import { sql, type Statement } from '#database/sql.ts'
import type { Principal } from '#auth/principal.ts'
import type { Mode } from '#contract/operation.ts'

/** Who and where, as far as the call got before it was refused. */
export type Asked = {
  surface: 'rest' | 'worker' | 'page'
  action: string
  target: string | null
  request: string
  address: string | null
  agent: string | null
}

export type Caller = {
  mode: Mode | null
  integration: string | null
  organization: string | null
  credential: string | null
}

export const nobody: Caller = {
  mode: null,
  integration: null,
  organization: null,
  credential: null,
}

export const callerOf = (principal: Principal): Caller => ({
  mode: principal.mode,
  integration: principal.integration,
  organization: principal.organization.id,
  credential: principal.credential,
})

/** Inserts one row for each row of `outcomes (target, outcome, status, code)`. */
export const auditing = (caller: Caller, asked: Asked, outcomes: Statement): Statement => sql`
  insert into audit.entries (mode, integration, organization, actor, surface, action, target,
                             outcome, status, code, request, address, agent)
  select ${caller.mode}, ${caller.integration}, ${caller.organization}, ${caller.credential},
         ${asked.surface}, ${asked.action}, coalesce(x.target, ${asked.target}),
         x.outcome, x.status, x.code, ${asked.request}, ${asked.address}, ${asked.agent}
    from (${outcomes}) as x (target, outcome, status, code)`

export const refusedRow = (status: number, code: string, outcome = 'refused'): Statement =>
  sql`select null::text, ${outcome}::text, ${status}::int2, ${code}::text`
