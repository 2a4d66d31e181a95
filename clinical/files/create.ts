import type { Input } from '#contract/api.ts'
import { limits } from '#contract/limits.ts'
import type { Fault } from '#contract/faults.ts'
import { invalid } from '#contract/problems.ts'
import { sql, type Statement } from '#database/sql.ts'
import { clock, idAt } from '../pipeline/clock.ts'
import { type Call, tenantOf, write } from '../pipeline/handler.ts'
import { livingPatients } from '../patients/patient.ts'
import { published } from '../pipeline/publish.ts'
import { encryptedUpload, uploadPurpose } from '../pipeline/encrypted-members.ts'
import { attachableCase, caseOf, type CaseOfFile, mayAttach } from './file.ts'

type Facts = { patient: string | null; case: CaseOfFile | null }

function faultsOf(input: Input<'createFile'>, found: Facts | null): Fault[] {
  if (!found?.patient) {
    const message = 'patient must be the ID of one of your patients.'
    return [{ pointer: '#/patient', code: 'unknown_reference', message }]
  }
  if (!input.case) return []
  if (!found.case) {
    const message = 'case must be the ID of a case of this patient.'
    return [{ pointer: '#/case', code: 'unknown_reference', message }]
  }
  if (found.case.files < limits.filesMax) return []
  const message = `case must be a case with fewer than ${limits.filesMax} files.`
  return [{ pointer: '#/case', code: 'too_many', message }]
}

/** The reservation as createFile returns it. One of its upload headers contains the ID. */
const uploadColumns = (url: string, headers: Record<string, string>): Statement => sql`
  id, patient, "case", kind, filename, mime, status, 'PUT' as upload_method,
  ${url}::text as upload_url,
  replace(${JSON.stringify(headers)}::text, '{id}', id)::json as upload_headers,
  ${limits.fileBytesMax}::int as max_bytes, iso(expires_at) as expires_at,
  iso(created_at) as created_at`

export const createFile = write('createFile', {
  encrypted: encryptedUpload,
  facts: (call, input) => sql`
    select p.id as patient, ${caseOf(call, input.case ?? null, sql`p.id`)} as "case"
      from (select 1) one left join (
        select id ${livingPatients(call)} and id = ${input.patient}
      ) p on true`,
  inspect: async ({ principal, mint }, input, _facts, { files, webhooks }) => {
    const object = mint('file', 0).random + mint('file', 0).random
    const { mime, size_bytes: size = null } = input
    const { url, headers } = await files.reserve(principal, object, mime, size)
    return { object, url: webhooks.encryption.encrypt(uploadPurpose(principal), url), headers }
  },
  decide: (call, input, found: Facts | null, { object, url, headers }) => {
    const faults = faultsOf(input, found)
    if (faults.length > 0) throw invalid(faults)
    if (found?.case) mayAttach(found.case)
    return { input, object, url, headers, id: call.mint('file', 0) }
  },
  // Locks the patient, so a concurrent delete either sees this file or comes first.
  write: (call: Call<'createFile'>, { input, object, url, headers, id }) => {
    const { patient, mime, kind = null, filename = null, size_bytes: size = null } = input
    const theCase = input.case ?? null
    return sql`
    held as materialized (
      select id ${livingPatients(call)} and id = ${patient} and exists (select from go)
         for no key update
    ), ${theCase === null ? sql`case_held as (select from held)` : attachableCase(call, theCase, sql`held`)},
    ${clock(call, 1, sql`case_held`)},
    changed as (
      insert into files (tenant, id, patient, "case", kind, filename, mime, declared_bytes, status,
                         object, created_at, expires_at)
      select ${tenantOf(call)}, ${idAt(id)}, ${patient}, ${theCase}, ${kind}, ${filename}, ${mime},
             ${size}::int, 'reserved', ${object}, c.at,
             c.at + ${limits.reservationSeconds}::int * interval '1 s'
        from clock c
      returning id, ${published(uploadColumns(url, headers))} as answer
    )`
  },
})
