// The audit row of a call: who called what, and the outcome. It is inserted by the call's own
// statement wherever there is one, so that no answer exists without its audit row.

import type { Mode } from '#contract/operation.ts'
import { sql, type Statement } from '#database/sql.ts'
import type { Principal } from './principal.ts'

/** Where a call came in, or what acted by itself. */
export type SurfaceName =
  | 'rest'
  | 'mcp'
  | 'portal'
  | 'console'
  | 'oauth'
  | 'cli'
  | 'page'
  | 'pharmacy'
  | 'worker'

/** What is known of a call before it is authenticated. */
export type AuditedCall = {
  surface: SurfaceName
  action: string
  target: string | null
  request: string
  address: string | null
  agent: string | null
  /** The shape of the body, without a value (clinical/pipeline/body-shape.ts). */
  shape?: string | null
}

export type Caller = {
  mode: Mode | null
  integration: string | null
  organization: string | null
  credential: string | null
  /** Whom the credential acts for; null for a key and for the token of a confidential client. */
  person: string | null
  /** The OAuth client; null for a key. */
  client: string | null
}

export const unauthenticated: Caller = {
  mode: null,
  integration: null,
  organization: null,
  credential: null,
  person: null,
  client: null,
}

type Authenticated = Pick<Principal, 'mode' | 'credential' | 'person' | 'client'> & {
  readonly integration: string | null
}

/** A caller without an organization acts for the integration. */
export const callerOf = (
  principal: Authenticated & { organization: Pick<Principal['organization'], 'id'> | null },
): Caller => ({
  mode: principal.mode,
  integration: principal.integration,
  organization: principal.organization?.id ?? null,
  credential: principal.credential,
  person: principal.person,
  client: principal.client,
})

/** Of a row, in the order in which inserts give them. */
export const auditColumns: Statement = sql`
  mode, integration, organization, actor, person, client, surface, action, target, outcome, status,
  code, request, address, agent`

/** Inserts one row for each row of `outcomes (target, outcome, status, code)`. `patients`: those that
 *  the answer shows. */
export const insertAuditRows = (
  caller: Caller,
  audited: AuditedCall,
  outcomes: Statement,
  patients: Statement = sql`null::text[]`,
): Statement => sql`
  insert into audit.entries (${auditColumns}, shape, patients)
  select ${caller.mode}, ${caller.integration}, ${caller.organization}, ${caller.credential},
         ${caller.person}, ${caller.client}, ${audited.surface}, ${audited.action},
         coalesce(x.target, ${audited.target}), x.outcome, x.status, x.code,
         ${audited.request}, ${audited.address}, ${audited.agent},
         ${audited.shape ?? null}, ${patients}
    from (${outcomes}) as x (target, outcome, status, code)`

export const refusedRow = (status: number, code: string, outcome = 'refused'): Statement =>
  sql`select null::text, ${outcome}::text, ${status}::int2, ${code}::text`
