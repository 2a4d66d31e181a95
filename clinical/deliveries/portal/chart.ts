// Data for a deliveries chart: one bar per hour of a day, or per day of a week. Bars without
// deliveries are included, so a chart has no gaps to interpret.

import { dayMilliseconds, hourMilliseconds } from '#contract/moments.ts'
import { deliverySpans } from '#contract/portal/reads/webhooks.ts'
import { sql } from '#database/sql.ts'
import { published } from '../../pipeline/publish.ts'
import { read, when } from '../../portal/handler.ts'
import { foundIn } from '../count-hours.ts'

const unitMilliseconds = { hour: hourMilliseconds, day: dayMilliseconds } as const

export const getDeliveryChart = read('getDeliveryChart', (call, { span = 'day', ...input }) => {
  const { hours, unit } = deliverySpans[span]
  const width = unitMilliseconds[unit]
  const last = Math.floor(call.realNow / width) * width
  const first = last - hours * unitMilliseconds.hour + width
  // IDs use the sandbox's time, which may be ahead.
  const end = Math.max(last, Math.floor(call.now / width) * width) + width
  const moment = (at: number) => sql`${new Date(at).toISOString()}::timestamptz`
  return {
    rows: sql`
      with starts as materialized (
        select generate_series(${moment(first)}, ${moment(last)}, ${`1 ${unit}`}::interval) as at
      ), ${foundIn(first, end)}, summed as materialized (
        select date_bin(${`1 ${unit}`}::interval, at, ${moment(first)}) as at, status, latency_ms,
               sum(deliveries)::int as n
          from found
         where at >= ${moment(first)}
           ${when(input.webhook_endpoint, one => sql`and webhook_endpoint = ${one}`)}
         group by 1, 2, 3
      ), ranked as (
        select *, sum(n) over (partition by at, latency_ms is null order by latency_ms)
                  / sum(n) over (partition by at, latency_ms is null)::float8 as share
          from summed
      ), bars as materialized (
        select at, sum(n) filter (where status = 'delivered')::int as delivered,
               sum(n) filter (where status = 'failed')::int as failed,
               sum(n) filter (where status = 'pending')::int as pending,
               min(latency_ms) filter (where share >= 0.5) as p50_ms,
               min(latency_ms) filter (where share >= 0.95) as p95_ms
          from ranked group by 1
      )
      select '' as id, ${published(sql`
        (select json_agg(row_to_json(b)) from (
           select iso(at) as at, coalesce(delivered, 0) as delivered, coalesce(failed, 0) as failed,
                  coalesce(pending, 0) as pending, p50_ms, p95_ms
             from starts left join bars using (at) order by at) b) as bars`)} as item`,
  }
})
