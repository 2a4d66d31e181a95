// A twenty-year-old record with one row of every kind that belongs to a patient.

import { newId } from '#auth/ids.ts'
import { sql } from '#database/sql.ts'
import { purge } from '../sandbox/purge.ts'
import { queryAsOwner } from './assertions.ts'
import { caseBody, invokeOk, rivera } from './call.ts'
import { consoleBodies } from './console-calls.ts'
import { completePending } from './exports.ts'
import { attachFile } from './files.ts'
import type { Fixtures } from './fixtures.ts'
import type { StaffMember, TestConsole } from './staff.ts'
import { freeStarts } from './visits.ts'

/** Part of every value in the record that could identify a person. */
export const mark = 'Quillfeather'

const marked = {
  ...rivera,
  external_id: `mrn ${mark}`,
  first_name: mark,
  last_name: mark,
  email: `${mark}@example.com`,
  address: { ...rivera.address, line1: `7 ${mark} Way` },
}

type Staff = Omit<TestConsole, 'close'>

/** Returns the patient's ID. */
export async function wholeRecord(fixtures: Fixtures, staff: Staff): Promise<string> {
  const as = fixtures.ada.live
  const records = await staff.hire(['records'])
  const doctor = await staff.hire(['clinician'], { states: [rivera.address.state] })
  await connectPharmacy(fixtures)
  const { id: patient } = await invokeOk(fixtures, 'createPatient', { as, body: marked })
  await approvedCase(fixtures, { staff, doctor, patient })
  const [starts_at] = await freeStarts(fixtures, rivera.address.state, as)
  const visit = await invokeOk(fixtures, 'bookVisit', { as, body: { patient, starts_at } })
  await invokeOk(fixtures, 'cancelVisit', { as, id: visit.id })
  await invokeOk(fixtures, 'createExport', { as, id: patient })
  await completePending(fixtures)
  const call = { as: records, id: patient }
  const entry = { ...consoleBodies.addDisclosure, recipient: mark }
  const { id: corrects } = await staff.ok('addDisclosure', { ...call, body: entry })
  await staff.ok('addDisclosure', { ...call, body: { ...entry, corrects } })
  const { id: hold } = await staff.ok('placeHold', { ...call, body: consoleBodies.placeHold })
  const note = { as: doctor, id: visit.id, body: { version: null, body: mark } }
  const { id: signed } = await staff.ok('signVisitNote', note)
  await staff.ok('addAddendum', { as: doctor, id: signed, body: { body: mark } })
  await staff.ok('liftHold', { ...call, body: { hold, reason: mark } })
  await makeOld(fixtures, patient)
  return patient
}

async function connectPharmacy(fixtures: Fixtures): Promise<void> {
  await queryAsOwner(
    fixtures,
    sql`insert into pharmacy.connections (id, organization, name, url, secret)
        values (${newId('pharmacy')}, ${fixtures.clinic}, 'Example Pharmacy',
                'https://pharmacy.example.com', 'unused') on conflict do nothing`,
  )
}

type NewCase = { staff: Staff; doctor: StaffMember; patient: string }

async function approvedCase(fixtures: Fixtures, { staff, doctor, patient }: NewCase) {
  const as = fixtures.ada.live
  const consent = async (kind: string): Promise<string> => {
    const body = { kind, version: '2026-09-01' }
    return (await invokeOk(fixtures, 'recordConsent', { as, id: patient, body })).id
  }
  const [telehealth, privacy] = [await consent('telehealth'), await consent('privacy')]
  const body = caseBody({ patient, telehealth, privacy })
  const { id } = await invokeOk(fixtures, 'createCase', { as, body })
  await attachFile(fixtures, { as, case: id })
  const version = async () => (await invokeOk(fixtures, 'getCase', { as, id })).updated_at
  const message = { version: await version(), body: `Dear ${mark}.` }
  await staff.ok('writeMessage', { as: doctor, id, body: message })
  await staff.ok('approveCase', { as: doctor, id, body: { version: await version() } })
  await invokeOk(fixtures, 'createMessage', { as, id, body: { body: mark } })
}

/** Backdates the rows by twenty years, and makes the order look abandoned. */
async function makeOld(fixtures: Fixtures, patient: string): Promise<void> {
  for (const statement of [
    sql`update live.orders set status = 'failed', reason = 'In error.' where patient = ${patient}`,
    sql`update live.patients set updated_at = now() - interval '20 years' where id = ${patient}`,
    sql`update live.consents set created_at = now() - interval '20 years' where patient = ${patient}`,
    sql`update live.cases set updated_at = now() - interval '20 years' where patient = ${patient}`,
    sql`update live.messages set created_at = now() - interval '20 years'
         where "case" in (select id from live.cases where patient = ${patient})`,
    sql`update live.prescriptions set updated_at = now() - interval '20 years'
         where patient = ${patient}`,
    sql`update live.orders set updated_at = now() - interval '20 years' where patient = ${patient}`,
    sql`update live.visits set updated_at = now() - interval '20 years',
               starts_at = starts_at - interval '20 years', ends_at = ends_at - interval '20 years'
         where patient = ${patient}`,
    sql`update live.files set created_at = now() - interval '20 years' where patient = ${patient}`,
    sql`update records.notes set updated_at = now() - interval '20 years' where patient = ${patient}`,
    sql`update records.addenda set created_at = now() - interval '20 years'
         where note in (select id from records.notes where patient = ${patient})`,
    sql`update records.disclosures set created_at = now() - interval '20 years'
         where patient = ${patient}`,
    sql`update live.idempotency_keys set expires_at = now() - interval '1 minute'`,
  ]) {
    await queryAsOwner(fixtures, statement)
  }
  await purge(fixtures.workerContext)
}
