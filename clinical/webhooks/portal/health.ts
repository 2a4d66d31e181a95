import { sql } from '#database/sql.ts'
import { tenantNow } from '../../pipeline/clock.ts'
import { paging } from '../../pipeline/pages.ts'
import { idAndItem } from '../../pipeline/publish.ts'
import { read } from '../../portal/handler.ts'
import { integrationTenant } from '../endpoint.ts'

// The failures are the rows that disable the endpoint when they are enough. A delivery's id begins
// with the moment it was made, so the last day is a span of the endpoint's index.
export const listEndpointHealth = read('listEndpointHealth', (_call, input) => ({
  rows: sql`
    select ${idAndItem(sql`
             id, failures, delivered, failed, pending, iso(last_attempt_at) as last_attempt_at`)}
      from (
        select w.id, f.failures, d.*
          from webhook_endpoints w
          cross join lateral (
            select count(*)::int as failures from failed_events
             where tenant = w.tenant and webhook_endpoint = w.id) f
          cross join lateral (
            select count(*) filter (where status = 'delivered')::int as delivered,
                   count(*) filter (where status = 'failed')::int as failed,
                   count(*) filter (where status = 'pending')::int as pending,
                   max(last_attempt_at) as last_attempt_at
              from deliveries
             where tenant = w.tenant and webhook_endpoint = w.id
               and id >= ulid('dlv', ${tenantNow} - interval '1 day', '')) d
         where w.tenant = ${integrationTenant}) health
     where true ${paging(input)}`,
}))
