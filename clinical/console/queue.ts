// The queue of a clinic: cases of all its integrations that wait, the oldest first.

import { queueStatuses } from '#contract/console/cases.ts'
import { nothing, sql, Statement } from '#database/sql.ts'
import { paging } from '../pipeline/pages.ts'
import { idAndItem } from '../pipeline/publish.ts'
import { claimColumn } from './case.ts'
import { integrationOf, read } from './handler.ts'

const queued = sql`
  id, status, iso(status_at) as status_at, ${integrationOf('cases')}, (
    select row_to_json(p) from (
      select id, first_name, last_name, date_of_birth::text as date_of_birth,
             address ->> 'state' as state
        from patients where tenant = cases.tenant and id = cases.patient) p) as patient,
  array(select m ->> 'medication_id' from json_array_elements(requested_medications) m) as medications,
  ${claimColumn}, iso(created_at) as created_at, iso(updated_at) as updated_at`

/** As constants, so that the index of the cases that wait is used. */
const waits = new Statement(
  [`status in (${queueStatuses.map(status => `'${status}'`).join(', ')})`],
  [],
)

/** Of patients in a state where the caller is licensed. */
const licensed = (states: readonly string[]): Statement => sql`
  (select p.address ->> 'state' from patients p
    where p.tenant = cases.tenant and p.id = cases.patient) = any (${states}::text[])`

export const listQueue = read('listQueue', (call, input) => {
  const { roles, states } = call.principal.staff
  const isLimited = input.show !== 'all' && roles.includes('clinician')
  const conditions = sql`
    ${waits} and organization = ${call.principal.organization.id}
    ${input.status === undefined ? nothing : sql`and status = ${input.status}`}
    ${
      input.created_before === undefined
        ? nothing
        : sql`and created_at < ${input.created_before}::timestamptz`
    }`
  // In order before patients are read, so that no more of them are than fill the page.
  const found = isLimited
    ? sql`(select * from cases where ${conditions} order by id offset 0) cases
          where ${licensed(states)}`
    : sql`cases where ${conditions}`
  return { rows: sql`select ${idAndItem(queued)} from ${found} ${paging(input)}` }
})
