import { beforeEach, describe, expect, test } from 'bun:test'
import {
  type ConsentedPatient,
  consentedPatient,
  invoke,
  caseBody,
  minoxidil,
  invokeOk,
  semaglutide,
} from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { eventsOf } from '../testing/assertions.ts'

const fixtures = useFixtures()
let agreed: ConsentedPatient
beforeEach(async () => {
  agreed = await consentedPatient(fixtures)
})

const tretinoin = 'med_01ke5q8nm013j2m1v4y0tt17kh'

describe('createCase 201', () => {
  test('returns the case with its fields in schema order', async () => {
    const body = caseBody(agreed, {
      answers: [{ id: 'weight_goal', question: 'What is your goal?', answer: '165 lb' }],
    })
    const { answer, lines } = await eventsOf(fixtures, () =>
      invoke(fixtures, 'createCase', { body }),
    )
    const { id, created_at } = answer.body
    expect(answer.status).toBe(201)
    expect(answer.text).toBe(
      JSON.stringify({
        id,
        patient: agreed.patient,
        status: 'queued',
        consent_ids: [agreed.telehealth, agreed.privacy],
        requested_medications: [
          {
            medication_id: semaglutide,
            quantity: 4,
            refills: 0,
            days_supply: 28,
            directions: 'Inject 0.25 mg under the skin once a week.',
          },
        ],
        answers: [
          {
            id: 'weight_goal',
            question: 'What is your goal?',
            answer: '165 lb',
            type: 'string',
          },
        ],
        hold: false,
        files: [],
        plan: null,
        question: null,
        reason: null,
        prescription_ids: [],
        order_ids: [],
        created_at,
        updated_at: created_at,
      }),
    )
    expect(answer.headers['location']).toBe(`/v1/cases/${id}`)
    expect(lines).toEqual([`case.queued.v1 null → queued ${id}`])
    expect((await invoke(fixtures, 'getCase', { id })).text).toBe(answer.text)
  })

  test('with hold the case is received, not queued', async () => {
    const { answer, lines } = await eventsOf(fixtures, () =>
      invokeOk(fixtures, 'createCase', { body: caseBody(agreed, { hold: true, files: [] }) }),
    )
    expect([answer.status, answer.hold]).toEqual(['received', true])
    expect(lines).toEqual([`case.received.v1 null → received ${answer.id}`])
  })

  test('a medication line’s omitted fields come from the catalog', async () => {
    const requested_medications = [
      { medication_id: tretinoin, refills: 11, directions: 'As directed.' },
      { medication_id: minoxidil, quantity: 3, days_supply: 365 },
      { medication_id: semaglutide, quantity: 12, refills: 0, days_supply: 1, directions: 'd' },
    ]
    const found = await invokeOk(fixtures, 'createCase', {
      body: caseBody(agreed, { requested_medications }),
    })
    expect(JSON.stringify(found.requested_medications)).toBe(
      JSON.stringify([
        {
          medication_id: tretinoin,
          quantity: 45,
          refills: 11,
          days_supply: 60,
          directions: 'As directed.',
        },
        {
          medication_id: minoxidil,
          quantity: 3,
          refills: 0,
          days_supply: 365,
          directions: 'Apply half a capful to the dry scalp once a day.',
        },
        {
          medication_id: semaglutide,
          quantity: 12,
          refills: 0,
          days_supply: 1,
          directions: 'd',
        },
      ]),
    )
  })

  test('answers keep their order, types and repeated IDs', async () => {
    const answers = ['string', 'number', 'boolean', 'date'].map(type => ({
      id: 'same',
      question: 'q',
      answer: '',
      type,
    }))
    const found = await invokeOk(fixtures, 'createCase', { body: caseBody(agreed, { answers }) })
    expect(JSON.stringify(found.answers)).toBe(JSON.stringify(answers))
  })

  test('an answer about an emergency is stored like any other, and changes no status', async () => {
    const answers = [{ id: 'now', question: 'How are you?', answer: 'Chest pain. I call 911.' }]
    const { answer: found, lines } = await eventsOf(fixtures, () =>
      invokeOk(fixtures, 'createCase', { body: caseBody(agreed, { answers }) }),
    )
    expect([found.status, found.answers]).toMatchObject(['queued', answers])
    expect(lines).toEqual([`case.queued.v1 null → queued ${found.id}`])
  })

  test('consent_ids are stored as sent, including superseded ones', async () => {
    const newer = await invokeOk(fixtures, 'recordConsent', {
      id: agreed.patient,
      body: { kind: 'privacy', version: '2' },
    })
    const consent_ids = [agreed.privacy, newer.id, agreed.telehealth]
    const found = await invokeOk(fixtures, 'createCase', {
      body: caseBody(agreed, { consent_ids }),
    })
    expect(found.consent_ids).toEqual(consent_ids)
  })

  test('a consent recorded later doesn’t change existing cases', async () => {
    const { id } = await invokeOk(fixtures, 'createCase', {
      body: caseBody(agreed, { hold: true }),
    })
    await invokeOk(fixtures, 'recordConsent', {
      id: agreed.patient,
      body: { kind: 'privacy', version: '2' },
    })
    const found = await invokeOk(fixtures, 'releaseCase', { id })
    expect([found.status, found.consent_ids]).toEqual([
      'queued',
      [agreed.telehealth, agreed.privacy],
    ])
  })

  test('a case with 20 medications and 200 answers of maximum length is accepted', async () => {
    const { data } = await invokeOk(fixtures, 'listMedications')
    const requested_medications = data.map((one: { medication_id: string }) => ({
      medication_id: one.medication_id,
      directions: 'd'.repeat(500),
    }))
    const answer = { id: 'i'.repeat(100), question: 'q'.repeat(1000), answer: 'a'.repeat(1000) }
    const answers = Array.from({ length: 200 }, () => answer)
    const body = caseBody(agreed, { requested_medications, answers })
    const found = await invokeOk(fixtures, 'createCase', { body })
    expect([found.requested_medications.length, found.answers.length]).toEqual([20, 200])
  })
})
