// The events table after months of use: one tenant with a given number of events, and other
// tenants' events from the same period. Ids and timestamps look like real writes' ids and
// timestamps.
import { dayMilliseconds } from '#contract/moments.ts'
import { SQL } from 'bun'
import { now } from '#database/clock.ts'
import type { BenchEnvironment } from '../harness/environment.ts'

/** The API returns sandbox rows for thirty days, so the events start within that period. */
export const firstMoment = now() - 25 * dayMilliseconds
export const millisecondsApart = 7
const batch = 100_000
const othersPerHundred = 20

/** Each type's cumulative share of a hundred events. */
const shares = `(values (30, 'case.in_review.v1'), (50, 'case.approved.v1'), (70, 'case.queued.v1'),
  (85, 'patient.created.v1'), (99, 'consent.recorded.v1'), (100, 'order.failed.v1')) as t (upto, type)`

const filling = `
  insert into test.events (tenant, id, type, resource_type, resource_id, status, previous_status, created_at)
  select n.tenant, public.ulid('evt', n.at, substr(md5(n.i::text || n.tenant), 1, 16)), t.type,
         split_part(t.type, '.', 1),
         public.ulid(left(split_part(t.type, '.', 1), 4), n.at, substr(md5('r' || n.i), 1, 16)),
         split_part(t.type, '.', 2), case when n.i % 3 = 0 then null else 'queued' end, n.at
    from (select i, s.tenant,
                 to_timestamp($1::bigint / 1000.0) + (i * $2::int + s.later) * interval '1 ms' as at
            from generate_series($3::bigint, $4::bigint) i
            join (select $5::bigint as tenant, 0 as later, 100 as share
                  union all select 1000000 + o, o, $6::int / 4 from generate_series(1, 4) o) s
              on (i * 37) % 100 < s.share) n,
         lateral (select type from ${shares} where n.i % 100 < upto order by upto limit 1) t`

/** The events are written in batches, because one statement would be a one-gigabyte transaction. */
export async function fillEvents(
  { url }: BenchEnvironment,
  tenant: string,
  rows: number,
): Promise<void> {
  const connection = new SQL(url, { max: 1 })
  try {
    for (let from = 0; from < rows; from += batch) {
      const to = Math.min(rows, from + batch) - 1
      const values = [firstMoment, millisecondsApart, from, to, tenant, othersPerHundred]
      await connection.unsafe(filling, values)
    }
    await connection.unsafe('vacuum analyze test.events')
  } finally {
    await connection.close()
  }
}
