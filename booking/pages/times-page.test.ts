// The page of free times: its days, its time zone, and what it says when nothing is free.
import { expect, test } from 'bun:test'
import { timesPage } from './times-page.ts'

const slotAt = (start: string) => ({ start, end: start })
const view = {
  slots: [slotAt('2027-03-08T18:00:00.000Z'), slotAt('2027-03-08T18:30:00.000Z')],
  timeZone: 'America/New_York',
  isChosen: true,
  from: '2027-03-08',
  before: null,
  after: null,
  key: undefined,
  isMoving: false,
}
const pageOf = (more: Partial<Parameters<typeof timesPage>[0]> = {}) => {
  const { title, body } = timesPage({ ...view, ...more })
  return { title, html: body.text.replaceAll(/\s+/g, ' ') }
}
/** The chosen options, by their group. */
const chosenIn = (html: string) =>
  [...html.matchAll(/<optgroup label="(\w+)">(.*?)<\/optgroup>/g)].flatMap(([, group, options]) =>
    [...(options ?? '').matchAll(/<option value="([^"]+)" selected>/g)].map(each => [
      group,
      each[1],
    ]),
  )

test('free times: the times of one day stand below it', () => {
  const { title, html } = pageOf()
  expect(title).toBe('Pick a time')
  expect(html.match(/<h2>[^<]*/g)).toEqual(['<h2>Monday, March 8, 2027'])
  expect(html).toContain('aria-label="Monday, March 8, 2027, 1:00 PM EST" >1:00 PM</a')
  expect(html).not.toContain('No time is free')
  expect(pageOf({ isMoving: true }).title).toBe('Pick another time')
})

test('free times: where none is free it says so, and to whom to write when no later day has one', () => {
  const none = pageOf({ slots: [], after: '2027-03-15' }).html
  expect(none).toContain('No time is free in these days.')
  expect(none).not.toContain('mailto:')
  expect(pageOf({ slots: [] }).html).toContain('mailto:hello@example.com')
})

test('free times: links lead to other days where there are some', () => {
  expect(pageOf().html).not.toMatch(/Earlier days|Later days/)
  const { html } = pageOf({ before: '2027-03-01', after: '2027-03-15', key: 'key' })
  expect(html).toContain(
    'from=2027-03-01&amp;timezone=America%2FNew_York&amp;key=key">Earlier days',
  )
  expect(html).toContain('from=2027-03-15&amp;timezone=America%2FNew_York&amp;key=key">Later days')
})

test('free times: a time zone that is guessed is named as ours, and a script may replace it', () => {
  const guessed = pageOf({ isChosen: false }).html
  expect(guessed).toContain('those of New York, where we are.')
  expect(guessed).toContain('data-zone="America/New_York"')
  const chosen = pageOf({ timeZone: 'Europe/Berlin' }).html
  expect(chosen).toContain('those of Berlin.')
  expect(chosen).not.toContain('data-zone')
})

test('free times: one option of the time zones is selected, a common one where it is one', () => {
  expect(chosenIn(pageOf().html)).toEqual([['Common', 'America/New_York']])
  expect(chosenIn(pageOf({ timeZone: 'Europe/Berlin' }).html)).toEqual([['All', 'Europe/Berlin']])
})
