import type { Changelog } from '#content/records.ts'
import { lineOf, releases } from '#contract/releases/releases.ts'
import { itemsOf } from './sections.ts'

// The changelog page shows the rendered items of its Markdown, one for each record.

type Change = Changelog[number]

type ChangeDay = { day: string; entries: { id: string; change: Change; html: string }[] }

const labels: Record<Change['surface'], string> = {
  api: 'Clinical API',
  site: 'Site API',
  mcp: 'Tools',
  sdk: 'SDKs',
  cli: 'Command line',
}

/** A day's API changes by operation and field; `code` formats the names. */
export const apiLinesOf = (day: string, code: (name: string) => string): string[] =>
  releases
    .filter(({ date }) => date === day)
    .flatMap(({ changes }) => changes.map(change => lineOf(change, code)))

export const noBreaking = 'No breaking changes so far.'

/** The days with changes, newest first. */
export const daysOf = (all: Changelog): string[] =>
  [...new Set(all.map(({ date }) => date))].sort().toReversed()

/** Filters by changed surface, and for breaking changes. */
export function changeFilters(all: Changelog): { id: string; label: string; count: number }[] {
  const surfaces = Object.entries(labels).map(([id, label]) => ({
    id,
    label,
    count: all.filter(({ surface }) => surface === id).length,
  }))
  const breaking = all.filter(change => change.breaking).length
  return [
    ...surfaces.filter(({ count }) => count > 0),
    { id: 'breaking', label: 'Breaking', count: breaking },
  ]
}

export function changeDays(all: Changelog, html: string): ChangeDay[] {
  const ordered = daysOf(all).flatMap(day => all.filter(({ date }) => date === day))
  const items = itemsOf(html)
  if (items.length !== ordered.length)
    throw new Error('every change must be one item of the changelog page')
  const ids = ordered.map(idOf)
  const entries = ordered.map((change, at) => ({
    id: ids.indexOf(ids[at] ?? '') === at ? (ids[at] ?? '') : `${ids[at]}-${at}`,
    change,
    // Removes the leading label, which the page shows as tags.
    html: (items[at] ?? '').replace(/^<strong>[^<]*<\/strong>:\s*/, ''),
  }))
  return daysOf(all).map(day => ({
    day,
    entries: entries.filter(({ change }) => change.date === day),
  }))
}

/** A change's ID, built from its day and first words, so links keep working as changes are
 *  added. */
function idOf({ date, title }: Change): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return `${date}-${words.slice(0, 6).join('-')}`
}
