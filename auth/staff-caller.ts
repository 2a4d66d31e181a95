// A staff member's session as a call's credential, for one clinic in live mode, with that person's
// roles and licenses. The console's role can't read sessions, so two database functions
// (migrations/0008_clinics.sql) find a session's staff member and check that the session is still
// valid.
//
// Nothing is cached: the lookup sets the organization on the connection, and the tenant of the
// resource that the call names, if it belongs to the organization.

import type { StaffRole } from '#contract/console/row.ts'
import { isId, prefixes } from '#contract/ids.ts'
import { type Connection, type Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import type { FoundCaller } from './credential-cache.ts'
import { guardBy } from './guard.ts'
import { hashArray, hashesOf, type Peppers } from './pepper.ts'
import type { PresentedCredential } from './principal.ts'

export type Staff = {
  /** The name patients see. */
  readonly name: string
  readonly roles: readonly StaffRole[]
  /** When the staff member's emergency access ends. Null if they have none. */
  readonly emergencyUntil: string | null
  /** The states where the staff member holds a license valid today. */
  readonly states: readonly string[]
  /** Seconds since the second factor was confirmed. Null if it wasn't in this session. */
  readonly factorSeconds: number | null
}

export type StaffCaller = FoundCaller & {
  readonly organization: string
  readonly revision: string
  readonly staff: Staff
}

type PresentedStaff = {
  readonly token: string
  readonly organization: string
  /** The ID of a case, document, order or patient; null for a list. */
  readonly resource: string | null
}

export function presentStaff(
  peppers: Peppers,
  { token, organization, resource }: PresentedStaff,
): PresentedCredential {
  const hashes = hashesOf(peppers, token)
  const [newest] = peppers
  const name = ['staff', hashes[0].toHex(), organization].join(' ')
  return { hashes, mode: 'live', organization, audience: 'api', name, newest, resource }
}

type StaffRow = Row & {
  id: string | null
  person: string
  name: string
  roles: StaffRole[]
  emergency_until: string | null
  states: string[]
  factor_seconds: number | null
  revision: string
}

/** A session's staff member, or null if the session has ended or its person isn't on the
 *  organization's staff. */
export async function findStaff(
  connection: Connection,
  { hashes, organization, resource = null }: PresentedCredential,
): Promise<StaffCaller | null> {
  connection.tenant = undefined
  const [found] = await connection.run<StaffRow>(sql`
    with found as materialized (
      select id, person, name, roles, iso(emergency_until) as emergency_until, states, factor_seconds,
             revision::text as revision
        from auth.staff_of_session(${hashArray(hashes)}, ${organization})
    ), opened as materialized (
      select set_config('app.organization', coalesce((select ${organization} from found), ''), false),
             set_config('app.tenant', '', false)
    )
    select f.* from opened left join found f on true`)
  if (!found?.id || organization === null) return null
  const place = resource === null ? null : await openTenantOf(connection, organization, resource)
  const tenant = place?.tenant ?? ''
  connection.tenant = tenant
  const { id, person, name, roles, states, factor_seconds: factorSeconds, revision } = found
  const { emergency_until: emergencyUntil } = found
  return {
    credential: {
      id,
      kind: 'session',
      mode: 'live',
      client: null,
      person,
      integration: place?.integration ?? null,
    },
    tenant,
    ahead: 0,
    organization,
    revision,
    staff: { name, roles, emergencyUntil, states, factorSeconds },
  }
}

const tables: readonly (readonly [keyof typeof prefixes, Statement])[] = [
  ['bulk_export', sql`bulk_exports`],
  ['bulk_file', sql`bulk_files`],
  ['case', sql`cases`],
  ['file', sql`files`],
  ['integration', sql`(select integration as id, id as tenant from tenants)`],
  ['note', sql`records.notes`],
  ['order', sql`orders`],
  ['patient', sql`patients`],
  ['visit', sql`visits`],
]

/** Sets the tenant of a resource in the connection's organization. */
async function openTenantOf(connection: Connection, organization: string, resource: string) {
  const [, table] = tables.find(([noun]) => isId(prefixes[noun], resource)) ?? []
  if (table === undefined) return null
  const [place] = await connection.run<{ tenant: string; integration: string | null }>(sql`
    with place as materialized (
      select t.id::text as tenant, t.integration from ${table} r join tenants t on t.id = r.tenant
       where r.id = ${resource} and t.organization = ${organization}
    )
    select set_config('app.tenant', coalesce((select tenant from place), ''), false) as tenant,
           (select integration from place) as integration`)
  return place
}

/** Whether the session is valid in the call's snapshot, on this connection. */
const standing = ({ credential, tenant, organization, revision }: StaffCaller) => sql`
  select false as stale
   where current_setting('app.organization', true) = ${organization}
     and current_setting('app.tenant', true) = ${tenant}
     and auth.staff_stands(${credential.id}, ${organization}, ${revision}::bigint)`

/** Clears the tenant, because a connection that lost its settings needs a new lookup. */
const opening = () => sql`select set_config('app.tenant', '', false)`

export const guardStaff = guardBy<StaffCaller>({ standing, opening, marksUse: false })
