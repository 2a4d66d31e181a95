import { describe, expect, test } from 'bun:test'
import { openIdSequence } from './ids.ts'

/** Creates one ID at each of these times. All random bytes are `byte`. */
function idsAt(times: number[], byte = 7) {
  const left = [...times]
  const next = openIdSequence(
    () => left.shift() ?? 0,
    count => new Uint8Array(count).fill(byte),
  )
  return times.map(next)
}

describe('IDs from one process strictly increase', () => {
  test('within a millisecond, the random half increases by one', () => {
    expect(idsAt([32, 32, 32])).toEqual([
      '00000000107777777777777777',
      '00000000107777777777777778',
      '00000000107777777777777779',
    ])
  })

  test('the last character carries into the one before it', () => {
    const ids = idsAt(Array.from({ length: 40 }, () => 1))
    expect(ids[24]).toBe('0000000001777777777777777z')
    expect(ids[25]).toBe('00000000017777777777777780')
  })

  test('each new millisecond has a new random half', () => {
    expect(idsAt([1, 1, 2])[2]).toBe('00000000027777777777777777')
  })

  test('the greatest random half is followed by the next millisecond', () => {
    expect(idsAt([1, 1], 31)).toEqual(['0000000001zzzzzzzzzzzzzzzz', '0000000002zzzzzzzzzzzzzzzz'])
  })

  test('IDs don’t go back when the clock does', () => {
    const ids = idsAt([500, 400, 499, 501, 12])
    expect(ids).toEqual([...ids].sort())
    expect(new Set(ids).size).toBe(5)
  })
})
