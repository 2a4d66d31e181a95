// Who saw or changed a patient's data, through any surface, from the audit
// (migrations/0008_clinics.sql).

import { activityLimits } from '#contract/console/activity.ts'
import { sql } from '#database/sql.ts'
import { targetsOf } from '../console/activity.ts'
import { read } from '../console/handler.ts'

export const listAccess = read('listAccess', (call, input) => {
  const { id, limit = activityLimits.pageDefault, before } = input
  return {
    rows: sql`
      with found as materialized (
        select * from audit.accesses(${targetsOf(call, id)}, null, null, ${before ?? null}::bigint,
          ${limit + 1}::int)
      ), page as (
        select f.* from found f order by f.at desc, f.seq desc limit ${limit}::int)
      select '' as id, json_build_object('data', coalesce((
        select json_agg(row_to_json(p)) from (
          select seq::text as id, iso(at) as at, surface, person, name, client, integration,
                 action as operation, target, outcome, code, address
            from page e order by e.at desc, e.seq desc) p), '[]'),
        'next', case when (select count(*) from found) > ${limit}::int
                     then (select e.seq::text from page e order by e.at, e.seq limit 1) end)::text as item`,
  }
})
