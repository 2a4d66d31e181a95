// Creates, through /v1, a patient whose record has a row of every kind that FHIR shows.

import { caseBody, consentedPatient, invokeOk, rivera } from '#clinical/testing/call.ts'
import { attachFile } from '#clinical/testing/files.ts'
import type { Fixtures } from '#clinical/testing/fixtures.ts'
import { freeStarts } from '#clinical/testing/visits.ts'

const answers = [
  { id: 'goal', question: 'What is your goal?', answer: '165 lb' },
  { id: 'weight', question: 'Weight in kg?', answer: '81.5', type: 'number' },
  { id: 'pregnant', question: 'Are you pregnant?', answer: 'false', type: 'boolean' },
  { id: 'since', question: 'Since when?', answer: '2026-02-28', type: 'date' },
  // Values that don't match their type, and an empty value.
  { id: 'odd', question: 'How many?', answer: 'about ten', type: 'number' },
  { id: 'day', question: 'Which day?', answer: '2026-02-30', type: 'date' },
  { id: 'none', question: 'Anything else?', answer: '' },
]

export async function wholeRecord(fixtures: Fixtures, as: string) {
  const call = (operation: Parameters<typeof invokeOk>[1], id: string, body: object = {}) =>
    invokeOk(fixtures, operation, { as, id, body })
  const agreed = await consentedPatient(fixtures, as)
  const { patient } = agreed
  await invokeOk(fixtures, 'updatePatient', {
    as,
    id: patient,
    body: { external_id: `chart-${patient}`, middle_name: 'Maria', sex_at_birth: 'intersex' },
  })
  const file = await attachFile(fixtures, { as, patient })
  const create = async (more: object = {}): Promise<string> =>
    (await invokeOk(fixtures, 'createCase', { as, body: caseBody(agreed, { answers, ...more }) }))
      .id
  const approved = await create({ files: [file.id] })
  await call('createMessage', approved, { body: 'Hello', author: 'patient' })
  await call('decideCase', approved, {
    decision: 'needs_info',
    target: 'patient',
    question: 'Have you ever had pancreatitis?',
  })
  await call('answerCase', approved, { answers: [{ answer: 'No, never.' }] })
  await call('decideCase', approved, { decision: 'approve' })
  await call('shipCase', approved)
  await call('deliverCase', approved)
  const declined = await create()
  await call('decideCase', declined, { decision: 'decline', reason: 'Not suitable.' })
  const blocked = await create()
  await call('decideCase', blocked, { decision: 'approve' })
  await call('blockCase', blocked, { reason: 'Out of stock.' })
  await call('withdrawCase', await create({ hold: true }), { reason: 'Changed my mind.' })
  const waiting = await create()
  await call('decideCase', waiting, {
    decision: 'needs_info',
    target: 'integration',
    question: 'Why?',
  })
  await call('sendClinicianMessage', waiting, { body: 'Take your time.' })
  const [first = '', second = '', third = ''] = await startsApart(fixtures, as)
  const book = async (starts_at: string, more: object = {}): Promise<string> =>
    (await invokeOk(fixtures, 'bookVisit', { as, body: { patient, starts_at, ...more } })).id
  const visit = await book(first, { case: approved })
  await call('startVisit', visit)
  await call('completeVisit', visit)
  await call('noShowVisit', await book(second))
  await book(third)
  return { ...agreed, file: file.id as string, case: approved, visit }
}

/** Three free start times in the patient's state, an hour apart. */
async function startsApart(fixtures: Fixtures, as: string): Promise<string[]> {
  const found: string[] = []
  for (const one of await freeStarts(fixtures, rivera.address.state, as)) {
    const last = found.at(-1)
    if (last === undefined || Date.parse(one) - Date.parse(last) >= 3_600_000) found.push(one)
  }
  return found
}
