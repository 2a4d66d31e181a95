import { expect, test } from 'bun:test'
import { countInProcess } from './counter.ts'

test('counter: each key has its own window, which begins with its first request', async () => {
  const { take, peek } = countInProcess('calls', 2, 60)
  expect(await peek('a')).toBeUndefined()
  expect(await take('a')).toEqual({ left: 1, milliseconds: 60_000 })
  expect((await take('a')).left).toBe(0)
  const over = await take('a')
  expect(over.left).toBe(-1)
  expect(over.milliseconds).toBeWithin(1, 60_001)
  expect((await take('b')).left).toBe(1)
  expect((await peek('b'))?.left).toBe(1)
})

test('counter: a negative count reverses an earlier one', async () => {
  const { take, peek } = countInProcess('calls', 1, 60)
  await take('a')
  expect((await take('a', -1)).left).toBe(1)
  expect((await peek('a'))?.left).toBe(1)
})
