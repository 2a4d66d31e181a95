// Tests how often work is retried while its database is unavailable, with a clock that doesn't
// wait.

import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { retryWhileAway } from './retry.ts'

const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
const wrong = Object.assign(new Error('wrong'), { errno: '42601' })
let slept: unknown[] = []
let sleep = spyOn(Bun, 'sleep')
beforeEach(() => {
  slept = []
  sleep = spyOn(Bun, 'sleep').mockImplementation(
    async milliseconds => void slept.push(milliseconds),
  )
})
afterEach(() => sleep.mockRestore())

/** Fails this many times, with the same failure. */
function failing(times: number, failure: Error) {
  let tries = 0
  const work = async () => {
    if (++tries <= times) throw failure
    return `at try ${tries}`
  }
  return { work, tries: () => tries }
}

test('retry: work is retried every 250 ms until the database is available', async () => {
  const { work } = failing(3, away)
  expect(await retryWhileAway(work)).toBe('at try 4')
  expect(slept).toEqual([250, 250, 250])
})

test('retry: gives up on a database that is unavailable for 30 seconds, with the database’s failure', async () => {
  const { work, tries } = failing(1000, away)
  await expect(retryWhileAway(work)).rejects.toBe(away)
  expect([tries(), slept.length]).toEqual([121, 120])
})

test('retry: the kind of failure determines how long to keep retrying', async () => {
  const { work, tries } = failing(1000, away)
  const asked: unknown[] = []
  await expect(
    retryWhileAway(work, failure => {
      asked.push(failure)
      return 0.5
    }),
  ).rejects.toBe(away)
  expect([tries(), asked]).toEqual([3, [away, away, away]])
})

test('retry: a permanent failure is not retried', async () => {
  const { work, tries } = failing(1, wrong)
  await expect(retryWhileAway(work)).rejects.toBe(wrong)
  expect([tries(), slept]).toEqual([1, []])
})
