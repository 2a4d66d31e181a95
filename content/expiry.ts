import config from './site.config.ts'
import { type Content, type Entry, valueOf } from './read.ts'
import { basePaths } from './paths.ts'

// Pages whose facts age: law, and what is said of a company by its name. Each says when its facts
// were checked, and stands only so long after.

/** In days after `checked_on`: when it has to be read again, and from when it may not stand. */
export type Life = { due: number; over: number }

const lives: Readonly<Record<'law' | 'vendor' | 'others', Life>> = {
  law: { due: 180, over: 365 },
  vendor: { due: 60, over: 90 },
  // Nobody takes these down; the lint stops whoever lets them lie.
  others: { due: 180, over: 365 },
}

const isLaw = (entry: Entry) => {
  const classes = valueOf(entry, 'class')
  return Array.isArray(classes) && classes.includes('L')
}
const isVendor = (entry: Entry) => valueOf(entry, 'vendor') === true

export const lifeOf = (entry: Entry): Life =>
  lives[isLaw(entry) ? 'law' : isVendor(entry) ? 'vendor' : 'others']

export function checkedOn(entry: Entry): string | undefined {
  const day = valueOf(entry, 'checked_on')
  return typeof day === 'string' && /^\d{4}-\d\d-\d\d$/.test(day) ? day : undefined
}

const dayMs = 86_400_000

export const daysBetween = (from: string, to: string): number =>
  (Date.parse(to) - Date.parse(from)) / dayMs

export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

/** Which day it is where the company is, as frontmatter writes days. */
export const today = (): string =>
  new Date().toLocaleDateString('sv-SE', { timeZone: config.booking.timeZone })

/** The day on which a page was taken down by the calendar, when it was. */
export function lapsedOn(entry: Entry, day: string): string | undefined {
  const checked = checkedOn(entry)
  if (checked === undefined || !(isLaw(entry) || isVendor(entry))) return undefined
  const end = dayAfter(checked, lifeOf(entry).over)
  return end < day ? dayAfter(end, 1) : undefined
}

/** What a reader finds where a page was, in the form of content/gone.yaml. */
export type Lapsed = {
  path: string
  title: string
  on: string
  why: string
  instead: null
  lapsed: true
}

/**
 * The content as it may stand on a day: a page whose facts nobody has checked for too long is told
 * as gone, at every address that it had, and comes back as it was when they are checked.
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
  const { over } = lifeOf(entry)
  const what = isLaw(entry)
    ? 'The law that this page describes'
    : 'What this page says of a company'
  const why =
    `${what} was last checked on ${checkedOn(entry) ?? ''}. After ${over} days without a check ` +
    'such a page is taken down, so that nobody relies on what may have changed. It comes back when it has been read again.'
  return { path, title: String(valueOf(entry, 'title')), on, why, instead: null, lapsed: true }
}
