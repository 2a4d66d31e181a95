import { dayMilliseconds } from '#contract/moments.ts'
import { sql } from '#database/sql.ts'
import { paging } from '../../pipeline/pages.ts'
import { idAndItem } from '../../pipeline/publish.ts'
import { read } from '../../portal/handler.ts'
import { integrationTenant } from '../../webhooks/endpoint.ts'
import { foundIn } from '../count-hours.ts'

// Failures are counted in `failed_events`, whose rows also decide when an endpoint is disabled.
const dayAgo = ({ realNow }: { realNow: number }) => realNow - dayMilliseconds

export const listEndpointHealth = read('listEndpointHealth', (call, input) => ({
  rows: sql`
    with ${foundIn(dayAgo(call), call.now + dayMilliseconds)}, day as materialized (
      select webhook_endpoint as id,
             coalesce(sum(deliveries) filter (where status = 'delivered'), 0)::int as delivered,
             coalesce(sum(deliveries) filter (where status = 'failed'), 0)::int as failed,
             coalesce(sum(deliveries) filter (where status = 'pending'), 0)::int as pending,
             max(last_attempt_at) as last_attempt_at
        from found where at >= ${new Date(dayAgo(call)).toISOString()}::timestamptz
       group by 1
    )
    select ${idAndItem(sql`
             id, failures, delivered, failed, pending, iso(last_attempt_at) as last_attempt_at`)}
      from (
        select w.id, d.last_attempt_at, coalesce(d.delivered, 0) as delivered,
               coalesce(d.failed, 0) as failed, coalesce(d.pending, 0) as pending,
               (select count(*)::int from failed_events
                 where tenant = w.tenant and webhook_endpoint = w.id) as failures
          from webhook_endpoints w left join day d using (id)
         where w.tenant = ${integrationTenant}) health
     where true ${paging(input)}`,
}))
