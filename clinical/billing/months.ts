// Counts recent months' charges for a chart in the portal.
import { sql } from '#database/sql.ts'
import { countsCharges } from '../modes.ts'
import { tenantOf } from '../pipeline/handler.ts'
import { read } from '../portal/handler.ts'

const months = 12

/** Lists UTC months up to the current one, each with its charge kinds, if any. */
export const countCharges = read('countCharges', call => ({
  rows: sql`
    with month as (
      select s.start at time zone 'UTC' as start, (s.start + interval '1 month') at time zone 'UTC' as "end"
        from (select date_trunc('month', ${new Date(call.now).toISOString()}::timestamptz at time zone 'UTC') as start) today
        cross join lateral generate_series(
          today.start - ${months - 1}::int * interval '1 month', today.start, '1 month') as s (start)
    )
    select '' as id, json_build_object('months', json_agg(json_build_object(
             'start', iso(m.start), 'kinds', k.kinds) order by m.start))::text as item
      from month m cross join lateral (
        select coalesce(json_agg(row_to_json(c) order by c.kind, c.currency), '[]') as kinds from (
          select kind, currency, sum(sign(amount))::int as count, sum(amount)::bigint as amount
            from charges
           where tenant = ${tenantOf(call)} and created_at >= m.start and created_at < m."end"
             and ${countsCharges(call.principal.mode)}
           group by kind, currency) c) k`,
}))
