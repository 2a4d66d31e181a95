// Data for a deliveries chart: one bar per hour of a day, or per day of a week. Bars without
// deliveries are included, so a chart has no gaps to interpret.

import { dayMilliseconds, hourMilliseconds } from '#contract/moments.ts'
import { firstIdOf } from '#contract/ids.ts'
import { deliverySpans } from '#contract/portal/reads/webhooks.ts'
import { sql } from '#database/sql.ts'
import { published } from '../../pipeline/publish.ts'
import { read, when } from '../../portal/handler.ts'
import { integrationTenant } from '../../webhooks/endpoint.ts'
import { madeAt } from './made-at.ts'

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
      ), counted as materialized (
        select date_bin(${`1 ${unit}`}::interval, ${madeAt}, ${moment(first)}) as at,
               count(*) filter (where status = 'delivered')::int as delivered,
               count(*) filter (where status = 'failed')::int as failed,
               count(*) filter (where status = 'pending')::int as pending,
               round(percentile_cont(0.5) within group (order by latency_ms))::int as p50_ms,
               round(percentile_cont(0.95) within group (order by latency_ms))::int as p95_ms
          from all_deliveries
         where tenant = ${integrationTenant}
           -- Both ends, although none is later: a plan for any values takes a span to be short,
           -- and what is open at one end to be a third of the table.
           and id >= ${firstIdOf('dlv', first)} and id < ${firstIdOf('dlv', end)}
           and ${madeAt} >= ${moment(first)}
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
