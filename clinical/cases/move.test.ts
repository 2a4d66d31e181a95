// Release, cancel and withdraw: what each writes. Which states allow them is states.test.ts.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ask, queuedCase, must } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { expectFaults, unknownId, refused, told } from '../testing/assertions.ts'

let fixtures: Fixtures
beforeAll(async () => {
  fixtures = await openFixtures()
})
afterAll(() => fixtures.close())

const closings = ['cancelCase', 'withdrawCase'] as const
const moves = ['releaseCase', ...closings] as const

describe('200', () => {
  test('release keeps hold as it was filed', async () => {
    const { id } = await queuedCase(fixtures, undefined, { hold: true })
    const before = await must(fixtures, 'getCase', { id })
    const { answer, lines } = await told(fixtures, () => ask(fixtures, 'releaseCase', { id }))
    const updated_at = answer.body.updated_at
    expect(answer.text).toBe(JSON.stringify({ ...before, status: 'queued', updated_at }))
    expect(updated_at > before.updated_at).toBe(true)
    expect(lines).toEqual([`case.queued.v1 received → queued ${id}`])
  })

  test.each(closings)('%s keeps its reason, or none', async operation => {
    const status = operation === 'cancelCase' ? 'cancelled' : 'withdrawn'
    for (const [body, reason] of [
      [{ reason: 'A duplicate.' }, 'A duplicate.'],
      [{ reason: 'r'.repeat(2000) }, 'r'.repeat(2000)],
      [{ reason: null }, null],
      [{}, null],
      [undefined, null],
    ] as const) {
      const { id } = await queuedCase(fixtures)
      const { answer, lines } = await told(fixtures, () => must(fixtures, operation, { id, body }))
      expect([answer.status, answer.reason]).toEqual([status, reason])
      expect(lines).toEqual([`case.${status}.v1 queued → ${status} ${id}`])
    }
  })

  test.each(closings)('%s drops the open question, and the thread keeps it', async operation => {
    const { id } = await queuedCase(fixtures)
    const body = { decision: 'needs_info', target: 'patient', question: 'Since when?' }
    await must(fixtures, 'decideCase', { id, body })
    expect((await must(fixtures, operation, { id })).question).toBeNull()
    expect((await must(fixtures, 'listMessages', { id })).data).toHaveLength(1)
  })

  test('the same in live', async () => {
    const as = fixtures.ada.live
    const { id } = await queuedCase(fixtures, as, { hold: true })
    expect((await must(fixtures, 'releaseCase', { as, id })).status).toBe('queued')
    expect((await must(fixtures, 'cancelCase', { as, id })).status).toBe('cancelled')
  })
})

describe('400', () => {
  test.each<[string, string, object]>([
    ['#/reason', 'too_short', { reason: '' }],
    ['#/reason', 'too_long', { reason: 'r'.repeat(2001) }],
    ['#/reason', 'wrong_type', { reason: 4 }],
    ['#/status', 'unknown_field', { status: 'cancelled' }],
  ])('%s %s', async (pointer, code, body) => {
    const { id } = await queuedCase(fixtures)
    for (const operation of closings) {
      expect(await expectFaults(fixtures, operation, { id, body })).toEqual([[pointer, code]])
    }
  })

  test('release takes no body', async () => {
    const { id } = await queuedCase(fixtures, undefined, { hold: true })
    const body = { reason: 'r' }
    expect(await expectFaults(fixtures, 'releaseCase', { id, body })).toEqual([
      ['#/reason', 'unknown_field'],
    ])
  })
})

describe('404', () => {
  test.each(moves)("%s of a case that is nobody's, another's or of the other plane", async move => {
    const { id } = await queuedCase(fixtures, undefined, { hold: true })
    for (const of of [unknownId('case'), unknownId('pat'), 'case_nope']) {
      await refused(fixtures, move, 'not_found', { id: of })
    }
    for (const as of [fixtures.ben.test, fixtures.ben.live, fixtures.ada.live]) {
      await refused(fixtures, move, 'not_found', { id, as })
    }
  })
})
