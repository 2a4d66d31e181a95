// A logged call as the API returns it. The log belongs to the integration, so the log survives a
// sandbox reset, and includes refused calls without an organization. Calls for another organization
// are hidden, because a key may be limited to one organization, and each organization grants its
// own scopes.

import { sql, type Statement } from '#database/sql.ts'
import type { Principal } from '#auth/principal.ts'
import type { Scope } from '#contract/scopes.ts'
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

/** The calls this caller may read, as the tail of a select. */
export const requestsOf = ({
  principal,
}: {
  principal: Pick<Principal, 'organization'>
}): Statement => sql`
  from requests r where r.tenant = ${integrationTenant}
   and (r.organization = ${principal.organization.id} or r.organization is null)`

/** The audit's compact form (clinical/pipeline/body-shape.ts), as published. */
const bodyColumn: Statement = sql`
  case when shape is not null then (select row_to_json(b) from (
    select (select coalesce(json_agg(row_to_json(f)), '[]') from (
              select '#/' || m.key as pointer,
                     array(select distinct split_part(t, ' ', 1)
                             from unnest(string_to_array(m.value, '|')) t order by 1) as types,
                     substring(m.value from '^array ([0-9]+)$')::int as length
                from json_each_text(shape) with ordinality as m (key, value, n)
               where m.key <> '' order by m.n) f) as fields,
           coalesce((shape ->> '')::int, 0) as unknown_fields) b) end as body`

/** Joins endpoints first, because a delivery is found by its endpoint and event. */
const deliveriesOfEvents: Statement = sql`
  (select coalesce(json_agg(row_to_json(x) order by x.id), '[]') from (
    select d.id, d.event, d.webhook_endpoint, d.status, d.attempt, d.http_status, d.error,
           iso(d.next_attempt_at) as next_attempt_at
      from json_to_recordset(coalesce(r.events, '[]')) as e (id text)
     cross join webhook_endpoints w
      join all_deliveries d on d.tenant = w.tenant and d.webhook_endpoint = w.id and d.event = e.id
       and not d.redelivery
     where w.tenant = r.tenant) x)`

export const requestDetails = (call: {
  principal: Pick<Principal, 'mode'> & { scopes: readonly Scope[] }
}): Statement => sql`
  ${requestColumns(call)}, ${bodyColumn}, coalesce(r.events, '[]') as events,
  ${call.principal.scopes.includes('webhooks:manage') ? deliveriesOfEvents : sql`null::json`} as deliveries`
