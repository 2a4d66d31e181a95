// Deliveries that may have crashed a worker.

import { expect, jest, test } from 'bun:test'
import type { ClaimedDelivery } from './claim.ts'
import { createPoisonGuard } from './poison-guard.ts'

const claimed = (claims: number) => ({ claims }) as ClaimedDelivery

test('poison guard: deliveries on their third claim start one at a time', () => {
  const guard = createPoisonGuard()
  const [one, other] = [claimed(3), claimed(3)]
  expect([guard.mayStart(one), guard.mayStart(other)]).toEqual([true, false])
  // Deliveries on an earlier or later claim don't wait, and their end doesn't let `other` start.
  for (const claims of [1, 2, 4]) {
    const another = claimed(claims)
    expect([claims, guard.mayStart(another)]).toEqual([claims, true])
    guard.done(another)
  }
  expect(guard.mayStart(other)).toBe(false)
  guard.done(one)
  expect([guard.mayStart(other), guard.mayStart(one)]).toEqual([true, false])
})

test('poison guard: an unfinished attempt keeps the next from starting for one second', () => {
  jest.useFakeTimers()
  try {
    const guard = createPoisonGuard()
    const [hanging, next] = [claimed(3), claimed(3)]
    expect(guard.mayStart(hanging)).toBe(true)
    jest.advanceTimersByTime(999)
    expect(guard.mayStart(next)).toBe(false)
    jest.advanceTimersByTime(1)
    expect(guard.mayStart(next)).toBe(true)
  } finally {
    jest.useRealTimers()
  }
})
