// The queue of a clinic: cases of all its integrations that wait, the oldest first.

import { queueStatuses } from '#contract/console/cases.ts'
import { nothing, sql, type Statement } from '#database/sql.ts'
import { paging } from '../pipeline/pages.ts'
import { idAndItem } from '../pipeline/publish.ts'
import { claimColumn } from './case.ts'
import { ofClinic } from './clinic.ts'
import { integrationOf, read } from './handler.ts'

const queued = sql`
  id, status, iso(status_at) as status_at, ${integrationOf('cases')}, (
    select row_to_json(p) from (
      select id, first_name, last_name, date_of_birth::text as date_of_birth,
             address ->> 'state' as state
        from patients where tenant = cases.tenant and id = cases.patient) p) as patient,
  array(select m ->> 'medication_id' from json_array_elements(requested_medications) m) as medications,
  ${claimColumn}, iso(created_at) as created_at, iso(updated_at) as updated_at`

/** Of patients in a state where the caller is licensed. */
const licensed = (states: readonly string[]): Statement => sql`
  and exists (select from patients p
               where p.tenant = cases.tenant and p.id = cases.patient
                 and p.address ->> 'state' = any (${states}::text[]))`

export const listQueue = read('listQueue', (call, input) => {
  const { roles, states } = call.principal.staff
  const isLimited = input.show !== 'all' && roles.includes('clinician')
  return {
    rows: sql`
      select ${idAndItem(queued)} from cases
       where ${ofClinic(call)}
       and status = any (${input.status ? [input.status] : queueStatuses}::text[])
       ${isLimited ? licensed(states) : nothing}
       ${
         input.created_before === undefined
           ? nothing
           : sql`and created_at < ${input.created_before}::timestamptz`
       }
       ${paging(input)}`,
  }
})
