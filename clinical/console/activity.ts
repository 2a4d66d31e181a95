// A clinic's activity, from the audit (migrations/0008_clinics.sql).

import { dayMilliseconds } from '#contract/moments.ts'
import { activityLimits } from '#contract/console/activity.ts'
import { firstIdOf, prefixes } from '#contract/ids.ts'
import { sql, type Statement } from '#database/sql.ts'
import { ofClinic } from './clinic.ts'
import { read } from './handler.ts'

type ClinicCall = Parameters<typeof ofClinic>[0]

/** The table for each ID prefix. */
const tables = [
  ['case', sql`cases`],
  ['order', sql`orders`],
  ['prescription', sql`prescriptions`],
  ['visit', sql`visits`],
  ['file', sql`files`],
  ['consent', sql`consents`],
  ['export', sql`exports`],
  ['disclosure', sql`records.disclosures`],
  ['hold', sql`records.holds`],
  ['note', sql`records.notes`],
] as const

const union = (parts: readonly Statement[]): Statement =>
  parts.reduce((all, part) => sql`${all} union all ${part}`)

/** Selects the patient's ID and the IDs of all their resources that a call can name. */
export const targetsOf = (call: ClinicCall, patient: string): Statement => sql`
  array(select ${patient}::text union all ${union(
    tables.map(
      ([, table]) => sql`select id from ${table} where ${ofClinic(call)} and patient = ${patient}`,
    ),
  )} union all
    select m.id from cases c join messages m on m.tenant = c.tenant and m."case" = c.id
     where c.${ofClinic(call)} and c.patient = ${patient} union all
    select e.id from patients p
      join exports e on e.tenant = p.tenant and e.patient is null and e.as_of >= p.created_at
     where p.${ofClinic(call)} and p.id = ${patient} union all
    select f.id from patients p
      join bulk_exports b on b.tenant = p.tenant and b.created_at >= p.created_at
       and (b.patients is null or p.id = any (b.patients))
      join bulk_files f on f.tenant = b.tenant and f.export = b.id
     where p.${ofClinic(call)} and p.id = ${patient})`

const patientOfTarget = (call: ClinicCall): Statement => sql`
  case when starts_with(e.target, ${`${prefixes.patient}_`}) then e.target ${tables.reduce(
    (all, [noun, table]) => sql`${all}
       when starts_with(e.target, ${`${prefixes[noun]}_`}) then (
         select r.patient from ${table} r where ${ofClinic(call)} and r.id = e.target)`,
    sql``,
  )} end`

export const listActivity = read('listActivity', (call, input) => {
  const { limit = activityLimits.pageDefault, person, patient, since, until, before } = input
  const targets = patient === undefined ? sql`null::text[]` : targetsOf(call, patient)
  return {
    rows: sql`
      with found as materialized (
        select * from audit.clinic_activity(${person ?? null}, ${targets},
          ${since ?? null}::timestamptz, ${until ?? null}::timestamptz, ${before ?? null}::bigint,
          ${limit + 1}::int)
      ), page as (
        select f.* from found f order by f.at desc, f.seq desc limit ${limit}::int)
      select '' as id, json_build_object('data', coalesce((
        select json_agg(row_to_json(p)) from (
          select seq::text as id, iso(at) as at, person, name, action as operation, target,
                 ${patientOfTarget(call)} as patient, integration, outcome, code, address,
                 is_emergency
            from page e order by e.at desc, e.seq desc) p), '[]'),
        'next', case when (select count(*) from found) > ${limit}::int
                     then (select e.seq::text from page e order by e.at, e.seq limit 1) end)::text as item`,
  }
})

const weekMilliseconds = 7 * dayMilliseconds

export const listIntegrations = read('listIntegrations', call => {
  const since = call.now - weekMilliseconds
  const made = (table: Statement, noun: keyof typeof prefixes): Statement => sql`
    (select count(*) from ${table} r
      where r.tenant = t.id and r.id >= ${firstIdOf(prefixes[noun], since)})`
  return {
    rows: sql`
      -- This is materialized, because sorting would repeat every count.
      with w as materialized (
        select (select row_to_json(i) from (select n.id, n.name) i) as integration,
               ${made(sql`patients`, 'patient')} as patients, ${made(sql`cases`, 'case')} as cases,
               ${made(sql`messages`, 'message')} as messages, ${made(sql`visits`, 'visit')} as visits,
               (select iso(r.created_at) from cases r where r.tenant = t.id
                 order by r.id desc limit 1) as last_case_at
          from tenants t join auth.integrations n on n.id = t.integration
         where t.organization = ${call.principal.organization.id})
      select '' as id, json_build_object('data', coalesce(json_agg(row_to_json(w)
               order by w.cases desc, w.patients desc, w.integration ->> 'id'), '[]'))::text as item
        from w`,
  }
})
