import type { Input } from '#contract/api.ts'
import type { Fault } from '#contract/faults.ts'
import { invalid } from '#contract/problems.ts'
import { nothing, sql } from '#database/sql.ts'
import { clock, idAt } from '../pipeline/clock.ts'
import { emit, event } from '../pipeline/emit.ts'
import { type Call, tenantOf, write } from '../pipeline/handler.ts'
import { consentStatus } from '../consents/consent.ts'
import { livingPatients } from '../patients/patient.ts'
import { takesFilesWhenFiled } from '../modes.ts'
import { published } from '../pipeline/publish.ts'
import { caseColumns } from './case.ts'
import { unassignedFiles, assignFiles, lockFiles } from './files.ts'
import { formularyHint, type Line, readLine } from './lines.ts'

type CaseInput = Input<'createCase'>
type Consent = { id: string; kind: 'telehealth' | 'privacy'; status: 'current' | 'superseded' }
/** The named consents that belong to the patient, and the named files that are attached to the
 *  patient but not to a case. */
type Facts = { patient: string | null; consents: Consent[]; files: string[] }

const unknownReference = (pointer: string, message: string): Fault => ({
  pointer,
  code: 'unknown_reference',
  message,
})

/** Returns every unknown reference in document order, with the faults in medication lines. Without
 *  a patient, consents and files can't be checked. */
function faultsOf(
  call: Call<'createCase'>,
  caseBody: CaseInput,
  facts: Facts,
  inLines: readonly Fault[],
): Fault[] {
  const { consent_ids = [], files = [] } = caseBody
  const consentIds = new Set(facts.consents.map(consent => consent.id))
  const inConsents = consent_ids.flatMap((id, at) =>
    consentIds.has(id)
      ? []
      : [
          unknownReference(
            `#/consent_ids/${at}`,
            `consent_ids[${at}] must be the ID of a consent of this patient.`,
          ),
        ],
  )
  const free = new Set(facts.files)
  const inFiles = files.flatMap((id, at) =>
    free.has(id)
      ? []
      : [
          unknownReference(
            `#/files/${at}`,
            `files[${at}] must be an attached file of this patient without a case.`,
          ),
        ],
  )
  const message = 'files must be empty in live mode.'
  const inLive: Fault[] =
    files.length > 0 && !takesFilesWhenFiled(call.principal.mode)
      ? [{ pointer: '#/files', code: 'not_allowed_in_live', message }]
      : []
  return facts.patient
    ? [...inConsents, ...inLines, ...(inLive.length > 0 ? inLive : inFiles)]
    : [
        unknownReference('#/patient', 'patient must be the ID of one of your patients.'),
        ...inLines,
        ...inLive,
      ]
}

const liveFilesHint =
  'File the case with hold, attach files with POST /v1/files and its case, then release it.'
const hintOf = (faults: readonly Fault[]) =>
  faults.some(fault => fault.code === 'not_allowed_in_live') ? liveFilesHint : formularyHint(faults)

function readLines(
  { principal }: Call<'createCase'>,
  caseBody: CaseInput,
  faults: Fault[],
): Line[] {
  const { formulary } = principal.organization
  const medicationIds = new Set<string>()
  return caseBody.requested_medications.flatMap((line, at) => {
    const pointer = `#/requested_medications/${at}`
    if (medicationIds.has(line.medication_id)) {
      const message = 'requested_medications must not repeat a medication.'
      faults.push({ pointer: `${pointer}/medication_id`, code: 'not_unique', message })
    }
    medicationIds.add(line.medication_id)
    return readLine(line, pointer, { formulary, faults }) ?? []
  })
}

/** Returns the IDs of both current consents, or throws a refusal that names the missing
 *  consents. */
function bothConsents(call: Call<'createCase'>, consents: readonly Consent[]): string[] {
  const current = (kind: Consent['kind']) =>
    consents.find(consent => consent.kind === kind && consent.status === 'current')?.id
  const [telehealth, privacy] = [current('telehealth'), current('privacy')]
  if (telehealth && privacy) return [telehealth, privacy]
  const missing = [...(telehealth ? [] : ['telehealth']), ...(privacy ? [] : ['privacy'])]
  throw call.refuse('consent_required', {
    detail: `The case does not name the patient's current ${missing.join(' and ')} consent.`,
    members: { missing },
  })
}

export const createCase = write('createCase', {
  facts: (call, { patient, consent_ids = [], files = [] }) => sql`
    select p.id as patient, (
      select coalesce(json_agg(json_build_object('id', id, 'kind', kind, 'status', ${consentStatus})), '[]')
        from consents
       where tenant = ${tenantOf(call)} and patient = p.id and id = any (${consent_ids}::text[])
    ) as consents, ${files.length === 0 ? sql`'[]'::json` : unassignedFiles(call, sql`p.id`, files)} as files
      from (select 1) one left join (
        select id ${livingPatients(call)} and id = ${patient}
      ) p on true`,
  decide: (call, caseBody, found: Facts | null) => {
    const inLines: Fault[] = []
    const lines = readLines(call, caseBody, inLines)
    const faults = faultsOf(
      call,
      caseBody,
      found ?? { patient: null, consents: [], files: [] },
      inLines,
    )
    if (faults.length > 0) throw invalid(faults, hintOf(faults))
    const agreed = bothConsents(call, found?.consents ?? [])
    const answers = (caseBody.answers ?? []).map(({ id, question, answer, type = 'string' }) => ({
      id,
      question,
      answer,
      type,
    }))
    return { caseBody, lines, agreed, answers, id: call.mint('case', 0) }
  },
  // Locks the patient and counts its cases, so a concurrent delete of the patient sees this case.
  // Locks both consents, so they're still current when the case is created.
  write: (call, { caseBody, lines, agreed, answers, id }) => {
    const { patient, consent_ids = [], files = [], hold = false } = caseBody
    const [status, type] = hold
      ? (['received', 'case.received.v1'] as const)
      : (['queued', 'case.queued.v1'] as const)
    return sql`
    held as materialized (
      select id ${livingPatients(call)} and id = ${patient} and exists (select from go)
         for no key update
    ), agreed as materialized (
      select c.id from consents c join held on held.id = c.patient
       where c.tenant = ${tenantOf(call)} and c.id = any (${agreed}::text[]) and c.status = 'current'
         for share of c
    ), ${files.length === 0 ? nothing : lockFiles(call, files)}
    ready as materialized (select 1 as yes from held where (select count(*) from agreed) = 2
      ${files.length === 0 ? nothing : sql`and (select count(*) from locked_files) = ${files.length}::int`}),
    ${clock(call, 2, sql`ready`)}, ${files.length === 0 ? nothing : assignFiles(call, id, files)}
    counted as (
      update patients set cases = cases + 1
       where tenant = ${tenantOf(call)} and id = ${patient} and exists (select from clock)
    ), changed as (
      insert into cases (tenant, id, patient, status, status_at, consent_ids, requested_medications,
                         answers, hold, files, created_at, updated_at)
      select ${tenantOf(call)}, ${idAt(id)}, ${patient}, ${status}, c.at, ${consent_ids}::text[],
             ${JSON.stringify(lines)}::text::json, ${JSON.stringify(answers)}::text::json,
             ${hold}, ${files}::text[], c.at, c.at
        from clock c
      returning id, ${published(caseColumns)} as answer
    ), ${emit(call, [event(1, type, id, null, status)])}`
  },
})
