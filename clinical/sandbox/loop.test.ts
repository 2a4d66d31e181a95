// The sandbox, from a new patient to an approved case, and the events of every step.

import { expect, test } from 'bun:test'
import { invoke, caseBody, invokeOk, rivera } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { eventsAfter } from '../testing/assertions.ts'

const fixtures = useFixtures()

test('sandbox: patient, consents, case, question, answer and approval write twelve events in order', async () => {
  const patient = await invokeOk(fixtures, 'createPatient', { body: rivera })
  const consent = (kind: string) =>
    invokeOk(fixtures, 'recordConsent', { id: patient.id, body: { kind, version: '2026-09-01' } })
  const [telehealth, privacy] = [await consent('telehealth'), await consent('privacy')]
  const agreed = { patient: patient.id, telehealth: telehealth.id, privacy: privacy.id }
  const filed = await invokeOk(fixtures, 'createCase', { body: caseBody(agreed) })
  expect(filed.status).toBe('queued')
  const { id } = filed
  const decide = (body: object) => invoke(fixtures, 'decideCase', { id, body })
  const question = { decision: 'needs_info', target: 'patient', question: 'Since when?' }
  expect((await decide(question)).body.status).toBe('waiting_on_patient')
  const answered = await invokeOk(fixtures, 'answerCase', {
    id,
    body: { answers: [{ answer: 'May.' }] },
  })
  expect(answered.status).toBe('in_review')
  const approved = await decide({ decision: 'approve' })
  expect([approved.status, approved.body.status]).toEqual([200, 'approved'])
  const [prescription, order] = [approved.body.prescription_ids[0], approved.body.order_ids[0]]

  const events = await eventsAfter(fixtures, null)
  expect(
    events.map(one => `${one.type} ${one.previous_status} → ${one.status} ${one.resource.id}`),
  ).toEqual([
    `patient.created.v1 null → active ${patient.id}`,
    `consent.recorded.v1 null → current ${telehealth.id}`,
    `consent.recorded.v1 null → current ${privacy.id}`,
    `case.queued.v1 null → queued ${id}`,
    `case.in_review.v1 queued → in_review ${id}`,
    `case.waiting_on_patient.v1 in_review → waiting_on_patient ${id}`,
    `case.question_asked.v1 waiting_on_patient → waiting_on_patient ${id}`,
    `case.in_review.v1 waiting_on_patient → in_review ${id}`,
    `case.message_created.v1 in_review → in_review ${id}`,
    `case.approved.v1 in_review → approved ${id}`,
    `prescription.created.v1 null → active ${prescription}`,
    `order.created.v1 null → created ${order}`,
  ])
  const moments = events.map(one => one.created_at)
  expect(moments).toEqual([...new Set(moments)].sort())
})
