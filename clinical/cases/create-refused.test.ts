// Refusals by createCase, which validates more than any other write.

import { beforeEach, describe, expect, test } from 'bun:test'
import {
  type ConsentedPatient,
  consentedPatient,
  caseBody,
  invokeOk,
  semaglutide,
} from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { expectFaults, unknownId, expectRefused } from '../testing/assertions.ts'

const fixtures = useFixtures()
let agreed: ConsentedPatient
beforeEach(async () => {
  agreed = await consentedPatient(fixtures)
})

const line = { medication_id: semaglutide }

describe('createCase 400', () => {
  const many = (length: number, one: object) => Array.from({ length }, () => one)
  const reply = { id: 'i', question: 'q', answer: 'a' }
  test.each<[string, string, object]>([
    ['#/patient', 'invalid_format', { patient: 'Ada' }],
    ['#/patient', 'unknown_reference', { patient: unknownId('pat') }],
    ['#/requested_medications', 'too_few', { requested_medications: [] }],
    ['#/requested_medications', 'too_many', { requested_medications: many(21, line) }],
    ['#/requested_medications/0/medication_id', 'required', { requested_medications: [{}] }],
    [
      '#/requested_medications/0/medication_id',
      'unknown_reference',
      { requested_medications: [{ medication_id: unknownId('med') }] },
    ],
    [
      '#/requested_medications/1/medication_id',
      'not_unique',
      { requested_medications: [line, { ...line, quantity: 1 }] },
    ],
    [
      '#/requested_medications/0/quantity',
      'too_large',
      { requested_medications: [{ ...line, quantity: 13 }] },
    ],
    [
      '#/requested_medications/0/quantity',
      'too_small',
      { requested_medications: [{ ...line, quantity: 0 }] },
    ],
    [
      '#/requested_medications/0/refills',
      'too_large',
      { requested_medications: [{ ...line, refills: 12 }] },
    ],
    [
      '#/requested_medications/0/days_supply',
      'too_large',
      { requested_medications: [{ ...line, days_supply: 366 }] },
    ],
    [
      '#/requested_medications/0/directions',
      'too_long',
      { requested_medications: [{ ...line, directions: 'd'.repeat(501) }] },
    ],
    [
      '#/requested_medications/0/dispensable',
      'unknown_field',
      { requested_medications: [{ ...line, dispensable: true }] },
    ],
    ['#/answers', 'too_many', { answers: many(201, reply) }],
    ['#/answers/0/type', 'not_in_enum', { answers: [{ ...reply, type: 'json' }] }],
    ['#/answers/0/question', 'required', { answers: [{ id: 'i', answer: 'a' }] }],
    ['#/answers/0/answer', 'too_long', { answers: [{ ...reply, answer: 'a'.repeat(5001) }] }],
    ['#/answers/0/answer', 'wrong_type', { answers: [{ ...reply, answer: 165 }] }],
    ['#/hold', 'wrong_type', { hold: 'yes' }],
    ['#/files/0', 'unknown_reference', { files: [unknownId('file')] }],
  ])('%s %s', async (pointer, code, change) => {
    const body = caseBody(agreed, change as Record<string, unknown>)
    expect(await expectFaults(fixtures, 'createCase', { body })).toEqual([[pointer, code]])
  })

  test('a consent named twice, too many consents, and another patient’s consents', async () => {
    const other = await consentedPatient(fixtures)
    const twice = [agreed.telehealth, agreed.privacy, agreed.privacy]
    expect(
      await expectFaults(fixtures, 'createCase', {
        body: caseBody(agreed, { consent_ids: twice }),
      }),
    ).toEqual([['#/consent_ids/2', 'not_unique']])
    const eleven = Array.from({ length: 11 }, () => agreed.privacy)
    expect(
      await expectFaults(fixtures, 'createCase', {
        body: caseBody(agreed, { consent_ids: eleven }),
      }),
    ).toEqual([['#/consent_ids', 'too_many']])
    const strange = [agreed.telehealth, other.privacy, unknownId('cons')]
    expect(
      await expectFaults(fixtures, 'createCase', {
        body: caseBody(agreed, { consent_ids: strange }),
      }),
    ).toEqual([
      ['#/consent_ids/1', 'unknown_reference'],
      ['#/consent_ids/2', 'unknown_reference'],
    ])
  })

  test('reports every unknown reference, in document order', async () => {
    const body = {
      patient: agreed.patient,
      consent_ids: [unknownId('cons')],
      requested_medications: [{ medication_id: unknownId('med') }, { ...line, quantity: 99 }],
      files: [unknownId('file')],
    }
    expect(await expectFaults(fixtures, 'createCase', { body })).toEqual([
      ['#/consent_ids/0', 'unknown_reference'],
      ['#/requested_medications/0/medication_id', 'unknown_reference'],
      ['#/requested_medications/1/quantity', 'too_large'],
      ['#/files/0', 'unknown_reference'],
    ])
  })

  test("another integration's patient, and the other mode's patient", async () => {
    for (const as of [fixtures.ben.test, fixtures.ada.live]) {
      expect(await expectFaults(fixtures, 'createCase', { as, body: caseBody(agreed) })).toEqual([
        ['#/patient', 'unknown_reference'],
      ])
    }
  })

  test('live refuses files in createCase, with a hint on what to do', async () => {
    const as = fixtures.ada.live
    const live = await consentedPatient(fixtures, as)
    const body = caseBody(live, { files: [unknownId('file')] })
    const { body: problem } = await expectRefused(fixtures, 'createCase', 'invalid_request', {
      as,
      body,
    })
    expect(problem.errors).toMatchObject([{ pointer: '#/files', code: 'not_allowed_in_live' }])
    expect(problem.hint).toBe(
      'File the case with hold, attach files with POST /v1/files and its case, then release it.',
    )
    await invokeOk(fixtures, 'createCase', { as, body: caseBody(live, { files: [], hold: true }) })
  })
})

describe('createCase 422', () => {
  const missing = async (consent_ids: unknown) => {
    const { consent_ids: _, ...rest } = caseBody(agreed)
    const body = consent_ids === undefined ? rest : { ...rest, consent_ids }
    return (await expectRefused(fixtures, 'createCase', 'consent_required', { body })).body.members
      .missing
  }

  test('consent_required names the missing consents', async () => {
    expect(await missing(undefined)).toEqual(['telehealth', 'privacy'])
    expect(await missing([])).toEqual(['telehealth', 'privacy'])
    expect(await missing([agreed.telehealth])).toEqual(['privacy'])
    expect(await missing([agreed.privacy])).toEqual(['telehealth'])
  })

  test('a superseded consent counts as missing', async () => {
    await invokeOk(fixtures, 'recordConsent', {
      id: agreed.patient,
      body: { kind: 'telehealth', version: '2' },
    })
    expect(await missing([agreed.telehealth, agreed.privacy])).toEqual(['telehealth'])
  })

  test('body faults are reported before missing consents', async () => {
    const body = caseBody(agreed, {
      consent_ids: [],
      requested_medications: [{ ...line, quantity: 13 }],
    })
    expect(await expectFaults(fixtures, 'createCase', { body })).toEqual([
      ['#/requested_medications/0/quantity', 'too_large'],
    ])
  })
})
