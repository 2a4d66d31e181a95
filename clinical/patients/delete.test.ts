import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { OperationId } from '#contract/api.ts'
import { sql } from '#database/sql.ts'
import { consentedPatient, ask, caseBody, must, rivera } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { expectFaults, unknownId, queryAsOwner, refused, told } from '../testing/assertions.ts'

let fixtures: Fixtures
beforeAll(async () => {
  fixtures = await openFixtures()
})
afterAll(() => fixtures.close())

const question = { decision: 'needs_info', target: 'patient', question: 'Since when?' }
const decide = (id: string, body: object) => must(fixtures, 'decideCase', { id, body })

/** A patient with a case in every state that a patient can have one in, oldest first. */
async function busyPatient() {
  const agreed = await consentedPatient(fixtures)
  const file = async (more?: object): Promise<string> =>
    (await must(fixtures, 'createCase', { body: caseBody(agreed, { ...more }) })).id
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
  await must(fixtures, 'answerCase', { id: inReview, body: { answers: [{ answer: 'May' }] } })
  await must(fixtures, 'cancelCase', { id: cancelled, body: { reason: 'A duplicate.' } })
  return { ...agreed, approved, received, queued, declined, waiting, inReview, cancelled }
}

describe('200', () => {
  test('withdraws what is open in order of id, then says that the patient is deleted', async () => {
    const it = await busyPatient()
    const { answer, lines } = await told(fixtures, () =>
      ask(fixtures, 'deletePatient', { id: it.patient }),
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

  test('its cases, thread, prescriptions and orders stay readable', async () => {
    const it = await busyPatient()
    await must(fixtures, 'deletePatient', { id: it.patient })
    const { data } = await must(fixtures, 'listCases', { query: { patient: it.patient } })
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
    const approved = await must(fixtures, 'getCase', { id: it.approved })
    expect(approved.patient).toBe(it.patient)
    const order = await must(fixtures, 'getOrder', { id: approved.order_ids[0] })
    expect([order.patient, order.ship_to.line1]).toEqual([it.patient, rivera.address.line1])
    await must(fixtures, 'getPrescription', { id: approved.prescription_ids[0] })
    const thread = await must(fixtures, 'listMessages', { id: it.inReview })
    expect(thread.data).toHaveLength(2)
    const events = await must(fixtures, 'listCaseEvents', { id: it.waiting })
    expect(events.data.at(-1).type).toBe('case.withdrawn.v1')
  })

  test('the patient and its consents are gone from every read', async () => {
    const external_id = 'to be forgotten'
    const { id } = await must(fixtures, 'createPatient', { body: { ...rivera, external_id } })
    await must(fixtures, 'recordConsent', { id, body: { kind: 'privacy', version: '1' } })
    await must(fixtures, 'deletePatient', { id })
    await refused(fixtures, 'getPatient', 'not_found', { id })
    await refused(fixtures, 'listConsents', 'not_found', { id })
    const query = { external_id }
    expect(await must(fixtures, 'listPatients', { query })).toEqual({ data: [], has_more: false })
    const { data } = await must(fixtures, 'listPatients', { query: { limit: '100' } })
    expect(data.map((one: { id: string }) => one.id)).not.toContain(id)
  })

  test('the tombstone holds no detail', async () => {
    const { id } = await must(fixtures, 'createPatient', {
      body: { ...rivera, first_name: 'Marker', email: 'marker@example.com' },
    })
    await must(fixtures, 'deletePatient', { id })
    const [row] = await queryAsOwner<{ row: string }>(
      fixtures,
      sql`select p::text as row from test.patients p where id = ${id}`,
    )
    expect(row?.row).not.toMatch(/marker|rivera|1988|stockton|4155|cust|female/i)
  })

  test('its events name it as deleted, and its consents too', async () => {
    const { patient, telehealth } = await consentedPatient(fixtures)
    const { events } = await told(fixtures, () => must(fixtures, 'deletePatient', { id: patient }))
    const { data } = await must(fixtures, 'listEvents', {
      query: { limit: '100', include_resource: 'true', type: 'patient.deleted.v1' },
    })
    const last = data.find((one: { id: string }) => one.id === events.at(-1)?.id)
    expect(last.data).toEqual({ id: patient, deleted: true })
    const recorded = await must(fixtures, 'listEvents', {
      query: { limit: '100', include_resource: 'true', type: 'consent.recorded.v1' },
    })
    const consent = recorded.data.find(
      (one: { resource: { id: string } }) => one.resource.id === telehealth,
    )
    expect(consent.data).toEqual({ id: telehealth, deleted: true })
  })

  test('a patient without cases is one event', async () => {
    const { id } = await must(fixtures, 'createPatient', { body: rivera })
    const { lines } = await told(fixtures, () => must(fixtures, 'deletePatient', { id, body: {} }))
    expect(lines).toEqual([`patient.deleted.v1 active → deleted ${id}`])
  })

  test('a hundred open cases are withdrawn in one write', async () => {
    const agreed = await consentedPatient(fixtures)
    const filings = Array.from({ length: 100 }, () =>
      must(fixtures, 'createCase', { body: caseBody(agreed) }),
    )
    const ids = (await Promise.all(filings)).map(one => one.id).sort()
    const { lines } = await told(fixtures, () =>
      must(fixtures, 'deletePatient', { id: agreed.patient }),
    )
    expect(lines).toEqual([
      ...ids.map(id => `case.withdrawn.v1 queued → withdrawn ${id}`),
      `patient.deleted.v1 active → deleted ${agreed.patient}`,
    ])
  })
})

describe('400', () => {
  test('a body that is not empty', async () => {
    const { id } = await must(fixtures, 'createPatient', { body: rivera })
    expect(await expectFaults(fixtures, 'deletePatient', { id, body: { force: true } })).toEqual([
      ['#/force', 'unknown_field'],
    ])
  })

  test('a case that names the deleted patient', async () => {
    const agreed = await consentedPatient(fixtures)
    await must(fixtures, 'deletePatient', { id: agreed.patient })
    expect(await expectFaults(fixtures, 'createCase', { body: caseBody(agreed) })).toEqual([
      ['#/patient', 'unknown_reference'],
    ])
  })
})

describe('404', () => {
  test('the second delete, and every other write that names the patient in its path', async () => {
    const { id } = await must(fixtures, 'createPatient', { body: rivera })
    await must(fixtures, 'deletePatient', { id })
    const writes: [OperationId, unknown][] = [
      ['deletePatient', undefined],
      ['updatePatient', { first_name: 'Bea' }],
      ['recordConsent', { kind: 'privacy', version: '1' }],
    ]
    for (const [operation, body] of writes) {
      await refused(fixtures, operation, 'not_found', { id, body })
    }
  })

  test("nobody's patient, and another's", async () => {
    const { id } = await must(fixtures, 'createPatient', { body: rivera })
    await refused(fixtures, 'deletePatient', 'not_found', { id: unknownId('pat') })
    await refused(fixtures, 'deletePatient', 'not_found', { id: 'pat_1' })
    for (const as of [fixtures.ben.test, fixtures.ada.live]) {
      await refused(fixtures, 'deletePatient', 'not_found', { id, as })
    }
  })
})

describe('what is kept of a write that is finished', () => {
  test('no detail: a replayed key answers that the patient is gone, and makes no other', async () => {
    const body = { ...rivera, first_name: 'Marker', email: 'marker@example.com' }
    const { id } = await must(fixtures, 'createPatient', { body, key: 'then-deleted' })
    const change = { id, body: { last_name: 'Markerson' }, key: 'changed-then-deleted' }
    await must(fixtures, 'updatePatient', change)
    await must(fixtures, 'deletePatient', { id, key: 'the-delete' })
    const gone = `{"id":"${id}","deleted":true}`
    expect((await ask(fixtures, 'createPatient', { body, key: 'then-deleted' })).text).toBe(gone)
    expect((await ask(fixtures, 'updatePatient', change)).text).toBe(gone)
    expect((await ask(fixtures, 'deletePatient', { id, key: 'the-delete' })).text).toBe(gone)
    const kept = await fixtures.owner.use(connection =>
      connection.run(sql`select key from test.idempotency_keys where answer like '%Marker%'`),
    )
    expect(kept).toEqual([])
  })
})
