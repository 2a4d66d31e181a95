// A clinic's patients: a list, newest first, and a search by any detail that staff have.

import { chartReaders, type StaffRole } from '#contract/console/row.ts'
import { momentText } from '#database/clock.ts'
import { nothing, sql, type Statement } from '#database/sql.ts'
import { newestOf, ofClinic } from './clinic.ts'
import { integrationOf, read } from './handler.ts'
import { type FoundId, foundIdOf, numberIn, termsOf } from './search-terms.ts'

const shownMax = 25
/** The maximum number of matches to sort, for whole words and for prefixes. */
const candidatesMax = 200

type Reader = { readonly roles: readonly StaffRole[]; readonly emergencyUntil: string | null }

const readsCharts = ({ roles, emergencyUntil }: Reader): boolean =>
  emergencyUntil !== null || roles.some(role => (chartReaders as readonly string[]).includes(role))

const listed = (reader: Reader): Statement => sql`
  id, external_id, case when deleted_at is null then 'active' else 'deleted' end as status,
  first_name, middle_name, last_name, date_of_birth::text as date_of_birth,
  address ->> 'state' as state, ${integrationOf('patients')}, ${
    readsCharts(reader)
      ? sql`(select row_to_json(c) from (
          select c.id, c.status, iso(c.created_at) as created_at from cases c
           where c.tenant = patients.tenant and c.patient = patients.id
           order by c.id desc limit 1) c)`
      : sql`null`
  } as "case", (
    select row_to_json(o) from (
      select o.id, o.status, o.medication_id, iso(o.created_at) as created_at from orders o
       where o.tenant = patients.tenant and o.patient = patients.id
       order by o.id desc limit 1) o) as "order"`

const tables: Readonly<Record<Exclude<FoundId['type'], 'patient'>, Statement>> = {
  case: sql`cases`,
  prescription: sql`prescriptions`,
  order: sql`orders`,
  visit: sql`visits`,
}

type ClinicCall = Parameters<typeof ofClinic>[0]

/** Selects the patient a resource belongs to, with the columns `tenant`, `id` and `rank`. */
const byId = (call: ClinicCall, { type, id }: FoundId): Statement =>
  type === 'patient'
    ? sql`select tenant, id, 0 as rank from patients where ${ofClinic(call)} and id = ${id}`
    : sql`select tenant, patient as id, 0 as rank from ${tables[type]}
           where ${ofClinic(call)} and id = ${id}`

/** Selects resources by the number on their label, with the columns `type`, `id`, `tenant` and
 *  `patient`. */
const numbered = (call: ClinicCall, number: string | null): Statement =>
  number === null
    ? sql`select null as type, null as id, null::bigint as tenant, null as patient where false`
    : sql`select 'order' as type, id, tenant, patient from orders
           where ${ofClinic(call)} and right(id, 8) = ${number}
          union all
          select 'prescription', id, tenant, patient from prescriptions
           where ${ofClinic(call)} and right(id, 8) = ${number}`

/** Like `byId`, but searches by text: whole words first, then prefixes if the page isn't full. */
function byText(text: string, now: number): Statement {
  const { name, born, email, digits, externalId } = termsOf(text, momentText(now).slice(0, 10))
  const found = (isPrefix: boolean) => sql`
    patients_with(${name}, ${born}::date[], ${email}::text, ${digits}::text, ${externalId}::text,
                  ${isPrefix}, ${candidatesMax}::int)`
  return sql`
    with whole as materialized (select tenant, id from ${found(false)} f)
    select tenant, id, min(rank) as rank from (
      select tenant, id, 0 as rank from whole
      union all
      select f.tenant, f.id, 1 from (
        select where (select count(*) from whole) <= ${shownMax}::int) few, ${found(true)} f) f
     group by tenant, id`
}

export const findPatients = read('findPatients', (call, { q }) => {
  const { staff } = call.principal
  const target = foundIdOf(q)
  const number = target === null ? numberIn(q) : null
  const found = target === null ? byText(q, call.now) : byId(call, target)
  return {
    rows: sql`
      with numbered as materialized (${numbered(call, number)}),
      matched as materialized (${found}),
      found as (
        select tenant, id, min(rank) as rank from (
          select tenant, id, rank from matched
          union all select tenant, patient, 0 from numbered) m group by tenant, id),
      page as materialized (
        select patients.* from found join patients using (tenant, id)
         ${
           readsCharts(staff)
             ? nothing
             : sql`where exists (select from orders o
                    where o.tenant = patients.tenant and o.patient = patients.id)`
         }
         order by rank, folded(last_name), folded(first_name), date_of_birth, id
         limit ${shownMax + 1}::int)
      select '' as id, json_build_object(
        'data', coalesce((select json_agg(row_to_json(r)) from (
          select ${listed(staff)} from page patients limit ${shownMax}::int) r), '[]'),
        'has_more', (select count(*) from page) > ${shownMax}::int
                 or (select count(*) from matched) >= ${candidatesMax}::int,
        'found', coalesce(
          (select json_build_object('type', ${target?.type ?? null}::text, 'id', ${target?.id ?? null}::text)
             from page where ${target !== null} limit 1),
          (select json_build_object('type', n.type, 'id', n.id) from numbered n
             join page p on p.tenant = n.tenant and p.id = n.patient
            order by n.type, n.id limit 1)))::text as item`,
  }
})

export const listClinicPatients = read('listClinicPatients', (call, input) => ({
  rows: newestOf(call, { table: sql`patients`, columns: listed(call.principal.staff) }, input),
}))
