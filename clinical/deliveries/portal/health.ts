import { dayMilliseconds } from '#contract/moments.ts'
import { firstIdOf } from '#contract/ids.ts'
import { sql } from '#database/sql.ts'
import { paging } from '../../pipeline/pages.ts'
import { idAndItem } from '../../pipeline/publish.ts'
import { read } from '../../portal/handler.ts'
import { integrationTenant } from '../../webhooks/endpoint.ts'
import { madeAt } from './made-at.ts'

// The failures are the rows that, in sufficient number, disable the endpoint. A delivery's ID
// starts with its creation time, so a day is a range of the primary key, read once for all
// endpoints. Both ends are given, although none is later, because a generic plan then assumes a
// short range.
export const listEndpointHealth = read('listEndpointHealth', (call, input) => ({
  rows: sql`
    with day as materialized (
      select webhook_endpoint as id, count(*) filter (where status = 'delivered')::int as delivered,
             count(*) filter (where status = 'failed')::int as failed,
             count(*) filter (where status = 'pending')::int as pending,
             max(last_attempt_at) as last_attempt_at
        from all_deliveries
       where tenant = ${integrationTenant}
         and id >= ${firstIdOf('dlv', call.realNow - dayMilliseconds)} and id < ${firstIdOf('dlv', call.now + dayMilliseconds)}
         and ${madeAt} >= ${new Date(call.realNow - dayMilliseconds).toISOString()}::timestamptz
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
