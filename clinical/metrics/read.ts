// One statement for each metric, whose rows have the columns listed in contract/preview/metrics.ts.
// An index limits how much each statement reads, so a hundred thousand cases take a few dozen
// milliseconds.

import { type MetricName, metrics } from '#contract/preview/metrics.ts'
import { limits } from '#contract/limits.ts'
import { caseGroups, caseStatuses } from '#contract/states.ts'
import { sql, type Statement } from '#database/sql.ts'
import { findMedication } from '../medications/medication.ts'
import { tenantNow } from '../pipeline/clock.ts'
import { tenantOf } from '../pipeline/handler.ts'
import { read } from '../preview/handler.ts'

const firstWeek = sql`
  (select date_trunc('week', ${tenantNow}, 'UTC')
            - ${limits.metricWeeks - 1}::int * interval '7 days' as at)`

/** The last weeks by the tenant's clock, up to the current one. */
const weeks = sql`
  (select first.at + n * interval '7 days' as start
     from ${firstWeek} first cross join generate_series(0, ${limits.metricWeeks - 1}::int) n) w`

/** The week that a timestamp is in. */
const weekOf = (at: Statement) => sql`date_bin('7 days', ${at}, ${firstWeek})`

const decided = sql`status in ('approved', 'declined')`
const countOf = (statuses: readonly string[]) =>
  sql`coalesce(sum(c.count) filter (where c.status = any (${statuses}::text[])), 0)`

/** Each statement reads a covering index: by status, by week of decision, or the latest decisions.
 *  The lateral joins give each scan one status or week, so the planner has no cheaper plan. */
const statements: Readonly<Record<MetricName, (tenant: Statement) => Statement>> = {
  cases_by_status: tenant => sql`
    select iso(w.start) as week, ${countOf(caseGroups.approved)} as approved,
           ${countOf(caseGroups.open)} as open, ${countOf(caseGroups.waiting)} as waiting,
           ${countOf(caseGroups.declined)} as declined, ${countOf(caseGroups.ended)} as ended
      from ${weeks} left join (
        select s.status, n.week, n.count
          from unnest(${caseStatuses}::text[]) as s (status) cross join lateral (
            select ${weekOf(sql`created_at`)} as week, count(*) as count from cases c
             where c.tenant = ${tenant} and c.status = s.status
               and c.id >= (select ulid('case', at, '') from ${firstWeek} f)
             group by 1) n) c on c.week = w.start
     group by w.start order by w.start`,
  decision_time: tenant => sql`
    select iso(w.start) as week, d.decided, round(d.p[1]::numeric, 2) as p50,
           round(d.p[2]::numeric, 2) as p90
      from ${weeks} cross join lateral (
        select count(*) as decided, percentile_cont(array[0.5, 0.9]) within group (
                 order by extract(epoch from status_at - created_at)::float8 / 3600) as p
          from cases where tenant = ${tenant} and ${decided}
           and status_at >= w.start and status_at < w.start + interval '7 days') d
     order by w.start`,
  approval_share: tenant => sql`
    select m ->> 'medication_id' as medication, count(*) as decided,
           count(*) filter (where c.status = 'approved') as approved,
           round(100.0 * count(*) filter (where c.status = 'approved') / count(*), 1) as share
      from (select id from cases
             where tenant = ${tenant} and ${decided} and status_at >= ${firstWeek}
             order by status_at desc, id desc limit ${limits.metricDecisionsMax}::int) d
      join cases c on c.tenant = ${tenant} and c.id = d.id
     cross join lateral json_array_elements(c.requested_medications) m
     group by 1 order by decided desc, medication`,
  blocked_orders: tenant => sql`
    select iso(w.start) as week, count(b.week) as blocked
      from ${weeks} left join (
        select ${weekOf(sql`status_at`)} as week from orders
         where tenant = ${tenant} and status = 'blocked' and status_at >= ${firstWeek}) b
        on b.week = w.start
     group by w.start order by w.start`,
}

/** Adds each medication's name, which is in the catalog, not in the database. */
const named = (rows: string) =>
  JSON.stringify(
    (JSON.parse(rows) as { medication: string }[]).map(({ medication, ...counts }) => {
      const found = findMedication(medication)
      return { medication, name: found ? `${found.name} ${found.strength}` : null, ...counts }
    }),
  )

export const getMetrics = read('getMetrics', (call, { metric }) => {
  const { title, unit, columns } = metrics[metric]
  const head = JSON.stringify({ metric, title, unit, columns })
  return {
    rows: sql`
      select '' as id, coalesce(json_agg(row_to_json(r)), '[]')::text as item
        from (${statements[metric](tenantOf(call))}) r`,
    answer: rows =>
      `${head.slice(0, -1)},"rows":${metric === 'approval_share' ? named(rows) : rows}}`,
  }
})
