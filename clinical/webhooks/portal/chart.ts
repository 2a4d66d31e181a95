// The numbers of a chart of deliveries: one bar for each hour of a day, or each day of a week. Bars
// without a delivery are there as well, so that a chart has no gaps to guess at.

import { deliverySpans } from '#contract/portal/reads/webhooks.ts'
import { sql } from '#database/sql.ts'
import { tenantNow } from '../../pipeline/clock.ts'
import { published } from '../../pipeline/publish.ts'
import { read, when } from '../../portal/handler.ts'
import { integrationTenant } from '../endpoint.ts'

export const getDeliveryChart = read('getDeliveryChart', (_call, { span = 'day', ...input }) => {
  const { hours, unit } = deliverySpans[span]
  const width = sql`${`1 ${unit}`}::interval`
  return {
    rows: sql`
      with span as materialized (
        select date_trunc(${unit}, ${tenantNow}, 'UTC') as last
      ), starts as materialized (
        select generate_series(last - ${hours}::int * interval '1 hour' + ${width}, last, ${width}) as at
          from span
      ), counted as materialized (
        select date_trunc(${unit}, created_at, 'UTC') as at,
               count(*) filter (where status = 'delivered')::int as delivered,
               count(*) filter (where status = 'failed')::int as failed,
               count(*) filter (where status = 'pending')::int as pending,
               round(percentile_cont(0.5) within group (order by latency_ms))::int as p50_ms,
               round(percentile_cont(0.95) within group (order by latency_ms))::int as p95_ms
          from deliveries
         where tenant = ${integrationTenant}
           and id >= (select ulid('dlv', min(at), '') from starts)
           ${when(input.webhook_endpoint, one => sql`and webhook_endpoint = ${one}`)}
         group by 1
      )
      select '' as id, ${published(sql`
        (select json_agg(row_to_json(b)) from (
           select iso(at) as at, coalesce(delivered, 0) as delivered, coalesce(failed, 0) as failed,
                  coalesce(pending, 0) as pending, p50_ms, p95_ms
             from starts left join counted using (at) order by at) b) as bars`)} as item`,
  }
})
