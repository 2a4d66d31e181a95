// Legal holds on a patient's record. While one exists, nothing in the record is destroyed.
// Destruction locks the patient and then looks for holds. Placing a hold also locks the patient, so
// neither can miss the other.

import { Problem } from '#contract/problems.ts'
import { sql } from '#database/sql.ts'
import { actorOf, read, write } from '../console/handler.ts'
import { idAt, clock } from '../pipeline/clock.ts'
import { tenantOf } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'
import { heldPatient } from './patient.ts'

const holdColumns = sql`
  id, reason, json_build_object('person', placed_by, 'name', placed_by_name) as by,
  iso(placed_at) as placed_at,
  case when lifted_at is not null then (
    select row_to_json(l) from (
      select lifted_reason as reason,
             json_build_object('person', lifted_by, 'name', lifted_by_name) as by,
             iso(lifted_at) as at) l) end as lifted`

export const listHolds = read('listHolds', (call, { id }) => ({
  rows: sql`
    select id, json_build_object('data', (
             select coalesce(json_agg(row_to_json(d)), '[]') from (
               select ${holdColumns} from records.holds
                where tenant = patients.tenant and patient = patients.id
                order by records.holds.id) d))::text as item
      from patients where tenant = ${tenantOf(call)} and id = ${id}`,
}))

type HoldRow = { id: string }

export const placeHold = write('placeHold', {
  facts: (call, { id }) =>
    sql`select id from patients where tenant = ${tenantOf(call)} and id = ${id}`,
  decide: (call, { id, reason }, found: HoldRow | null) => {
    if (!found) throw new Problem('not_found')
    return { patient: id, reason, by: actorOf(call), minted: call.mint('hold', 0) }
  },
  write: (call, { patient, reason, by, minted }) => sql`
    ${heldPatient(call, patient)}, ${clock(call, 1, sql`held`)},
    changed as (
      insert into records.holds (tenant, id, patient, reason, placed_by, placed_by_name, placed_at)
      select ${tenantOf(call)}, ${idAt(minted)}, ${patient}, ${reason}, ${by.person}::text,
             ${by.name}::text, c.at
        from clock c
      returning id, ${published(holdColumns)} as answer
    )`,
})

type Standing = { id: string; is_lifted: boolean | null }

export const liftHold = write('liftHold', {
  facts: (call, { id, hold }) => sql`
    select id, lifted_at is not null as is_lifted from records.holds
     where tenant = ${tenantOf(call)} and patient = ${id} and id = ${hold}`,
  decide: (call, { hold, reason }, found: Standing | null) => {
    if (!found) throw new Problem('not_found')
    if (found.is_lifted) throw call.refuse('version_changed')
    return { hold, reason, by: actorOf(call) }
  },
  write: (call, { hold, reason, by }) => sql`
    held as materialized (
      select id from records.holds
       where tenant = ${tenantOf(call)} and id = ${hold} and lifted_at is null
         and exists (select from go) for no key update
    ), ${clock(call, 1, sql`held`)},
    changed as (
      update records.holds set lifted_reason = ${reason}, lifted_by = ${by.person},
             lifted_by_name = ${by.name}, lifted_at = c.at
        from clock c where tenant = ${tenantOf(call)} and id = ${hold}
      returning id, ${published(holdColumns)} as answer
    )`,
})
