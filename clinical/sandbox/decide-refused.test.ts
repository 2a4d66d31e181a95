// Refusals by decideCase.

import { beforeEach, describe, expect, test } from 'bun:test'
import { queuedCase, minoxidil, invokeOk, semaglutide } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { expectFaults, unknownId, expectRefused } from '../testing/assertions.ts'

const fixtures = useFixtures()
let id: string
beforeEach(async () => {
  ;({ id } = await queuedCase(fixtures))
})

describe('decideCase 400', () => {
  const plan = [{ medication_id: semaglutide }]
  test.each<[string, string, object]>([
    ['#/decision', 'required', {}],
    ['#/decision', 'not_in_enum', { decision: 'maybe' }],
    ['#/reason', 'not_allowed', { decision: 'approve', reason: 'r' }],
    ['#/target', 'not_allowed', { decision: 'approve', target: 'patient' }],
    ['#/question', 'not_allowed', { decision: 'approve', question: 'q' }],
    ['#/plan', 'too_few', { decision: 'approve', plan: [] }],
    [
      '#/plan',
      'too_many',
      { decision: 'approve', plan: Array.from({ length: 21 }, () => plan[0]) },
    ],
    ['#/plan/0/medication_id', 'required', { decision: 'approve', plan: [{}] }],
    [
      '#/plan/0/medication_id',
      'unknown_reference',
      { decision: 'approve', plan: [{ medication_id: unknownId('med') }] },
    ],
    [
      '#/plan/1/quantity',
      'too_large',
      { decision: 'approve', plan: [...plan, { medication_id: semaglutide, quantity: 13 }] },
    ],
    [
      '#/plan/0/dispensable',
      'not_allowed',
      { decision: 'approve', plan: [{ medication_id: minoxidil, dispensable: true }] },
    ],
    ['#/reason', 'required', { decision: 'decline' }],
    ['#/reason', 'too_short', { decision: 'decline', reason: '' }],
    ['#/reason', 'too_long', { decision: 'decline', reason: 'r'.repeat(2001) }],
    ['#/plan', 'not_allowed', { decision: 'decline', reason: 'r', plan }],
    ['#/question', 'not_allowed', { decision: 'decline', reason: 'r', question: 'q' }],
    ['#/target', 'required', { decision: 'needs_info', question: 'q' }],
    ['#/question', 'required', { decision: 'needs_info', target: 'patient' }],
    ['#/target', 'not_in_enum', { decision: 'needs_info', target: 'clinician', question: 'q' }],
    [
      '#/question',
      'too_long',
      { decision: 'needs_info', target: 'patient', question: 'q'.repeat(2001) },
    ],
    [
      '#/reason',
      'not_allowed',
      { decision: 'needs_info', target: 'patient', question: 'q', reason: 'r' },
    ],
  ])('%s %s', async (pointer, code, body) => {
    expect(await expectFaults(fixtures, 'decideCase', { id, body })).toEqual([[pointer, code]])
  })

  test('an invalid body is reported before an unknown ID and before a wrong status', async () => {
    const body = { decision: 'decline' }
    await expectRefused(fixtures, 'decideCase', 'invalid_request', { id: unknownId('case'), body })
    await invokeOk(fixtures, 'withdrawCase', { id })
    await expectRefused(fixtures, 'decideCase', 'invalid_request', { id, body })
    const unknown = { decision: 'approve', plan: [{ medication_id: unknownId('med') }] }
    await expectRefused(fixtures, 'decideCase', 'invalid_request', { id, body: unknown })
  })
})
