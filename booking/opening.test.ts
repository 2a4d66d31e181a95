import { describe, expect, test } from 'bun:test'
import { dayNamed, openingHours, openOpening, type OpeningHours } from './opening.ts'
import { zoneNamed, zoneNames } from './zones.ts'

const nights = (timeZone: string): OpeningHours => ({
  minutes: 30,
  timeZone,
  hours: {
    monday: [],
    tuesday: [],
    wednesday: [],
    thursday: [],
    friday: [],
    saturday: [],
    sunday: ['00:00-06:00'],
  },
  closed: [],
  noticeHours: 4,
  daysAhead: 31,
})
const callsIn = (hours: OpeningHours, day: string) =>
  openOpening(hours).callsOn(Temporal.PlainDate.from(day))
const local = (moment: string, timeZone: string) =>
  Temporal.Instant.from(moment).toZonedDateTimeISO(timeZone).toPlainTime().toString().slice(0, 5)

describe('opening hours', () => {
  const newYork = { ...openingHours, timeZone: 'America/New_York', closed: ['2026-12-25'] }
  test('begin at 9 AM local time, in winter and in summer', () => {
    expect(callsIn(newYork, '2026-01-05')[0]?.start).toBe('2026-01-05T14:00:00.000Z')
    expect(callsIn(newYork, '2026-07-06')[0]?.start).toBe('2026-07-06T13:00:00.000Z')
  })
  test('exclude calls that end after closing, during lunch, or on a closed day', () => {
    const ends = callsIn(newYork, '2026-01-05').map(({ end }) => local(end, newYork.timeZone))
    expect(ends.length).toBe(14)
    expect(ends.at(-1)).toBe('17:00')
    expect(ends).not.toContain('12:30')
    expect(callsIn(newYork, '2026-12-25')).toEqual([])
    expect(callsIn(newYork, '2026-01-04')).toEqual([])
  })
})

describe('opening hours: daylight saving changes', () => {
  test.each([
    ['America/New_York', '2026-03-08', 10],
    ['America/New_York', '2026-11-01', 14],
    ['Europe/London', '2026-03-29', 10],
    ['Australia/Lord_Howe', '2026-10-04', 11],
    ['Australia/Lord_Howe', '2027-04-04', 13],
    // The hour from midnight to 1 AM doesn't exist on this day.
    ['America/Santiago', '2026-09-06', 10],
    ['Asia/Kathmandu', '2026-03-08', 12],
  ])('%s on %s has %i half-hour calls', (timeZone, day, count) => {
    const calls = callsIn(nights(timeZone), day)
    expect(calls.length).toBe(count)
    expect(new Set(calls.map(({ start }) => start)).size).toBe(count)
    for (const { start, end } of calls) expect(Date.parse(end) - Date.parse(start)).toBe(1_800_000)
    for (const { start } of calls) {
      expect(local(start, timeZone) < '06:00').toBe(true)
      expect(
        Temporal.Instant.from(start).toZonedDateTimeISO(timeZone).toPlainDate().toString(),
      ).toBe(day)
    }
  })
})

test('opening hours: callsBetween lists the calls that begin in the interval, in order', () => {
  const opening = openOpening(nights('Asia/Kathmandu'))
  const from = Temporal.Instant.from('2026-03-07T19:00:00Z')
  const found = opening.callsBetween(from, from.add({ hours: 24 * 8 })).map(({ start }) => start)
  expect(found[0]).toBe('2026-03-07T19:15:00.000Z')
  expect(found.length).toBe(10 + 12)
  expect(found).toEqual([...found].sort())
})

test('opening hours: the first call begins when the notice period ends, the last one before the limit', () => {
  const opening = openOpening({ ...nights('UTC'), noticeHours: 4, daysAhead: 7 })
  const sunday = (time: string, day = '08') => `2026-03-${day}T${time}:00.000Z`
  const now = Temporal.Instant.from(sunday('00:00'))
  expect(opening.offers(sunday('03:30'), now)).toBe(false)
  expect(opening.offers(sunday('04:00'), now)).toBe(true)
  // A call exactly seven days after `early` is too far ahead.
  const early = Temporal.Instant.from(sunday('01:00'))
  expect(opening.offers(sunday('00:30', '15'), early)).toBe(true)
  expect(opening.offers(sunday('01:00', '15'), early)).toBe(false)
  const { from, until } = opening.bounds(early)
  const between = opening.callsBetween(from, until).map(({ start }) => start)
  expect([between[0], between.at(-1)]).toEqual([sunday('05:00'), sunday('00:30', '15')])
})

test('time zones: matches names in any case and refuses offsets', () => {
  expect(zoneNamed('america/new_york')).toBe('America/New_York')
  expect(zoneNamed('US/Pacific')).toBe('US/Pacific')
  for (const name of ['Nope/Nowhere', '+05:30', '', 'GMT+25', '../etc']) {
    expect([name, zoneNamed(name)]).toEqual([name, null])
  }
  expect(zoneNames).toContain('UTC')
})

describe('days as text', () => {
  test.each([
    ['2026-12-31', '2026-12-31'],
    ['2026-01-01', '2026-01-01'],
    ['2026-02-31', '2026-02-28'],
    ['2026-13-01', undefined],
    ['2026-00-01', undefined],
    ['2026-01-00', undefined],
    ['2026-1-01', undefined],
    ['x2026-01-01', undefined],
    ['2026-01-011', undefined],
    ['', undefined],
  ])('%p is read as %p', (text, day) => {
    expect(dayNamed(text)?.toString()).toBe(day)
  })
})
