// The audit row of a call: who called what, and the outcome. It is inserted by the call's own
// statement wherever there is one, so that no answer exists without its audit row.

import { sql, type Statement } from '#database/sql.ts'
import type { Mode } from '#contract/operation.ts'
import type { AnyPrincipal } from '../pipeline/handler.ts'

/** Where a call came in, or what acted by itself. */
export type SurfaceName =
  | 'rest'
  | 'mcp'
  | 'portal'
  | 'console'
  | 'oauth'
  | 'cli'
  | 'page'
  | 'worker'

/** What is known of a call before it is authenticated. */
export type AuditContext = {
  surface: SurfaceName
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

export const unauthenticated: Caller = {
  mode: null,
  integration: null,
  organization: null,
  credential: null,
}

export const callerOf = (principal: AnyPrincipal): Caller => ({
  mode: principal.mode,
  integration: principal.integration,
  organization: principal.organization?.id ?? null,
  credential: principal.credential,
})

/** Inserts one row for each row of `outcomes (target, outcome, status, code)`. */
export const insertAuditRows = (
  caller: Caller,
  auditContext: AuditContext,
  outcomes: Statement,
): Statement => sql`
  insert into audit.entries (mode, integration, organization, actor, surface, action, target,
                             outcome, status, code, request, address, agent)
  select ${caller.mode}, ${caller.integration}, ${caller.organization}, ${caller.credential},
         ${auditContext.surface}, ${auditContext.action}, coalesce(x.target, ${auditContext.target}),
         x.outcome, x.status, x.code, ${auditContext.request}, ${auditContext.address}, ${auditContext.agent}
    from (${outcomes}) as x (target, outcome, status, code)`

export const refusedRow = (status: number, code: string, outcome = 'refused'): Statement =>
  sql`select null::text, ${outcome}::text, ${status}::int2, ${code}::text`
