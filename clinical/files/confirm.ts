// Confirms a reservation as a document. In live mode, its bytes are inspected first and copied to a
// key no upload can write; in test mode, no bytes are stored, so there's nothing to inspect.

import { limits } from '#contract/limits.ts'
import type { FaultCode } from '#contract/faults.ts'
import { invalid, type Problem } from '#contract/problems.ts'
import { nothing, sql } from '#database/sql.ts'
import { clock, idAt } from '../pipeline/clock.ts'
import { emit, event } from '../pipeline/emit.ts'
import { type Call, tenantOf, write } from '../pipeline/handler.ts'
import { livingPatients } from '../patients/patient.ts'
import { keepsUploads } from '../modes.ts'
import { published } from '../pipeline/publish.ts'
import {
  attachableCase,
  caseOf,
  type CaseOfFile,
  fileColumns,
  mayAttach,
  presentFiles,
} from './file.ts'
import { inspect, type InspectResult } from './inspect.ts'
import type { Mime } from '../viewer/sniff.ts'
import { uploadKey } from '../storage/storage.ts'

type Facts = {
  id: string
  patient: string
  status: 'reserved' | 'attached'
  mime: Mime
  declared_bytes: number | null
  object: string
  case: CaseOfFile | null
}

const mismatch = (pointer: string, code: FaultCode, message: string) =>
  invalid(
    [{ pointer, code, message }],
    'PUT the right bytes to upload_url and confirm again, or reserve another file.',
  )

/** Throws a refusal if the bytes are wrong; returns their count, or null in test mode. */
function checkUpload(
  call: Call<'confirmFile'>,
  { mime }: Facts,
  inspected: InspectResult | null,
): number | null {
  if (inspected === null) return null
  if (typeof inspected === 'object') return inspected.size
  if (inspected === 'missing') {
    throw call.refuse('upload_missing', {
      detail: 'No bytes have been uploaded for this reservation.',
    })
  }
  if (inspected === 'wrong size') {
    const message = `The upload must have the reserved size, at most ${limits.fileBytesMax} bytes.`
    throw mismatch('#/size_bytes', 'mismatch', message)
  }
  throw mismatch('#/mime', 'mismatch', `The uploaded bytes must be a complete ${mime} file.`)
}

export const confirmFile = write('confirmFile', {
  usesStorage: keepsUploads,
  facts: (call, { id }) => sql`
    select id, patient, status, mime, declared_bytes, object,
           ${caseOf(call, sql`files."case"`, sql`files.patient`)} as "case"
      ${presentFiles(call)} and id = ${id}`,
  inspect: async (call, input, found: Facts | null, { files }) => {
    const { mode } = call.principal
    if (!found || !keepsUploads(mode)) return null
    if (found.status !== 'reserved' || found.patient !== input.patient) return null
    return inspect(files.storage, mode, found)
  },
  decide: (call, input, found: Facts | null, inspected: InspectResult | null) => {
    if (!found) throw call.refuse('not_found')
    if (found.patient !== input.patient) {
      const message = "patient must match the reservation's patient."
      throw invalid([{ pointer: '#/patient', code: 'mismatch', message }])
    }
    if (found.status !== 'reserved') {
      throw call.refuse('invalid_transition', {
        detail: 'Only a reserved file can be confirmed. The status of this file is attached.',
        members: {
          resource: { type: 'file', id: found.id },
          current_status: found.status,
          allowed_from: ['reserved'],
        },
      })
    }
    if (found.case) {
      mayAttach(found.case)
      if (found.case.files >= limits.filesMax) throw caseIsFull()
    }
    const filed = keepsUploads(call.principal.mode) ? call.mint('file', 0) : null
    return { found, input, size: checkUpload(call, found, inspected), filed }
  },
  // Locks the patient, then the case, then the file, like every write that locks them.
  write: (call, { found, input, size, filed }) => {
    const { mode } = call.principal
    const theCase = found.case?.id ?? null
    return sql`
    held as materialized (
      select id ${livingPatients(call)} and id = ${found.patient} and exists (select from go)
         for no key update
    ), ${theCase === null ? sql`case_held as (select from held)` : attachableCase(call, theCase, sql`held`)},
    file_held as materialized (
      select id ${presentFiles(call)} and id = ${found.id} and status = 'reserved'
         and exists (select from case_held) for update of files
    ), ${clock(call, 2, sql`file_held`)},
    changed as (
      update files set ${filed ? sql`id = ${idAt(filed)}, created_at = c.at,` : nothing}
             kind = ${input.kind}, filename = ${input.filename}, status = 'attached',
             ${filed ? sql`scan = 'pending',` : nothing}
             size_bytes = coalesce(${size}::int, size_bytes), attached_at = c.at, expires_at = null
        from clock c
       where tenant = ${tenantOf(call)} and id = ${found.id}
      returning id, ${published(fileColumns)} as answer
    ), joined as (
      update cases set files = cases.files || changed.id, updated_at = c.at
        from clock c, changed
       where cases.tenant = ${tenantOf(call)} and cases.id = ${theCase}
    ), ${
      filed
        ? sql`discarded as (
      insert into discarded_objects (tenant, key)
      select ${tenantOf(call)}, ${uploadKey(mode, found.object)} from changed
    ), waiting as (
      insert into file_scans (tenant, file) select ${tenantOf(call)}, id from changed
    ), `
        : nothing
    }
    ${emit(call, [event(1, 'file.attached.v1', filed ?? found.id, 'reserved', 'attached')])}`
  },
})

const caseIsFull = (): Problem =>
  invalid([
    {
      pointer: '#',
      code: 'too_many',
      message: `The file's case must have fewer than ${limits.filesMax} files.`,
    },
  ])
