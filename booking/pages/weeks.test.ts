import { expect, test } from 'bun:test'
import { testHours } from '../testing/booking-service.ts'
import { openOpening } from '../opening.ts'
import { timesPage } from './times-page.ts'
import { shownDays } from './weeks.ts'

// A Monday morning in New York; the notice period ends at 1 PM, and the last day is April 8.
const now = Date.parse('2027-03-08T13:30:00Z')
const shown = (requested: string | null) =>
  shownDays(openOpening(testHours), now, 'America/New_York', requested)

test('free times: a page shows seven days, from the first day with a call', () => {
  expect(shown(null)).toEqual({ from: '2027-03-08', count: 7, before: null, after: '2027-03-15' })
})

test('free times: the previous and next pages are seven days away and never out of range', () => {
  expect(shown('2027-03-18')).toMatchObject({ before: '2027-03-11', after: '2027-03-25' })
  expect(shown('2027-03-10')).toMatchObject({ from: '2027-03-10', before: '2027-03-08' })
  expect(shown('2027-04-01')).toMatchObject({ before: '2027-03-25', after: '2027-04-08' })
  expect(shown('2027-04-02')).toMatchObject({ after: null })
  expect(shown('2028-01-01')).toMatchObject({ from: '2027-04-08', after: null })
  expect(shown('2026-01-01')).toMatchObject({ from: '2027-03-08', before: null })
  expect(shown('soon')).toMatchObject({ from: '2027-03-08' })
})

test('free times: crawlers don’t follow links to times', () => {
  const slots = [{ start: '2027-03-08T18:00:00.000Z', end: '2027-03-08T18:30:00.000Z' }]
  const days = { from: '2027-03-08', before: null, after: null }
  const view = {
    slots,
    timeZone: 'UTC',
    isChosen: true,
    key: undefined,
    isMoving: false,
    refused: null,
    ...days,
  }
  const links = timesPage(view).body.text.match(/<a [^>]*booking\/confirm[^>]*>/g) ?? []
  expect(links).toHaveLength(1)
  for (const link of links) expect(link).toContain('rel="nofollow"')
})
