import { expect, test } from 'bun:test'
import { momentFrom, timeIn } from './zone.tsx'

/** Removes the year, which times in the current year omit. */
const plain = (text: string) => text.replaceAll('\u00a0', ' ').replace(', 2026', '')
const [newYork, kolkata] = ['America/New_York', 'Asia/Kolkata'] as const

test('a time shows its zone’s name, and its year unless it is the current one', () => {
  const at = `${new Date().getFullYear()}-06-15T18:27:05Z`
  expect(plain(timeIn(at, newYork))).toBe('Jun 15, 2:27 PM ET')
  expect(plain(timeIn(at, newYork, { seconds: true }))).toBe('Jun 15, 2:27:05 PM ET')
  expect(plain(timeIn(at, newYork, { timeOnly: true }))).toBe('2:27 PM ET')
  expect(plain(timeIn(at, kolkata))).toBe('Jun 15, 11:57 PM GMT+5:30')
  expect(plain(timeIn('2001-01-31T12:00:00Z', newYork))).toBe('Jan 31, 2001, 7:00 AM ET')
})

test('a repeated hour shows whether it is daylight or standard time', () => {
  expect(
    ['05:30', '06:30', '07:30'].map(time => plain(timeIn(`2026-11-01T${time}:00Z`, newYork))),
  ).toEqual(['Nov 1, 1:30 AM EDT', 'Nov 1, 1:30 AM EST', 'Nov 1, 2:30 AM ET'])
})

test('a local time becomes a timestamp; a skipped time moves an hour later', () => {
  expect(momentFrom('2026-11-01T01:30', newYork)).toBe('2026-11-01T05:30:00Z')
  expect(momentFrom('2026-03-08T02:30', newYork)).toBe('2026-03-08T07:30:00Z')
  expect(momentFrom('2026-03-08T02:30', kolkata)).toBe('2026-03-07T21:00:00Z')
  for (const text of ['', '2026-02-30T10:00', '2026-01-01T25:00', '2026-01-01', 'x'])
    expect(momentFrom(text, newYork)).toBeUndefined()
})
