import { expect, test } from 'bun:test'
import { Memory } from './memory.ts'

test('cache: drops the oldest entry first, however often it was read or set again', () => {
  const memory = new Memory<string, number>(2).set('a', 1).set('b', 2).set('a', 3)
  expect([...memory]).toEqual([
    ['a', 3],
    ['b', 2],
  ])
  memory.set('c', 4)
  expect([memory.get('a'), memory.get('b'), memory.get('c')]).toEqual([undefined, 2, 4])
})

test('cache: never exceeds its limit when entries were deleted or all cleared', () => {
  const memory = new Memory<number, number>(3)
  for (let at = 0; at < 100; at++) {
    if (at % 3 === 0) memory.delete(at % 5)
    if (at % 41 === 0) memory.clear()
    memory.set(at % 7, at)
    expect(memory.get(at % 7)).toBe(at)
    expect(memory.size).toBeLessThanOrEqual(3)
  }
})
