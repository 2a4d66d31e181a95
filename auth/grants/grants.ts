// Clinics' grants to an integration: its owners request access in live mode, and a person outside
// the integration decides. The database decides each change and writes its audit row
// (migrations/0006_administration.sql).
import type { Mode } from '#contract/operation.ts'
import type { Scope } from '#contract/scopes.ts'
import type { Connection, Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import type { ActOfClinic } from '../clinics/staff.ts'
import { newId } from '../ids.ts'
import { type Act, actOf, refusalOf } from '../act.ts'

export type GrantStatus = 'pending' | 'active' | 'declined' | 'revoked' | 'withdrawn' | 'lapsed'

export type GrantRow = Row & {
  id: string
  integration: string
  integration_name: string
  organization: string
  organization_name: string
  is_sandbox: boolean
  mode: Mode
  status: GrantStatus
  /** The scopes the clinic granted; empty until it decides. */
  scopes: string[]
  /** Null if access was granted without a request. */
  requested_scopes: string[] | null
  requested_by_name: string | null
  note: string | null
  created_at: string
  lapses_at: string | null
  decided_at: string | null
  decided_by_name: string | null
  decision_note: string | null
  ended_at: string | null
  /** Null if nobody ended the grant or withdrew the request. */
  ended_by_name: string | null
}

const grantsWhere = (condition: Statement) => sql`
  select g.id, g.integration, i.name as integration_name, g.organization,
         o.name as organization_name, o.sandbox_of is not null as is_sandbox, g.mode,
         case when g.status = 'pending' and g.lapses_at <= clock_timestamp() then 'lapsed'
              else g.status end as status,
         g.scopes, g.requested_scopes, p.name as requested_by_name, g.note,
         iso(g.created_at) as created_at, iso(g.lapses_at) as lapses_at,
         iso(g.decided_at) as decided_at, d.name as decided_by_name, g.decision_note,
         iso(coalesce(g.ended_at, case when g.lapses_at <= clock_timestamp()
                                        and g.status = 'pending' then g.lapses_at end)) as ended_at,
         e.name as ended_by_name
    from auth.grants g
    join auth.integrations i on i.id = g.integration
    join auth.organizations o on o.id = g.organization
    left join auth.persons p on p.id = g.requested_by
    left join auth.persons d on d.id = g.decided_by
    left join auth.persons e on e.id = g.ended_by
   where ${condition}
   order by g.status not in ('active', 'pending'), g.created_at desc, g.id desc`

/** As many as a page shows. */
const pageOf = (condition: Statement) => sql`${grantsWhere(condition)} limit 500`

/** Lists an integration's grants in a mode: current grants first, then ended grants, newest
 *  first. */
export const listGrants = (
  connection: Connection,
  { integration, mode }: { integration: string; mode: Mode },
): Promise<GrantRow[]> =>
  connection.run<GrantRow>(pageOf(sql`g.integration = ${integration} and g.mode = ${mode}`))

/** Lists the grants requested from a clinic, for its administrators. */
export const listGrantsOfClinic = (
  connection: Connection,
  organization: string,
): Promise<GrantRow[]> =>
  connection.run<GrantRow>(pageOf(sql`g.organization = ${organization} and g.mode = 'live'`))

/** Lists every integration's live grants, for the operator. */
export const listLiveGrants = (connection: Connection): Promise<GrantRow[]> =>
  connection.run<GrantRow>(grantsWhere(sql`g.mode = 'live'`))

export type RefusedGrantChange =
  | 'unknown_integration'
  | 'owner_required'
  | 'unknown_scope'
  | 'unknown_organization'
  | 'unknown_person'
  | 'already_requested'
  | 'own_grant'
  | 'incident_email_required'
  | 'not_found'

type GrantChange<R> = { readonly refusal: R | null; readonly id: string }

/** The person may be on the clinic's staff without being an administrator. */
export type RefusedGrantOfClinic = RefusedGrantChange | 'admin_required'

async function decide<R extends RefusedGrantOfClinic = RefusedGrantChange>(
  connection: Connection,
  id: string,
  statement: Statement,
): Promise<GrantChange<R>> {
  return { refusal: await refusalOf<R>(connection, statement), id }
}

export type GrantRequest = {
  readonly integration: string
  readonly organization: string
  readonly scopes: readonly Scope[]
  /** The note to the clinic, or '' for none. */
  readonly note: string
}

export function requestGrant(connection: Connection, asked: GrantRequest, act: Act) {
  const id = newId('grant')
  const statement = sql`auth.request_grant(${id}, ${asked.integration}, ${asked.organization},
    ${asked.scopes}::text[], ${asked.note}, ${actOf(act)})`
  return decide(connection, id, statement)
}

export const withdrawGrant = (
  connection: Connection,
  { id, integration }: { id: string; integration: string },
  act: Act,
) => decide(connection, id, sql`auth.withdraw_grant(${id}, ${integration}, ${actOf(act)})`)

/** Null `scopes` means the request is declined. */
type GrantDecision = { id: string; scopes: readonly Scope[] | null; note: string }

/** Records `act.person`'s decision on a grant, for the operator's command. */
export const decideGrant = (
  connection: Connection,
  { id, scopes, note }: GrantDecision,
  act: Act,
) =>
  decide(connection, id, sql`auth.decide_grant(${id}, ${scopes}::text[], ${note}, ${actOf(act)})`)

export const revokeGrant = (connection: Connection, id: string, act: Act) =>
  decide(connection, id, sql`auth.revoke_grant(${id}, ${actOf(act)})`)

/** Records a decision on a grant by `act.person`, an administrator of the clinic
 *  `act.organization`. */
export const decideGrantOfClinic = (
  connection: Connection,
  { id, scopes, note }: GrantDecision,
  act: ActOfClinic,
) =>
  decide<RefusedGrantOfClinic>(
    connection,
    id,
    sql`auth.decide_grant_of_clinic(${id}, ${act.organization}, ${scopes}::text[], ${note},
      ${actOf(act)})`,
  )

export const revokeGrantOfClinic = (connection: Connection, id: string, act: ActOfClinic) =>
  decide<RefusedGrantOfClinic>(
    connection,
    id,
    sql`auth.revoke_grant_of_clinic(${id}, ${act.organization}, ${actOf(act)})`,
  )
