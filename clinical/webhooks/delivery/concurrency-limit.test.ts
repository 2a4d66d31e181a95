// How many attempts a worker makes at once, and how long its dispatcher waits for them.

import { afterEach, beforeEach, describe, expect, jest, spyOn, test } from 'bun:test'
import { type ConcurrencyLimit, createConcurrencyLimit } from './concurrency-limit.ts'

let time = 0
let clock = spyOn(performance, 'now')
beforeEach(() => {
  time = 1000
  clock = spyOn(performance, 'now').mockImplementation(() => time)
})
afterEach(() => {
  clock.mockRestore()
  jest.useRealTimers()
})

/** What may be started now: of all endpoints, and of slow ones. */
function freeOf(limit: ConcurrencyLimit): [number, number] {
  const { free, release } = limit.reserve()
  release()
  return [free.all, free.slow]
}

describe('concurrency limit', () => {
  test('of ten sockets slow endpoints may have four; what is reserved is free again after its release', () => {
    const limit = createConcurrencyLimit(10, 15)
    const first = limit.reserve()
    expect(first.free).toEqual({ all: 10, slow: 4 })
    expect(limit.reserve().free).toEqual({ all: 0, slow: 0 })
    first.release()
    expect(freeOf(limit)).toEqual([10, 4])
  })

  test('slow attempts take no socket of the others, however many there are', () => {
    const limit = createConcurrencyLimit(10, 15)
    const found = [1, 2, 3, 4, 5].map(() => {
      limit.acquire(true)
      return freeOf(limit)
    })
    expect(found).toEqual([
      [9, 3],
      [8, 2],
      [7, 1],
      [6, 0],
      [6, 0],
    ])
    limit.acquire(false)
    expect(freeOf(limit)).toEqual([5, 0])
  })

  test('an answer releases the socket of its attempt once, however often it is called', () => {
    const limit = createConcurrencyLimit(10, 15)
    const release = limit.acquire(false)
    limit.acquire(false)
    expect(freeOf(limit)).toEqual([8, 4])
    release()
    release()
    expect(freeOf(limit)).toEqual([9, 4])
  })

  test('an attempt that has used an eighth of its time counts as slow', () => {
    const limit = createConcurrencyLimit(10, 16)
    limit.acquire(false)
    time += 2000
    expect(freeOf(limit)).toEqual([9, 4])
    time += 1
    expect(freeOf(limit)).toEqual([9, 3])
  })

  test('of each socket three more attempts may wait to be recorded', () => {
    const limit = createConcurrencyLimit(2, 15)
    const found = Array.from({ length: 9 }, () => {
      limit.underWay.add(Promise.resolve())
      return freeOf(limit)[0]
    })
    expect(found).toEqual([2, 2, 2, 2, 2, 2, 1, 0, 0])
  })

  test.each([
    [4, 2, true],
    [4, 3, false],
    [3, 1, true],
    [3, 2, false],
  ])('of %i sockets with %i in use, half are free: %p', (sockets, used, isHalfFree) => {
    const limit = createConcurrencyLimit(sockets, 15)
    for (let at = 0; at < used; at++) limit.acquire(false)
    expect(limit.isHalfFree()).toBe(isHalfFree)
  })
})

describe('the wait for half of the sockets', () => {
  /** Starts to wait with both of two sockets in use. */
  function wait() {
    jest.useFakeTimers()
    const limit = createConcurrencyLimit(2, 15)
    const releases = [limit.acquire(false), limit.acquire(false)]
    let isOver = false
    void limit.halfFree().then(() => (isOver = true))
    return {
      limit,
      releases,
      /** After whatever a timer or a call has resolved. */
      async isOver(): Promise<boolean> {
        for (let turn = 0; turn < 5; turn++) await Promise.resolve()
        return isOver
      },
    }
  }

  test('is none while they are free', async () => {
    jest.useFakeTimers()
    expect(await createConcurrencyLimit(2, 15).halfFree()).toBeUndefined()
  })

  test('ends after 50 milliseconds at the latest', async () => {
    const { isOver } = wait()
    jest.advanceTimersByTime(49)
    expect(await isOver()).toBe(false)
    jest.advanceTimersByTime(1)
    expect(await isOver()).toBe(true)
  })

  test('ends when a release is notified that leaves half of them free, and at no other', async () => {
    const { limit, releases, isOver } = wait()
    limit.notify()
    expect(await isOver()).toBe(false)
    releases[0]?.()
    expect(await isOver()).toBe(false)
    limit.notify()
    expect(await isOver()).toBe(true)
  })
})
