// A file as the API returns it, and the condition for rows that callers can see. Callers see no
// expired reservations or deleted patients' files, even before cleanup removes them, and no
// documents that the clinic removed.

import type { OperationId } from '#contract/api.ts'
import { limits } from '#contract/limits.ts'
import { Problem } from '#contract/problems.ts'
import { sql, type Statement } from '#database/sql.ts'
import type { CaseStatus } from '../cases/case.ts'
import { tenantNow } from '../pipeline/clock.ts'
import { type AnyCall, type Call, tenantOf } from '../pipeline/handler.ts'
import { livingPatients } from '../patients/patient.ts'

export const fileColumns = sql`
  id, patient, "case", kind, filename, mime, size_bytes, status,
  iso(attached_at) as attached_at, iso(created_at) as created_at`

/** This caller's files, as the tail of a select. */
export const presentFiles = (call: Pick<AnyCall, 'principal'>): Statement => sql`
  from files where tenant = ${tenantOf(call)} and status <> 'removed'
   and (expires_at is null or expires_at > ${tenantNow})
   and exists (select ${livingPatients(call)} and id = files.patient)`

/** The facts about a case that decide whether a file can be attached. */
export type CaseOfFile = { id: string; status: CaseStatus; files: number }

/** The named case as one JSON value; null unless it belongs to the patient. */
export const caseOf = (
  call: Call<OperationId>,
  id: string | Statement | null,
  patient: Statement,
) => sql`(
  select row_to_json(c) from (
    select id, status, cardinality(files) as files from cases
     where tenant = ${tenantOf(call)} and id = ${id} and patient = ${patient}) c)`

const attachable: readonly CaseStatus[] = [
  'approved',
  'declined',
  'in_review',
  'queued',
  'received',
  'waiting_on_integration',
  'waiting_on_patient',
]

/** Throws if the case's status allows no more files. */
export function mayAttach(found: CaseOfFile): void {
  if (attachable.includes(found.status)) return
  throw new Problem('invalid_transition', {
    detail: `A ${found.status} case does not accept files.`,
    hint: 'Omit case, or send a case that is not canceled or withdrawn.',
    members: {
      resource: { type: 'case', id: found.id },
      current_status: found.status,
      allowed_from: attachable,
    },
  })
}

/** Locks the case if a file can still be attached to it; returns no row otherwise. */
export const attachableCase = (call: Call<OperationId>, id: string, start: Statement) => sql`
  case_held as materialized (
    select id from cases
     where tenant = ${tenantOf(call)} and id = ${id} and status = any (${attachable}::text[])
       and cardinality(files) < ${limits.filesMax}::int
       and exists (select from ${start})
       for no key update
  )`
