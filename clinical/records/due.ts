// Records due for destruction under the clinic's retention policy (migrations/0018_records.sql),
// chosen as the destruction job would choose them, without destroying anything.

import { recordLimits } from '#contract/console/records.ts'
import { nothing, sql } from '#database/sql.ts'
import { read } from '../console/handler.ts'

export const listDueRecords = read('listDueRecords', (call, { by, after_day, after }) => ({
  rows: sql`
    with found as materialized (
        select d.patient, d.due_on::text as due_on, d.last_activity_on::text as last_activity_on,
               records.kept_by(d.tenant, d.patient) as kept_by
          from (
            select p.tenant, p.id as patient, l.last_activity_on,
                   records.due_on(l.last_activity_on, p.date_of_birth, r.years, r.minor_age) as due_on
              from auth.retention_policies r
              join tenants t on t.organization = r.organization
              join patients p on p.tenant = t.id
               and p.updated_at < ${by}::date - make_interval(years => r.years) + interval '1 day'
             cross join lateral (
               select auth.clinic_day(r.organization, records.last_activity(p.tenant, p.id))
                        as last_activity_on) l
             where r.organization = ${call.principal.organization.id}) d
         where d.due_on <= ${by}::date
           ${after === undefined ? nothing : sql`and (d.due_on, d.patient) > (${after_day ?? null}::date, ${after})`}
         order by d.due_on, d.patient limit ${recordLimits.duePage + 1}::int)
    select '' as id, json_build_object(
      'data', coalesce((select json_agg(row_to_json(w)) from (
        select * from found order by due_on, patient limit ${recordLimits.duePage}::int) w), '[]'),
      'has_more', (select count(*) from found) > ${recordLimits.duePage}::int)::text as item`,
}))
