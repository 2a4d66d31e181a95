import config from './site.config.ts'
import { type Entry, valueOf } from './entry.ts'
import type { Content } from './read.ts'
import { basePaths } from './paths.ts'

// Pages whose facts age: law, and claims about a named company. Each names the day on which its
// facts were checked, and is removed when that is too long ago.

/** In days after `checked_on`: when it must be checked again, and when it expires. */
type ReviewPeriod = { due: number; over: number }

const periods: Readonly<Record<'law' | 'vendor' | 'others', ReviewPeriod>> = {
  law: { due: 180, over: 365 },
  vendor: { due: 60, over: 90 },
  // These are not removed; the content check fails for them.
  others: { due: 180, over: 365 },
}

const isLaw = (entry: Entry) => {
  const classes = valueOf(entry, 'class')
  return Array.isArray(classes) && classes.includes('L')
}
const isVendor = (entry: Entry) => valueOf(entry, 'vendor') === true

export const reviewPeriodOf = (entry: Entry): ReviewPeriod =>
  periods[isLaw(entry) ? 'law' : isVendor(entry) ? 'vendor' : 'others']

export function checkedOn(entry: Entry): string | undefined {
  const day = valueOf(entry, 'checked_on')
  return typeof day === 'string' && /^\d{4}-\d\d-\d\d$/.test(day) ? day : undefined
}

const dayMs = 86_400_000

export const daysBetween = (from: string, to: string): number =>
  (Date.parse(to) - Date.parse(from)) / dayMs

export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

/** Today in the company's time zone, as frontmatter writes days. */
export const today = (): string =>
  new Date().toLocaleDateString('sv-SE', { timeZone: config.booking.timeZone })

/** The day on which a page expired, if it has. */
export function lapsedOn(entry: Entry, day: string): string | undefined {
  const checked = checkedOn(entry)
  if (checked === undefined || !(isLaw(entry) || isVendor(entry))) return undefined
  const end = dayAfter(checked, reviewPeriodOf(entry).over)
  return end < day ? dayAfter(end, 1) : undefined
}

/** The record of an expired page, in the form of content/gone.yaml. */
type Lapsed = {
  path: string
  title: string
  on: string
  why: string
  instead: null
  lapsed: true
}

/**
 * The content as it is published on a day: an expired page answers 410 at every address that it
 * had, and comes back when its facts are checked.
 */
export function asOf(content: Content, day: string): Content {
  const gone: unknown[] = Array.isArray(content.gone.data) ? [...content.gone.data] : []
  const standing = (folder: 'articles' | 'comparisons') =>
    content[folder].filter(entry => {
      const on = lapsedOn(entry, day)
      if (on === undefined) return true
      const before = valueOf(entry, 'redirect_from')
      const paths = [`${basePaths[folder]}/${entry.name}`, ...(Array.isArray(before) ? before : [])]
      gone.push(...paths.map((path): Lapsed => lapsed(entry, String(path), on)))
      return false
    })
  const [articles, comparisons] = [standing('articles'), standing('comparisons')]
  return { ...content, articles, comparisons, gone: { ...content.gone, data: gone } }
}

function lapsed(entry: Entry, path: string, on: string): Lapsed {
  const { over } = reviewPeriodOf(entry)
  const subject = isLaw(entry)
    ? 'The law that this page describes'
    : 'What this page says about a company'
  const why =
    `${subject} was last checked on ${checkedOn(entry) ?? ''}. After ${over} days without a check ` +
    'such a page is removed, because the facts may have changed. It comes back when they have been checked again.'
  return { path, title: String(valueOf(entry, 'title')), on, why, instead: null, lapsed: true }
}
