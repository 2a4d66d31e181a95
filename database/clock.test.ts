import { expect, test } from 'bun:test'
import { momentText, randomBytes } from './clock.ts'

test('random bytes: as many as are asked for, and each is returned once', () => {
  // Of a sequence of bytes that repeats, a group of eight would as well.
  const groups = new Set<string>()
  for (const count of [8, 16, 4096, 4104, 8, 8000]) {
    const bytes = randomBytes(count)
    expect(bytes).toHaveLength(count)
    const text = Buffer.from(bytes).toString('hex')
    for (let at = 0; at < count; at += 8) groups.add(text.slice(2 * at, 2 * at + 16))
  }
  expect(groups.size).toBe((8 + 16 + 4096 + 4104 + 8 + 8000) / 8)
})

test('moment: is published in UTC with milliseconds, whichever was published before', () => {
  const moments = [0, 1_795_187_400_007, 1_795_187_400_007, 0]
  expect(moments.map(momentText)).toEqual([
    '1970-01-01T00:00:00.000Z',
    '2026-11-20T15:10:00.007Z',
    '2026-11-20T15:10:00.007Z',
    '1970-01-01T00:00:00.000Z',
  ])
})
