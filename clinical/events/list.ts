import { lastIdOf } from '#contract/ids.ts'
import { nothing, sql } from '#database/sql.ts'
import { read, tenantOf } from '../pipeline/handler.ts'
import { oldestOf, paging } from '../pipeline/pages.ts'
import { published } from '../pipeline/publish.ts'
import { eventColumns, itemWithData } from './event.ts'

// An event's ID starts with its created_at, and no two events in a tenant share a millisecond, so
// `since` is a position in the same index as the cursor.
export const listEvents = read('listEvents', (call, input) => ({
  rows: sql`
    select id, ${input.include_resource ? itemWithData(call) : published(eventColumns(call))} as item
      from events e
     where tenant = ${tenantOf(call)}
     ${input.type === undefined ? nothing : sql`and type = ${input.type}`}
     ${
       input.since === undefined
         ? nothing
         : sql`and id > ${lastIdOf('evt', Date.parse(input.since))}`
     }
     ${paging(input, { oldest: oldestOf(call, 'evt') })}`,
}))
