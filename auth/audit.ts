// A call's audit row: who called what, and the outcome. If the call runs a statement of its own,
// that statement inserts the row, so no response exists without its audit row.

import { isId, type Noun, prefixes } from '#contract/ids.ts'
import { isMode, type Mode } from '#contract/operation.ts'
import { problems } from '#contract/problems.ts'
import type { ConnectionPool } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import type { PageRefusal } from '#http/pages/pages.ts'
import type { HttpRequest } from '#http/http-request.ts'
import type { Principal } from './principal.ts'

/** The surface a call came through, or the process that acted on its own. */
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

/** The facts known about a call before it is authenticated. */
export type AuditedCall = {
  surface: SurfaceName
  action: string
  target: string | null
  request: string
  address: string | null
  agent: string | null
  /** The body's shape, without values (clinical/pipeline/body-shape.ts). */
  shape?: string | null
}

export type Caller = {
  mode: Mode | null
  integration: string | null
  organization: string | null
  credential: string | null
  /** The person the credential acts for; null for a key and for a confidential client's token. */
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

/** The columns of an audit row, in insert order. */
export const auditColumns: Statement = sql`
  mode, integration, organization, actor, person, client, surface, action, target, outcome, status,
  code, request, address, agent`

/** Inserts one row for each row of `outcomes (target, outcome, status, code)`. `patients` lists the
 *  patients in the response. */
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

type RefusedPage = {
  readonly names: Readonly<Record<string, string>>
  readonly request: HttpRequest
  readonly session: { readonly id: string; readonly person: { readonly id: string } }
  readonly agent: string | null
}

const idOf = (noun: Noun, text = '') => (isId(prefixes[noun], text) ? text : null)

/** Records that a signed-in person was refused a page or form. Operations write their own rows. */
export async function noteRefusedPage(
  surface: 'console' | 'portal',
  pool: ConnectionPool,
  { names, request, session, agent }: RefusedPage,
  code: PageRefusal,
): Promise<void> {
  const { organization, integration, mode = surface === 'console' ? 'live' : '', ...ids } = names
  const nouns = Object.keys(prefixes) as Noun[]
  const target = Object.values(ids).find(id => nouns.some(noun => isId(prefixes[noun], id))) ?? null
  const caller = {
    mode: isMode(mode) ? mode : null,
    integration: idOf('integration', integration),
    organization: idOf('organization', organization),
    credential: session.id,
    person: session.person.id,
    client: null,
  }
  const action = request.method === 'POST' ? 'sendForm' : 'openPage'
  const { id, address } = request
  const context = { surface, action, target, request: id, address, agent }
  const outcome = refusedRow(problems[code].status, code)
  await pool.use(connection => connection.run(insertAuditRows(caller, context, outcome)))
}
