// What a process remembers of the requests that consumed a token.

import { expect, test } from 'bun:test'
import { createAnswered } from './answered.ts'

const nextMoment = () => Bun.sleep(2)

test('a request before the answer was sent at the same time, and a later one was not', async () => {
  const answered = createAnswered()
  expect(answered.cameBefore('token', performance.now())).toBeUndefined()
  const before = performance.now()
  await nextMoment()
  expect(await answered.consuming('token', async () => true)).toBe(true)
  await nextMoment()
  expect(answered.cameBefore('token', before)).toBe(true)
  expect(answered.cameBefore('token', performance.now())).toBe(false)
})

test('also while the database answers the one that came second before the first', async () => {
  const answered = createAnswered()
  const before = performance.now()
  const committed = Promise.withResolvers<boolean>()
  const first = answered.consuming('token', () => committed.promise)
  expect(answered.cameBefore('token', performance.now())).toBe(true)
  await nextMoment()
  expect(await answered.consuming('token', async () => false)).toBe(false)
  expect(answered.cameBefore('token', before)).toBe(true)
  committed.resolve(true)
  expect(await first).toBe(true)
  expect(answered.cameBefore('token', before)).toBe(true)
})

test('the connection is lost before it is known who came first: the database knows it', async () => {
  const answered = createAnswered()
  const lost = answered.consuming('token', () => Promise.reject(new Error('lost')))
  await expect(lost).rejects.toThrow('lost')
  expect(answered.cameBefore('token', performance.now())).toBeUndefined()
})
