// Files that a case takes when it is filed: attached ones of its patient, each free until then.

import { sql, type Statement } from '#database/sql.ts'
import { idAt } from '../pipeline/clock.ts'
import { type Call, type Minted, tenantOf } from '../pipeline/handler.ts'

type Filing = Call<'createCase'>

const free = sql`status = 'attached' and "case" is null`

/** Those of the named files that the case may take, as one value. */
export const freeFiles = (call: Filing, patient: Statement, ids: readonly string[]) => sql`(
  select coalesce(json_agg(id), '[]') from files
   where tenant = ${tenantOf(call)} and patient = ${patient} and ${free}
     and id = any (${ids}::text[]))`

/** The named files as they were decided on, held, where `held` is the patient. */
export const taking = (call: Filing, ids: readonly string[]) => sql`
  taken as materialized (
    select f.id from files f join held on held.id = f.patient
     where f.tenant = ${tenantOf(call)} and f.id = any (${ids}::text[])
       and f.status = 'attached' and f."case" is null
     order by f.id for no key update of f
  ),`

export const placing = (call: Filing, theCase: Minted, ids: readonly string[]) => sql`
  placed as (
    update files set "case" = ${idAt(theCase)} from clock c
     where tenant = ${tenantOf(call)} and id = any (${ids}::text[])
  ),`
