// Deletes a patient: withdraws open cases, then cancels scheduled visits, then erases personal
// data. The row stays as a tombstone for foreign keys, and no operation can read it. In live
// mode, nothing is erased: the row and the filed documents are the clinic's record, and the API no
// longer shows them. Decided in docs/decisions/0008-keep-a-tombstone-of-a-deleted-patient.md.

import { nothing, sql, type Statement } from '#database/sql.ts'
import { openCaseStatuses } from '#contract/states.ts'
import { clock } from '../pipeline/clock.ts'
import { emit, event } from '../pipeline/emit.ts'
import { tenantOf, write } from '../pipeline/handler.ts'
import { erasesDeleted } from '../modes.ts'
import { livingPatients } from './patient.ts'

type Versioned = { id: string; status: string; updated_at: string }
/** `cases` and `visits` count all cases and visits ever created. If a case or visit is added after
 *  the facts were read, the delete is decided again. */
type Facts = {
  id: string
  updated_at: string
  cases: number
  visits: number
  open: Versioned[]
  scheduled: Versioned[]
}

const erased: Statement = sql`
  , external_id = null, first_name = null, middle_name = null, last_name = null,
  date_of_birth = null, sex_at_birth = null, email = null, phone = null, address = null`

export const deletePatient = write('deletePatient', {
  facts: (call, { id }) => sql`
    select id, iso(updated_at) as updated_at, cases, visits, (
      select coalesce(json_agg(row_to_json(o)), '[]') from (
        select c.id, c.status, iso(c.updated_at) as updated_at from cases c
         where c.tenant = ${tenantOf(call)} and c.patient = ${id}
           and c.status = any (${openCaseStatuses}::text[])
         order by c.id) o
    ) as open, (
      select coalesce(json_agg(row_to_json(s)), '[]') from (
        select v.id, v.status, iso(v.updated_at) as updated_at from visits v
         where v.tenant = ${tenantOf(call)} and v.patient = ${id} and v.status = 'scheduled'
         order by v.id) s
    ) as scheduled ${livingPatients(call)} and id = ${id}`,
  decide: (call, _input, found: Facts | null) => {
    if (!found) throw call.refuse('not_found')
    const { cases, visits } = found
    const open = found.open.map((one, at) => ({ ...one, ms: 2 * at }))
    const after = 2 * open.length
    const scheduled = found.scheduled.map((one, at) => ({ ...one, ms: after + 2 * at }))
    return { id: found.id, version: found.updated_at, cases, visits, open, scheduled }
  },
  write: (call, { id, version, cases, visits, open, scheduled }) => {
    const last = 2 * (open.length + scheduled.length)
    const erases = erasesDeleted(call.principal.mode)
    return sql`
    held as materialized (
      select id ${livingPatients(call)} and id = ${id} and cases = ${cases}::int
         and visits = ${visits}::int and updated_at = ${version}::timestamptz
         and exists (select from go) for update
    ), locked_cases as materialized (
      select c.id, o.ms from json_to_recordset(${JSON.stringify(open)}::text::json)
                          as o (id text, updated_at timestamptz, ms int)
        join cases c on c.tenant = ${tenantOf(call)} and c.id = o.id
         and c.updated_at = o.updated_at
       where exists (select from held) for no key update of c
    ), locked_visits as materialized (
      select v.id, s.ms from json_to_recordset(${JSON.stringify(scheduled)}::text::json)
                          as s (id text, updated_at timestamptz, ms int)
        join visits v on v.tenant = ${tenantOf(call)} and v.id = s.id
         and v.updated_at = s.updated_at
       where exists (select from held) for no key update of v
    ), ready as materialized (
      select 1 as yes from held where (select count(*) from locked_cases) = ${open.length}::int
         and (select count(*) from locked_visits) = ${scheduled.length}::int
    ), ${clock(call, last + 2, sql`ready`)},
    withdrawn as (
      update cases c set status = 'withdrawn', reason = 'The patient was deleted.',
             status_at = t.at + l.ms * interval '1 ms', updated_at = t.at + l.ms * interval '1 ms',
             question_message = null, question_target = null, question_body = null,
             question_asked_at = null
        from clock t, locked_cases l
       where c.tenant = ${tenantOf(call)} and c.id = l.id
    ), cancelled as (
      update visits v set status = 'cancelled', ended_at = t.at + a.ms * interval '1 ms',
             updated_at = t.at + a.ms * interval '1 ms'
        from clock t, locked_visits a
       where v.tenant = ${tenantOf(call)} and v.id = a.id
    ), changed as (
      update patients set deleted_at = c.at + ${last}::int * interval '1 ms',
             updated_at = c.at + ${last}::int * interval '1 ms' ${erases ? erased : nothing}
        from clock c
       where tenant = ${tenantOf(call)} and id = ${id}
      returning id, '{"id":"' || id || '","deleted":true}' as answer
    ), exported as (
      delete from exports where tenant = ${tenantOf(call)} and patient = ${id}
         and ${erases}::boolean and exists (select from changed)
    ), documents as (
      delete from files where tenant = ${tenantOf(call)} and patient = ${id}
         ${erases ? nothing : sql`and status = 'reserved'`}
         and exists (select from changed)
    ), erased as (
      update idempotency_keys k set answer = changed.answer from changed
       where k.tenant = ${tenantOf(call)} and k.patient = ${id}
    ), ${emit(call, [
      ...open.map(one => event(one.ms + 1, 'case.withdrawn.v1', one.id, one.status, 'withdrawn')),
      ...scheduled.map(one =>
        event(one.ms + 1, 'visit.cancelled.v1', one.id, one.status, 'cancelled'),
      ),
      event(last + 1, 'patient.deleted.v1', id, 'active', 'deleted'),
    ])}`
  },
})
