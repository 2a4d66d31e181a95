// The writes of release, cancel and withdraw. states.test.ts tests which states allow them.

import { describe, expect, test } from 'bun:test'
import { invoke, queuedCase, invokeOk } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { expectFaults, eventsOf } from '../testing/assertions.ts'

const fixtures = useFixtures()

const closings = ['cancelCase', 'withdrawCase'] as const

describe('case transitions 200', () => {
  test('releaseCase does not change hold', async () => {
    const { id } = await queuedCase(fixtures, undefined, { hold: true })
    const before = await invokeOk(fixtures, 'getCase', { id })
    const { answer, lines } = await eventsOf(fixtures, () =>
      invoke(fixtures, 'releaseCase', { id }),
    )
    const updated_at = answer.body.updated_at
    expect(answer.text).toBe(JSON.stringify({ ...before, status: 'queued', updated_at }))
    expect(updated_at > before.updated_at).toBe(true)
    expect(lines).toEqual([`case.queued.v1 received → queued ${id}`])
  })

  test.each(closings)('%s stores its reason, or null', async operation => {
    const status = operation === 'cancelCase' ? 'cancelled' : 'withdrawn'
    for (const [body, reason] of [
      [{ reason: 'A duplicate.' }, 'A duplicate.'],
      [{ reason: 'r'.repeat(2000) }, 'r'.repeat(2000)],
      [{ reason: null }, null],
      [{}, null],
      [undefined, null],
    ] as const) {
      const { id } = await queuedCase(fixtures)
      const { answer, lines } = await eventsOf(fixtures, () =>
        invokeOk(fixtures, operation, { id, body }),
      )
      expect([answer.status, answer.reason]).toEqual([status, reason])
      expect(lines).toEqual([`case.${status}.v1 queued → ${status} ${id}`])
    }
  })

  test.each(closings)('%s removes the open question; its message stays', async operation => {
    const { id } = await queuedCase(fixtures)
    const body = { decision: 'needs_info', target: 'patient', question: 'Since when?' }
    await invokeOk(fixtures, 'decideCase', { id, body })
    expect((await invokeOk(fixtures, operation, { id })).question).toBeNull()
    expect((await invokeOk(fixtures, 'listMessages', { id })).data).toHaveLength(1)
  })

  test('release and cancel work in live mode', async () => {
    const as = fixtures.ada.live
    const { id } = await queuedCase(fixtures, as, { hold: true })
    expect((await invokeOk(fixtures, 'releaseCase', { as, id })).status).toBe('queued')
    expect((await invokeOk(fixtures, 'cancelCase', { as, id })).status).toBe('cancelled')
  })
})

describe('case transitions 400', () => {
  test.each<[string, string, object]>([
    ['#/reason', 'too_short', { reason: '' }],
    ['#/reason', 'too_long', { reason: 'r'.repeat(2001) }],
    ['#/reason', 'wrong_type', { reason: 4 }],
  ])('%s %s', async (pointer, code, body) => {
    const { id } = await queuedCase(fixtures)
    for (const operation of closings) {
      expect(await expectFaults(fixtures, operation, { id, body })).toEqual([[pointer, code]])
    }
  })
})
