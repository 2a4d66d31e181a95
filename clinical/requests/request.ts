// A call's published form. The log belongs to the integration, so that a sandbox's reset keeps it
// and refused calls without an organization are in it; a call of another organization is hidden,
// because a key may be limited to one, and each organization grants scopes of its own.

import { sql, type Statement } from '#database/sql.ts'
import type { Principal } from '#auth/principal.ts'
import { integrationTenant } from '../webhooks/endpoint.ts'

export const requestColumns = ({
  principal,
}: {
  principal: Pick<Principal, 'mode'>
}): Statement => sql`
  id, iso(created_at) as created_at, ${principal.mode}::text as mode, organization,
  (select row_to_json(k) from (
     select c.id, c.name, c.last4 from auth.credentials c where c.id = r.credential) k) as credential,
  surface, operation, method, path, target, status, code, replayed, duration_ms`

/** The calls that this caller may read, as the tail of a select. */
export const requestsOf = ({
  principal,
}: {
  principal: Pick<Principal, 'organization'>
}): Statement => sql`
  from requests r where r.tenant = ${integrationTenant}
   and (r.organization = ${principal.organization.id} or r.organization is null)`
