import { expect, test } from 'bun:test'
import type { Changelog } from '#content/records.ts'
import { apiLinesOf, changeDays, changeFilters } from '../changes.ts'
import { planAction, priceOf } from '../prices.ts'
import { sectionsOf, splitAfterTables } from '../sections.ts'

const change = (date: string, title: string, more: Partial<Changelog[number]> = {}) =>
  ({ date, kind: 'added', surface: 'api', title, breaking: false, ...more }) as const

const all: Changelog = [
  change('2026-11-20', 'Files can be sent.'),
  change('2026-11-22', 'A word, changed', { breaking: true, surface: 'site' }),
  change('2026-11-22', 'A word, changed', { kind: 'fixed' }),
]
const items = ['<strong>site, added, breaking</strong>: A <code>word</code>', 'B', 'C']
const html = `<h2>Days</h2><ul>${items.map(item => `<li>${item}</li>`).join('')}</ul>`

test('changelog: the newest day first, each change with its text and its own URL', () => {
  const days = changeDays(all, html)
  expect(days.map(({ day }) => day)).toEqual(['2026-11-22', '2026-11-20'])
  const entries = days.flatMap(({ entries: found }) => found)
  expect(entries.map(each => each.html)).toEqual(['A <code>word</code>', 'B', 'C'])
  expect(entries[0]?.change).toMatchObject({ breaking: true, surface: 'site' })
  const ids = entries.map(({ id }) => id)
  expect(ids[0]).toBe('2026-11-22-a-word-changed')
  expect(new Set(ids).size).toBe(3)
})

test('changelog: a release’s day shows its changes by operation and field', () => {
  const [line] = apiLinesOf('2026-11-29', name => `\`${name}\``)
  expect(line).toBe('added operation `getConsentVersions`')
  expect(apiLinesOf('2026-11-20', name => name)).toEqual([])
})

test('changelog: a text without an item for each change fails the build', () => {
  expect(() => changeDays(all, '<ul><li>A</li></ul>')).toThrow('one item')
})

test('changelog: filters by the surfaces that changed, and by what breaks', () => {
  expect(changeFilters(all).map(({ id, count }) => [id, count])).toEqual([
    ['api', 2],
    ['site', 1],
    ['breaking', 1],
  ])
})

test('sections: a text is split at its headings, after an intro', () => {
  const text = '<p>a</p><h2 id="b">B <a>#</a></h2><p>c</p><h3 id="d">D</h3><h2 id="e">E</h2>'
  expect(sectionsOf(text)).toEqual({
    intro: '<p>a</p>',
    sections: [
      { id: 'b', heading: 'B <a>#</a>', html: '<p>c</p><h3 id="d">D</h3>' },
      { id: 'e', heading: 'E', html: '' },
    ],
  })
  expect(sectionsOf('<p>a</p>')).toEqual({ intro: '<p>a</p>', sections: [] })
})

test('sections: tables keep their wrappers, and the text after them is separate', () => {
  const tables = '<p>a</p><div><table></table></div><div><table></table></div>'
  expect(splitAfterTables(`${tables}<p>b</p><p>c</p>`)).toEqual([tables, '<p>b</p><p>c</p>'])
  expect(splitAfterTables(tables)).toEqual([tables, ''])
})

test('prices: an unpublished one is a quote, never an estimate', () => {
  expect(priceOf(null, 'USD', null)).toBe('by quote')
  expect(priceOf('0.00', 'USD', null)).toBe('free')
  expect(priceOf('12.00', 'USD', 'month')).toBe('12.00 USD a month')
  const plan = { id: 'x', name: 'X', summary: '', interval: null, includes: [], url: '/' }
  expect(planAction({ ...plan, price: null })).toContain('Book a call')
})
