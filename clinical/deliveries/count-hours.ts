// Counts each past hour's deliveries, so a week's chart doesn't read every delivery. An hour is
// counted once, when none of its deliveries is pending, because finished deliveries don't change.
// Until then, a chart reads the deliveries themselves.

import { modes } from '#contract/operation.ts'
import type { Connection } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import type { Job } from '../jobs/job.ts'
import { integrationTenant } from '../webhooks/endpoint.ts'
import { madeAt } from './made-at.ts'

/** Longer than all retries of a delivery take. */
const lookBackHours = 72

/** The chart's week, plus a day of margin. */
const keptHours = 8 * 24

/** Time for a statement that created a delivery at the end of an hour to commit. */
const marginMinutes = 5

const inHour = (id: Statement, tenant: Statement): Statement => sql`
  ${tenant} = e.tenant and ${id} >= ulid('dlv', e.hour, '')
   and ${id} < ulid('dlv', e.hour + interval '1 hour', '')`

/** Returns how many hours were counted, over all tenants. */
export async function countHours(connection: Connection, hours = lookBackHours): Promise<number> {
  const rows = await connection.run(sql`
    with ended as materialized (
      select e.tenant, e.hour
        from (select t.id as tenant, date_trunc('hour', now() + t.ahead_ms * interval '1 ms'
                       - ${marginMinutes}::int * interval '1 minute', 'UTC')
                     - n * interval '1 hour' as hour
                from tenants t cross join generate_series(1, ${hours}::int) n
               where t.id in (select tenant from endpoint_queues)) e
       where not exists (select from delivery_counts c where c.tenant = e.tenant and c.hour = e.hour)
         and exists (select from deliveries d where ${inHour(sql`d.id`, sql`d.tenant`)})
         and not exists (
           select from due_deliveries q where ${inHour(sql`q.delivery`, sql`q.tenant`)})
    ), counted as (
      insert into delivery_counts (tenant, hour, made_hour, webhook_endpoint, event_tenant, status,
                                   latency_ms, deliveries, last_attempt_at)
      select e.tenant, e.hour, d.* from ended e cross join lateral (
        select date_trunc('hour', ${madeAt}, 'UTC'), webhook_endpoint, event_tenant, status,
               coalesce(round(10 ^ (round(20 * log(greatest(latency_ms, 1)::float8)) / 20)), -1)::int,
               count(*), max(last_attempt_at)
          from deliveries d where ${inHour(sql`d.id`, sql`d.tenant`)} group by 1, 2, 3, 4, 5) d
          on conflict do nothing
    )
    select 1 as one from ended`)
  await connection.run(sql`
    delete from delivery_counts where hour < now() - ${keptHours}::int * interval '1 hour'`)
  return rows.length
}

export const countHoursJob: Job = {
  name: 'webhooks.count',
  everySeconds: 300,
  async run({ pools }) {
    let hours = 0
    for (const mode of modes) hours += await pools[mode].use(connection => countHours(connection))
    return hours > 0 ? { hours } : undefined
  },
}

/** CTEs that end with `found`: the integration's deliveries with an ID in a span, grouped by hour
 *  if the hour is counted, otherwise one by one. `at` is a delivery's real time, or the counted
 *  hour. */
export const foundIn = (from: number, to: number): Statement => {
  const moment = (at: number) => sql`${new Date(at).toISOString()}::timestamptz`
  const [start, end] = [moment(from), moment(to)]
  return sql`
    counted as materialized (
      select * from delivery_counts
       where tenant = ${integrationTenant} and hour >= ${start} and hour < ${end}
    ), gaps as materialized (
      select ulid('dlv', start_at, '') as first_id, ulid('dlv', end_at, '') as end_id from (
        select coalesce(lag(hour) over (order by hour) + interval '1 hour', ${start}) as start_at,
               hour as end_at
          from (select distinct hour from counted) h
         union all
        select coalesce(max(hour) + interval '1 hour', ${start}), ${end} from counted) g
       where start_at < end_at
    ), found as (
      select made_hour as at, webhook_endpoint, status, nullif(latency_ms, -1) as latency_ms,
             deliveries, last_attempt_at
        from counted
       union all
      select ${madeAt}, webhook_endpoint, status, latency_ms, 1, last_attempt_at
        from gaps cross join lateral (
          select * from all_deliveries
           where tenant = ${integrationTenant}
             and id >= first_id and id < end_id
           -- The fence makes this read each gap by ID.
           offset 0) d
    )`
}
