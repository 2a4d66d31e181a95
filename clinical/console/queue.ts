// A clinic's cases from all its integrations: open cases, oldest first, and decided cases, latest
// first.

import { decisions, queueStatuses, type queueViews } from '#contract/console/cases.ts'
import { limits } from '#contract/limits.ts'
import { nothing, sql, type Statement } from '#database/sql.ts'
import { paging } from '../pipeline/pages.ts'
import { idAndItem } from '../pipeline/publish.ts'
import { claimColumn, decidedBy } from './case.ts'
import { constantsOf } from './clinic.ts'
import { integrationOf, read } from './handler.ts'

/** A case in a list, if its table is `cases`. */
export const listedCaseColumns = sql`
  id, ${integrationOf('cases')}, (
    select row_to_json(p) from (
      select id, first_name, last_name, date_of_birth::text as date_of_birth,
             address ->> 'state' as state
        from patients where tenant = cases.tenant and id = cases.patient) p) as patient,
  array(select m ->> 'medication_id' from json_array_elements(requested_medications) m) as medications,
  status`

const queued = sql`
  ${listedCaseColumns}, iso(status_at) as status_at, ${claimColumn}, iso(created_at) as created_at,
  iso(updated_at) as updated_at`

const waits = constantsOf('status', queueStatuses)

const viewOf = (view: (typeof queueViews)[number], person: string): Statement =>
  view === 'mine'
    ? sql`and claimed_by = ${person} and claimed_until > now()`
    : sql`and starts_with(status, 'waiting') = ${view === 'waiting'}`

/** True for patients in a state where the caller is licensed. */
export const licensed = (states: readonly string[]): Statement => sql`
  (select p.address ->> 'state' from patients p
    where p.tenant = cases.tenant and p.id = cases.patient) = any (${states}::text[])`

export const listQueue = read('listQueue', (call, input) => {
  const { roles, states } = call.principal.staff
  const isLimited = input.show !== 'all' && input.view !== 'mine' && roles.includes('clinician')
  const conditions = sql`
    ${waits} and organization = ${call.principal.organization.id}
    ${input.view === undefined ? nothing : viewOf(input.view, call.principal.person)}
    ${
      input.created_before === undefined
        ? nothing
        : sql`and created_at < ${input.created_before}::timestamptz`
    }`
  // Sorts before reading patients, so the query reads no more patients than fit the page.
  const found = isLimited
    ? sql`(select * from cases where ${conditions} order by id offset 0) cases
          where ${licensed(states)}`
    : sql`cases where ${conditions}`
  return { rows: sql`select ${idAndItem(queued)} from ${found} ${paging(input)}` }
})

const isDecided = constantsOf('status', decisions)

export const listDecided = read('listDecided', (call, input) => {
  const { limit = limits.pageDefault, before, by, status } = input
  const { organization, person } = call.principal
  const ofClinic = sql`organization = ${organization.id} and ${isDecided}`
  return {
    rows: sql`
      with page as materialized (
        select * from cases
         where ${ofClinic} ${by === undefined ? nothing : sql`and decided_by = ${person}`}
         ${status === undefined ? nothing : sql`and status = ${status}`}
         ${
           before === undefined
             ? nothing
             : sql`and (status_at, id) < (select b.status_at, b.id from cases b
                    where ${ofClinic} and b.id = ${before})`
         }
         order by status_at desc, id desc limit ${limit + 1}::int)
      select '' as id, json_build_object(
        'data', coalesce((select json_agg(row_to_json(r)) from (
          select ${listedCaseColumns}, iso(status_at) as decided_at, ${decidedBy} from page cases
           limit ${limit}::int) r), '[]'),
        'has_more', (select count(*) from page) > ${limit}::int)::text as item`,
  }
})
