// Test mode only: in live mode, every call is refused before the ID is read (clinical/modes.ts).

import { sql } from '#database/sql.ts'
import { clock } from '../pipeline/clock.ts'
import { tenantOf, write } from '../pipeline/handler.ts'
import { presentFiles } from './file.ts'

type Facts = { id: string; case: string | null; status: string }

export const deleteFile = write('deleteFile', {
  facts: (call, { id }) => sql`select id, "case", status ${presentFiles(call)} and id = ${id}`,
  decide: (call, _input, found: Facts | null) => {
    if (!found) throw call.refuse('not_found')
    return found
  },
  // Locks the case, then the file, like every write that locks both.
  write: (call, { id, case: theCase, status }) => sql`
    case_held as materialized (
      select id from cases where tenant = ${tenantOf(call)} and id = ${theCase}
         and exists (select from go) for no key update
    ), held as materialized (
      select id ${presentFiles(call)} and id = ${id} and status = ${status}
         and "case" is not distinct from ${theCase}::text and exists (select from go)
         and (${theCase}::text is null or exists (select from case_held))
         for update of files
    ), ${clock(call, 1, sql`held`)},
    left_case as (
      update cases set files = array_remove(files, ${id}::text), updated_at = c.at
        from clock c
       where tenant = ${tenantOf(call)} and id = ${theCase} and ${id}::text = any (files)
    ), changed as (
      delete from files using clock
       where tenant = ${tenantOf(call)} and id = ${id}
      returning id, '{"id":"' || id || '","deleted":true}' as answer
    )`,
})
