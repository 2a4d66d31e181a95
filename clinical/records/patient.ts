// Shared parts of the operations on a patient's record.

import { sql, type Statement } from '#database/sql.ts'
import { type AnyCall, tenantOf } from '../pipeline/handler.ts'

/** Locks the patient against destruction; returns no row if it was already destroyed. */
export const heldPatient = (call: AnyCall, id: string): Statement => sql`
  held as materialized (
    select id from patients
     where tenant = ${tenantOf(call)} and id = ${id} and exists (select from go) for key share
  )`
