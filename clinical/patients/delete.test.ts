import { describe, expect, test } from 'bun:test'
import type { OperationId } from '#contract/api.ts'
import { sql } from '#database/sql.ts'
import { consentedPatient, invoke, caseBody, invokeOk, rivera } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { expectFaults, queryAsOwner, expectRefused, eventsOf } from '../testing/assertions.ts'

const fixtures = useFixtures()

const question = { decision: 'needs_info', target: 'patient', question: 'Since when?' }
const decide = (id: string, body: object) => invokeOk(fixtures, 'decideCase', { id, body })

/** Creates a patient with a case in each state, oldest first. */
async function busyPatient() {
  const agreed = await consentedPatient(fixtures)
  const file = async (more?: object): Promise<string> =>
    (await invokeOk(fixtures, 'createCase', { body: caseBody(agreed, { ...more }) })).id
  const approved = await file()
  const received = await file({ hold: true })
  const queued = await file()
  const declined = await file()
  const waiting = await file()
  const inReview = await file()
  const cancelled = await file()
  await decide(approved, { decision: 'approve' })
  await decide(declined, { decision: 'decline', reason: 'No.' })
  await decide(waiting, question)
  await decide(inReview, question)
  await invokeOk(fixtures, 'answerCase', { id: inReview, body: { answers: [{ answer: 'May' }] } })
  await invokeOk(fixtures, 'cancelCase', { id: cancelled, body: { reason: 'A duplicate.' } })
  return { ...agreed, approved, received, queued, declined, waiting, inReview, cancelled }
}

describe('deletePatient 200', () => {
  test('withdraws open cases in ID order, then writes patient.deleted', async () => {
    const it = await busyPatient()
    const { answer, lines } = await eventsOf(fixtures, () =>
      invoke(fixtures, 'deletePatient', { id: it.patient }),
    )
    expect([answer.status, answer.text]).toEqual([200, `{"id":"${it.patient}","deleted":true}`])
    expect(lines).toEqual([
      `case.withdrawn.v1 received → withdrawn ${it.received}`,
      `case.withdrawn.v1 queued → withdrawn ${it.queued}`,
      `case.withdrawn.v1 waiting_on_patient → withdrawn ${it.waiting}`,
      `case.withdrawn.v1 in_review → withdrawn ${it.inReview}`,
      `patient.deleted.v1 active → deleted ${it.patient}`,
    ])
  })

  test('the cases, messages, prescriptions and orders stay readable', async () => {
    const it = await busyPatient()
    await invokeOk(fixtures, 'deletePatient', { id: it.patient })
    const { data } = await invokeOk(fixtures, 'listCases', { query: { patient: it.patient } })
    expect(
      data.map((one: { status: string; reason: string; question: unknown }) => [
        one.status,
        one.reason,
        one.question,
      ]),
    ).toEqual([
      ['approved', null, null],
      ['withdrawn', 'The patient was deleted.', null],
      ['withdrawn', 'The patient was deleted.', null],
      ['declined', 'No.', null],
      ['withdrawn', 'The patient was deleted.', null],
      ['withdrawn', 'The patient was deleted.', null],
      ['cancelled', 'A duplicate.', null],
    ])
    const approved = await invokeOk(fixtures, 'getCase', { id: it.approved })
    expect(approved.patient).toBe(it.patient)
    const order = await invokeOk(fixtures, 'getOrder', { id: approved.order_ids[0] })
    expect([order.patient, order.ship_to.line1]).toEqual([it.patient, rivera.address.line1])
    await invokeOk(fixtures, 'getPrescription', { id: approved.prescription_ids[0] })
    const thread = await invokeOk(fixtures, 'listMessages', { id: it.inReview })
    expect(thread.data).toHaveLength(2)
    const events = await invokeOk(fixtures, 'listCaseEvents', { id: it.waiting })
    expect(events.data.at(-1).type).toBe('case.withdrawn.v1')
  })

  test('the patient and their consents are gone from every read', async () => {
    const external_id = 'to be deleted'
    const { id } = await invokeOk(fixtures, 'createPatient', { body: { ...rivera, external_id } })
    await invokeOk(fixtures, 'recordConsent', { id, body: { kind: 'privacy', version: '1' } })
    await invokeOk(fixtures, 'deletePatient', { id })
    await expectRefused(fixtures, 'getPatient', 'not_found', { id })
    await expectRefused(fixtures, 'listConsents', 'not_found', { id })
    const query = { external_id }
    expect(await invokeOk(fixtures, 'listPatients', { query })).toEqual({
      data: [],
      has_more: false,
    })
    const { data } = await invokeOk(fixtures, 'listPatients', { query: { limit: '100' } })
    expect(data.map((one: { id: string }) => one.id)).not.toContain(id)
  })

  test('the tombstone contains no personal data', async () => {
    const { id } = await invokeOk(fixtures, 'createPatient', {
      body: { ...rivera, first_name: 'Marker', email: 'marker@example.com' },
    })
    await invokeOk(fixtures, 'deletePatient', { id })
    const [row] = await queryAsOwner<{ row: string }>(
      fixtures,
      sql`select p::text as row from test.patients p where id = ${id}`,
    )
    expect(row?.row).not.toMatch(/marker|rivera|1988|stockton|4155|cust|female/i)
  })

  test('events about the patient and their consents show both as deleted', async () => {
    const { patient, telehealth } = await consentedPatient(fixtures)
    const { events } = await eventsOf(fixtures, () =>
      invokeOk(fixtures, 'deletePatient', { id: patient }),
    )
    const { data } = await invokeOk(fixtures, 'listEvents', {
      query: { limit: '100', include_resource: 'true', type: 'patient.deleted.v1' },
    })
    const last = data.find((one: { id: string }) => one.id === events.at(-1)?.id)
    expect(last.data).toEqual({ id: patient, deleted: true })
    const recorded = await invokeOk(fixtures, 'listEvents', {
      query: { limit: '100', include_resource: 'true', type: 'consent.recorded.v1' },
    })
    const consent = recorded.data.find(
      (one: { resource: { id: string } }) => one.resource.id === telehealth,
    )
    expect(consent.data).toEqual({ id: telehealth, deleted: true })
  })

  test('earlier events stay, with their IDs, types, resources and statuses', async () => {
    const { answer, events } = await eventsOf(fixtures, busyPatient)
    expect(events.length).toBeGreaterThan(9)
    await invokeOk(fixtures, 'deletePatient', { id: answer.patient })
    for (const { id, type, status, resource } of events) {
      const kept = { id, type, status, resource: { type: resource.type, id: resource.id } }
      expect(await invokeOk(fixtures, 'getEvent', { id })).toMatchObject(kept)
    }
  })

  test('deleting a patient without cases writes one event', async () => {
    const { id } = await invokeOk(fixtures, 'createPatient', { body: rivera })
    const { lines } = await eventsOf(fixtures, () =>
      invokeOk(fixtures, 'deletePatient', { id, body: {} }),
    )
    expect(lines).toEqual([`patient.deleted.v1 active → deleted ${id}`])
  })

  test('a hundred open cases are withdrawn in one write', async () => {
    const agreed = await consentedPatient(fixtures)
    const filings = Array.from({ length: 100 }, () =>
      invokeOk(fixtures, 'createCase', { body: caseBody(agreed) }),
    )
    const ids = (await Promise.all(filings)).map(one => one.id).sort()
    const { lines } = await eventsOf(fixtures, () =>
      invokeOk(fixtures, 'deletePatient', { id: agreed.patient }),
    )
    expect(lines).toEqual([
      ...ids.map(id => `case.withdrawn.v1 queued → withdrawn ${id}`),
      `patient.deleted.v1 active → deleted ${agreed.patient}`,
    ])
  })
})

describe('deletePatient 400', () => {
  test('createCase refuses the deleted patient', async () => {
    const agreed = await consentedPatient(fixtures)
    await invokeOk(fixtures, 'deletePatient', { id: agreed.patient })
    expect(await expectFaults(fixtures, 'createCase', { body: caseBody(agreed) })).toEqual([
      ['#/patient', 'unknown_reference'],
    ])
  })
})

describe('deletePatient 404', () => {
  test('a second delete, and every other write with the patient in its path', async () => {
    const { id } = await invokeOk(fixtures, 'createPatient', { body: rivera })
    await invokeOk(fixtures, 'deletePatient', { id })
    const writes: [OperationId, unknown][] = [
      ['deletePatient', undefined],
      ['updatePatient', { first_name: 'Bea' }],
      ['recordConsent', { kind: 'privacy', version: '1' }],
    ]
    for (const [operation, body] of writes) {
      await expectRefused(fixtures, operation, 'not_found', { id, body })
    }
  })
})

describe('deletePatient: stored responses to earlier writes', () => {
  test('contain no personal data: a replay says the patient is deleted', async () => {
    const body = { ...rivera, first_name: 'Marker', email: 'marker@example.com' }
    const { id } = await invokeOk(fixtures, 'createPatient', { body, key: 'then-deleted' })
    const change = { id, body: { last_name: 'Markerson' }, key: 'changed-then-deleted' }
    await invokeOk(fixtures, 'updatePatient', change)
    await invokeOk(fixtures, 'deletePatient', { id, key: 'the-delete' })
    const gone = `{"id":"${id}","deleted":true}`
    expect((await invoke(fixtures, 'createPatient', { body, key: 'then-deleted' })).text).toBe(gone)
    expect((await invoke(fixtures, 'updatePatient', change)).text).toBe(gone)
    expect((await invoke(fixtures, 'deletePatient', { id, key: 'the-delete' })).text).toBe(gone)
    const answers = await fixtures.owner.use(connection =>
      connection.run(sql`select key from test.idempotency_keys where answer like '%Marker%'`),
    )
    expect(answers).toEqual([])
  })
})
