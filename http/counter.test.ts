import { expect, test } from 'bun:test'
import { countBy } from './counter.ts'

function open(points: number) {
  let at = 0
  const counter = countBy(() => at, points, 60)
  return { ...counter, at: (seconds: number) => (at = seconds * 1000) }
}

test('counter: a window begins with the first call of its key, and each key has its own', () => {
  const { take, peek, at } = open(2)
  at(1000)
  expect(peek('a')).toBeUndefined()
  expect(take('a')).toEqual({ left: 1, milliseconds: 60_000 })
  at(1030)
  expect(take('b')).toEqual({ left: 1, milliseconds: 60_000 })
  expect(take('a')).toEqual({ left: 0, milliseconds: 30_000 })
  expect(take('a')).toEqual({ left: -1, milliseconds: 30_000 })
  expect(peek('b')).toEqual({ left: 1, milliseconds: 60_000 })
})

test('counter: a window ends after its seconds, whenever it began and however rarely it is read', () => {
  for (const began of [0, 1, 30, 59, 60, 61, 119.999, 1000, 1_000_000]) {
    const { take, peek, at } = open(5)
    take('b')
    at(began)
    take('a')
    at(began + 59.999)
    expect(peek('a')?.left).toBe(4)
    at(began + 60)
    expect(peek('a')).toBeUndefined()
    expect(take('a')).toEqual({ left: 4, milliseconds: 60_000 })
  }
})

test('counter: a negative take gives back what was taken', () => {
  const { take, peek } = open(1)
  take('a')
  expect(take('a', -1).left).toBe(1)
  expect(peek('a')?.left).toBe(1)
})
