// The numbers of a chart of deliveries: one bar for each hour of a day, or each day of a week. Bars
// without a delivery are there as well, so that a chart has no gaps to guess at.

import { deliverySpans } from '#contract/portal/reads/webhooks.ts'
import { firstIdOf } from '#contract/ids.ts'
import { nothing, sql } from '#database/sql.ts'
import { read } from '../../portal/handler.ts'
import { integrationTenant } from '../endpoint.ts'

const hourMilliseconds = 3_600_000

export const getDeliveryChart = read('getDeliveryChart', (call, { span = 'day', ...input }) => {
  const { hours, barHours } = deliverySpans[span]
  const width = barHours * hourMilliseconds
  const until = Math.floor(call.now / width) * width
  const since = until - hours * hourMilliseconds + width
  const { webhook_endpoint: endpoint } = input
  return {
    rows: sql`
      with counted as (
        select floor(extract(epoch from created_at) * 1000 / ${width}::float8)::bigint as bar,
               count(*) filter (where status = 'delivered')::int as delivered,
               count(*) filter (where status = 'failed')::int as failed,
               count(*) filter (where status = 'pending')::int as pending,
               round(percentile_cont(0.5) within group (order by latency_ms))::int as p50_ms,
               round(percentile_cont(0.95) within group (order by latency_ms))::int as p95_ms
          from deliveries
         where tenant = ${integrationTenant} and id >= ${firstIdOf('dlv', since)}
           ${endpoint === undefined ? nothing : sql`and webhook_endpoint = ${endpoint}`}
         group by 1
      )
      select '' as id, (select row_to_json(r)::text from (
        select coalesce(json_agg(row_to_json(b)), '[]') as bars from (
          select iso(to_timestamp(at / 1000)) as at, coalesce(delivered, 0) as delivered,
                 coalesce(failed, 0) as failed, coalesce(pending, 0) as pending, p50_ms, p95_ms
            from generate_series(${since}::bigint, ${until}::bigint, ${width}::bigint) at
            left join counted on bar = at / ${width}::bigint
           order by at) b) r) as item`,
  }
})
