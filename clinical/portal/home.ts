// The sandbox's progress, and recent cases by status.

import { caseGroups, caseTransitions, orderTransitions } from '#contract/states.ts'
import { sql, type Statement } from '#database/sql.ts'
import { tenantOf } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'
import { consentStatus } from '../consents/consent.ts'
import { requestsOf } from '../requests/request.ts'
import { integrationTenant } from '../webhooks/endpoint.ts'
import { read } from './handler.ts'

const newest = (from: Statement) => sql`(select id ${from} order by id desc limit 1)`

export const getLoop = read('getLoop', call => {
  const tenant = sql`tenant = ${tenantOf(call)}`
  const consent = (kind: string) => sql`(
    select id from consents where ${tenant} and patient = p.id and kind = ${kind}
       and status = 'current' and ${consentStatus} = 'current')`
  const caseWith = (statuses: readonly string[]) => sql`(
    select "case" from orders where ${tenant} and status = any (${statuses}::text[])
     order by id desc limit 1)`
  const calls = requestsOf(call)
  return {
    rows: sql`
      select '' as id, ${published(sql`
        exists (select ${calls} and status < 400) as called,
        p.id as patient, ${consent('telehealth')} as telehealth, ${consent('privacy')} as privacy,
        ${newest(sql`from cases where ${tenant}`)} as "case",
        ${newest(sql`from cases where ${tenant} and status = any (${caseTransitions.decide.from}::text[])`)} as case_to_decide,
        ${caseWith(orderTransitions.ship.from)} as case_to_ship,
        ${caseWith(orderTransitions.deliver.from)} as case_to_deliver,
        exists (select from cases where ${tenant} and status in ('approved', 'declined')) as decided,
        exists (select from orders where ${tenant} and status in ('shipped', 'delivered')) as shipped,
        exists (select from orders where ${tenant} and status = 'delivered') as delivered,
        ${newest(sql`from webhook_endpoints where tenant = ${integrationTenant}`)} as endpoint,
        -- One row per endpoint: a semijoin would first read all deliveries of the integration.
        exists (select from webhook_endpoints w cross join lateral (
                  select from deliveries d where d.tenant = w.tenant
                     and d.webhook_endpoint = w.id and d.status = 'delivered' limit 1) d
                 where w.tenant = ${integrationTenant}) as received,
        exists (select ${calls} and operation = 'createRealtimeToken' and status < 400) as realtime`)} as item
        from (select 1) one left join lateral (
          select id from patients where ${tenant} and deleted_at is null
           order by id desc limit 1) p on true`,
  }
})

const days = 14

/** Every day has a row, even without cases. Days follow the tenant's clock, in UTC. */
export const countCases = read('countCases', call => {
  const [first, ...others] = Object.entries(caseGroups).map(
    ([name, statuses]) =>
      sql`${name}::text, count(c.id) filter (where c.status = any (${statuses}::text[]))`,
  )
  const counts = others.reduce((all, one) => sql`${all}, ${one}`, first ?? sql``)
  return {
    rows: sql`
      with today as materialized (select date_trunc('day', tenant_now(), 'UTC') as start)
      select '' as id, json_build_object('days', (
        select json_agg(d.item order by d.start) from (
          select s.start, json_build_object('start', iso(s.start), ${counts}) as item
            from today t cross join lateral generate_series(
                   t.start - ${days - 1}::int * interval '1 day', t.start, '1 day') as s (start)
            left join cases c on c.tenant = ${tenantOf(call)}
             and c.id >= ulid('case', s.start, '') and c.id < ulid('case', s.start + interval '1 day', '')
           group by s.start) d))::text as item
        from today`,
  }
})
