// The slot template, compared with tables written out here, so a mistake in the code's own tables
// fails a test. All functions are pure, so years of days are cheap to test.

import { dayMilliseconds } from '#contract/moments.ts'
import { describe, expect, test } from 'bun:test'
import { states } from '#contract/api/address.ts'
import { idPattern } from '#contract/ids.ts'
import { bookableAt, slotsIn } from './slots.ts'
import { momentsOf, localTimeAt, zoneOf } from './time-zones.ts'

const zoneTable = `
AL America/Chicago | AK America/Anchorage | AZ America/Phoenix | AR America/Chicago
CA America/Los_Angeles | CO America/Denver | CT America/New_York | DE America/New_York
DC America/New_York | FL America/New_York | GA America/New_York | HI Pacific/Honolulu
ID America/Boise | IL America/Chicago | IN America/Indiana/Indianapolis | IA America/Chicago
KS America/Chicago | KY America/New_York | LA America/Chicago | ME America/New_York
MD America/New_York | MA America/New_York | MI America/Detroit | MN America/Chicago
MS America/Chicago | MO America/Chicago | MT America/Denver | NE America/Chicago
NV America/Los_Angeles | NH America/New_York | NJ America/New_York | NM America/Denver
NY America/New_York | NC America/New_York | ND America/Chicago | OH America/New_York
OK America/Chicago | OR America/Los_Angeles | PA America/New_York | RI America/New_York
SC America/New_York | SD America/Chicago | TN America/Chicago | TX America/Chicago
UT America/Denver | VT America/New_York | VA America/New_York | WA America/Los_Angeles
WV America/New_York | WI America/Chicago | WY America/Denver`
const zones = zoneTable
  .trim()
  .split(/[|\n]/)
  .map(entry => entry.trim().split(' '))

const hours = [
  [],
  [9, 10, 11, 13, 14, 15, 16],
  [9, 10, 11, 13, 14, 15, 16, 17, 18],
  [9, 10, 11, 13, 14, 15, 16],
  [9, 10, 11, 13, 14, 15, 16, 17, 18],
  [9, 10, 11, 13, 14, 15, 16],
  [10, 11, 12],
]

const at = (text: string) => Date.parse(text)
const starts = (state: string, from: string, to: string) =>
  slotsIn(state, at(from), at(to)).map(slot => slot.starts_at.slice(5, 16))

test('time zones: each of the 51 states has the expected one', () => {
  expect(zones.length).toBe(51)
  expect(zones.map(([state = '', zone = '']) => [state, zone, zoneOf(state)])).toEqual(
    zones.map(([state = '', zone = '']) => [state, zone, zone]),
  )
  expect(zones.map(([state = '']) => state).toSorted()).toEqual(states.toSorted())
  expect(() => zoneOf('PR')).toThrow()
})

test('visit slots: California on Tuesday, November 24', () => {
  expect(starts('CA', '2026-11-24T08:00:00Z', '2026-11-25T08:00:00Z')).toEqual([
    ...[17, 18, 19, 21, 22, 23].map(hour => `11-24T${hour}:00`),
    ...['00', '01', '02'].map(hour => `11-25T${hour}:00`),
  ])
})

describe('visit slots around a clock change', () => {
  // Saturday, the Sunday of the clock change and Monday, for both changes in a year.
  test.each([
    ['NY', '2026-03-07', 15, 13],
    ['NY', '2026-10-31', 14, 14],
    ['CA', '2026-03-07', 18, 16],
    ['CA', '2026-10-31', 17, 17],
    ['AK', '2026-03-07', 19, 17],
    ['AK', '2026-10-31', 18, 18],
    // Arizona and Hawaii have no clock changes.
    ['AZ', '2026-03-07', 17, 16],
    ['AZ', '2026-10-31', 17, 16],
    ['HI', '2026-03-07', 20, 19],
    ['HI', '2026-10-31', 20, 19],
  ])('%s around %s keeps its local hours', (state, saturday, first, monday) => {
    const from = at(`${saturday}T09:00:00Z`)
    const slots = slotsIn(state, from, from + 2.6 * dayMilliseconds)
    const utc = slots.map(slot => new Date(slot.starts_at).getUTCHours())
    expect([utc[0], utc[3]]).toEqual([first, monday])
    const local = slots.map(slot => localTimeAt(zoneOf(state), at(slot.starts_at)).hour)
    expect(local.slice(0, 6)).toEqual([10, 11, 12, 9, 10, 11])
    for (const slot of slots) expect(at(slot.ends_at) - at(slot.starts_at)).toBe(1_800_000)
  })

  const clock = [90, 150, 210] as const
  const utc = (moments: number[]) => moments.map(one => new Date(one).toISOString().slice(11, 16))

  test('a skipped local time has no slot', () => {
    expect(utc(momentsOf('America/New_York', [2026, 3, 8], clock))).toEqual(['06:30', '07:30'])
  })

  test('a repeated local time means the first occurrence', () => {
    expect(utc(momentsOf('America/New_York', [2026, 11, 1], clock))).toEqual([
      '05:30',
      '07:30',
      '08:30',
    ])
  })

  test('a zone without clock changes has the same slots every day', () => {
    for (const day of [8, 15]) {
      expect(utc(momentsOf('America/Phoenix', [2026, 3, day], clock))).toEqual([
        '08:30',
        '09:30',
        '10:30',
      ])
    }
  })
})

test('visit slots: over a year, every slot in every state matches a template hour, once', () => {
  const [from, to] = [at('2026-01-01T00:00:00Z'), at('2027-01-02T00:00:00Z')]
  for (const state of ['NY', 'IN', 'CO', 'AZ', 'AK', 'HI']) {
    const zone = zoneOf(state)
    const hoursByDate = new Map<string, number[]>()
    for (const { starts_at } of slotsIn(state, from, to)) {
      const { year, month, day, hour, minute } = localTimeAt(zone, at(starts_at))
      expect(minute).toBe(0)
      const date = new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)
      hoursByDate.set(date, [...(hoursByDate.get(date) ?? []), hour])
    }
    // The window cuts off the first and last days.
    const days = [...hoursByDate].slice(1, -1)
    expect(days.length).toBeGreaterThan(310)
    for (const [date, found] of days) {
      expect([state, date, found]).toEqual([state, date, hours[new Date(date).getUTCDay()] ?? []])
    }
  }
})

test('visit slots: any fourteen days have 83 to 85 slots, which fit one page of 100', () => {
  const counts = new Set<number>()
  for (let from = at('2026-01-01T00:00:00Z'); from < at('2027-01-01T00:00:00Z');) {
    for (const state of ['NY', 'CA', 'AZ']) {
      counts.add(slotsIn(state, from, from + 14 * dayMilliseconds).length)
    }
    from += 31.3 * 3_600_000
  }
  expect([...counts].toSorted()).toEqual([83, 84, 85])
})

test('visit slots: the start of the window is inclusive and its end exclusive', () => {
  const day = '2026-11-24T'
  expect(starts('CA', `${day}17:00:00Z`, `${day}18:00:00Z`)).toEqual(['11-24T17:00'])
  expect(starts('CA', `${day}17:00:00.001Z`, `${day}18:00:00.001Z`)).toEqual(['11-24T18:00'])
})

test('visit slots: adjacent windows together have the same slots as one window over both', () => {
  const [from, middle, to] = [
    '2026-10-30T03:17:00Z',
    '2026-11-01T09:41:00Z',
    '2026-11-06T00:00:00Z',
  ]
  for (const state of states) {
    const parts = [...starts(state, from, middle), ...starts(state, middle, to)]
    expect(parts).toEqual(starts(state, from, to))
  }
})

test('visit slots: an ID contains its start, ascends with it and differs by state', () => {
  const of = (state: string) =>
    slotsIn(state, at('2026-11-24T00:00:00Z'), at('2026-12-01T00:00:00Z'))
  const ids = of('CA').map(slot => slot.id)
  expect(ids).toEqual(ids.toSorted())
  for (const id of ids) expect(id).toMatch(new RegExp(idPattern('slot')))
  // California and Nevada share a time zone but not a clinician.
  const nevada = of('NV').map(slot => slot.id)
  expect(nevada.map(id => id.slice(0, 15))).toEqual(ids.map(id => id.slice(0, 15)))
  expect(nevada.filter(id => ids.includes(id))).toEqual([])
  expect(of('CA')).toEqual(of('CA'))
})

describe('bookableAt', () => {
  const now = at('2026-11-20T15:00:00Z')
  const start = '2026-11-24T18:00:00.000Z'
  test('accepts a start in the template', () => {
    expect(bookableAt('CA', start, now)).toMatchObject({ starts_at: start, state: 'CA' })
  })
  test.each([
    ['a millisecond later', '2026-11-24T18:00:00.001Z', 'no_slot'],
    ['half an hour later', '2026-11-24T18:30:00.000Z', 'no_slot'],
    ['lunch', '2026-11-24T20:00:00.000Z', 'no_slot'],
    ['a Sunday', '2026-11-22T18:00:00.000Z', 'no_slot'],
    ['the day before', '2026-11-19T18:00:00.000Z', 'past'],
    ['in a year', '2027-11-23T18:00:00.000Z', 'too_far'],
  ])('refuses %s', (_when, start, why) => {
    expect(bookableAt('CA', start, now)).toBe(why as 'past')
  })
  test('refuses a start right now and accepts one exactly 60 days ahead', () => {
    const days = 60 * dayMilliseconds
    expect(bookableAt('CA', start, at(start))).toBe('past')
    expect(bookableAt('CA', start, at(start) - 1)).toMatchObject({ starts_at: start })
    expect(bookableAt('CA', start, at(start) - days)).toMatchObject({ starts_at: start })
    expect(bookableAt('CA', start, at(start) - days - 1)).toBe('too_far')
  })
})
