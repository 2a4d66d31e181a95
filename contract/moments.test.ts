import { expect, test } from 'bun:test'
import { spokenMoment, inZone } from './moments.ts'

test('a timestamp in a zone’s local time has the offset of that day', () => {
  const summer = '2027-07-01T13:00:00.000Z'
  const winter = '2027-01-01T13:00:00.000Z'
  expect(inZone(summer, 'America/New_York')).toBe('2027-07-01T09:00:00-04:00')
  expect(inZone(winter, 'America/New_York')).toBe('2027-01-01T08:00:00-05:00')
  expect(inZone(summer, 'UTC')).toBe('2027-07-01T13:00:00+00:00')
  expect(inZone(summer, 'Asia/Kathmandu')).toBe('2027-07-01T18:45:00+05:45')
  expect(inZone('2027-01-01T00:00:00Z', 'Pacific/Kiritimati')).toBe('2027-01-01T14:00:00+14:00')
  expect(inZone('2027-01-01T05:00:00Z', 'America/New_York')).toBe('2027-01-01T00:00:00-05:00')
})

test('a timestamp is the same instant in every zone', () => {
  for (const zone of ['America/St_Johns', 'Australia/Lord_Howe', 'Europe/London', 'UTC']) {
    for (const hour of [0, 1, 2, 3, 12, 23]) {
      const moment = Date.UTC(2027, 2, 28, hour)
      expect(Date.parse(inZone(new Date(moment).toISOString(), zone))).toBe(moment)
    }
  }
})

test('a timestamp for people names its zone', () => {
  const text = spokenMoment('2027-03-08T14:00:00Z', 'America/New_York')
  expect(text.replace(/\s/g, ' ')).toBe('Monday, March 8, 2027 at 9:00 AM EST')
})
