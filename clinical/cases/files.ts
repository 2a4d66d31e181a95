// Files that createCase assigns to the new case: the patient's attached files that have no case.

import { sql, type Statement } from '#database/sql.ts'
import { idAt } from '../pipeline/clock.ts'
import { type Call, type IdParts, tenantOf } from '../pipeline/handler.ts'

type CreateCaseCall = Call<'createCase'>

const unassigned = sql`status = 'attached' and "case" is null`

/** The named files that may be assigned to the case, as one JSON value. */
export const unassignedFiles = (
  call: CreateCaseCall,
  patient: Statement,
  ids: readonly string[],
) => sql`(
  select coalesce(json_agg(id), '[]') from files
   where tenant = ${tenantOf(call)} and patient = ${patient} and ${unassigned}
     and id = any (${ids}::text[]))`

/** Locks the named files if they're still unassigned; `held` is the locked patient. */
export const lockFiles = (call: CreateCaseCall, ids: readonly string[]) => sql`
  locked_files as materialized (
    select f.id from files f join held on held.id = f.patient
     where f.tenant = ${tenantOf(call)} and f.id = any (${ids}::text[])
       and f.status = 'attached' and f."case" is null
     order by f.id for no key update of f
  ),`

export const assignFiles = (call: CreateCaseCall, theCase: IdParts, ids: readonly string[]) => sql`
  assigned_files as (
    update files set "case" = ${idAt(theCase)} from clock c
     where tenant = ${tenantOf(call)} and id = any (${ids}::text[])
  ),`
