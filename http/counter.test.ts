import { expect, test } from 'bun:test'
import { countBy } from './counter.ts'

function open(points: number) {
  let at = 0
  const counter = countBy(() => at, points, 60)
  return { ...counter, at: (seconds: number) => (at = seconds * 1000) }
}

test('a window begins with the first call of its key, and each key has its own', () => {
  const { take, look, at } = open(2)
  at(1000)
  expect(look('a')).toBeUndefined()
  expect(take('a')).toEqual({ left: 1, milliseconds: 60_000 })
  at(1030)
  expect(take('b')).toEqual({ left: 1, milliseconds: 60_000 })
  expect(take('a')).toEqual({ left: 0, milliseconds: 30_000 })
  expect(take('a')).toEqual({ left: -1, milliseconds: 30_000 })
  expect(look('b')).toEqual({ left: 1, milliseconds: 60_000 })
})

test('it is over when its seconds are, whenever it began and however rarely anybody asks', () => {
  for (const began of [0, 1, 30, 59, 60, 61, 119.999, 1000, 1_000_000]) {
    const { take, look, at } = open(5)
    take('somebody else')
    at(began)
    take('a')
    at(began + 59.999)
    expect(look('a')?.left).toBe(4)
    at(began + 60)
    expect(look('a')).toBeUndefined()
    expect(take('a')).toEqual({ left: 4, milliseconds: 60_000 })
  }
})

test('what is given back may be taken again', () => {
  const { take, look } = open(1)
  take('a')
  expect(take('a', -1).left).toBe(1)
  expect(look('a')?.left).toBe(1)
})
