import config from './site.config.ts'
import { type Entry, valueOf } from './entry.ts'
import type { Content } from './read.ts'
import { basePaths } from './paths.ts'
import { rules as rulesSchema, type Rule } from './records.ts'

// Pages whose facts age: law, and claims about a named company. Each names the day on which its
// facts were checked, and is removed when that is too long ago. A page may also name rules that
// have an end, and is removed with the first of them.

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

/** Rules with an end, by key. */
export type Rules = ReadonlyMap<string, Rule>

/** A file that its schema refuses has none; the content check reports it. */
export function rulesOf({ data }: Entry): Rules {
  const read = rulesSchema.safeParse(data)
  return new Map(read.success ? Object.entries(read.data) : [])
}

/** The keys of the rules that a page names. */
export function ruleKeysOf(entry: Entry): string[] {
  const keys = valueOf(entry, 'rules')
  return Array.isArray(keys) ? keys.map(String) : []
}

/** The rule of a page that ends first. */
export function firstToEnd(entry: Entry, rules: Rules): Rule | undefined {
  return ruleKeysOf(entry)
    .flatMap(key => rules.get(key) ?? [])
    .toSorted((one, other) => (one.until < other.until ? -1 : 1))[0]
}

type LastDay = { day: string; rule?: Rule }

/** The last day of a page: that of its check or of a rule, whichever is first. */
export function lastDayOf(entry: Entry, rules: Rules): LastDay | undefined {
  const checked = checkedOn(entry)
  const ofCheck =
    checked === undefined || !(isLaw(entry) || isVendor(entry))
      ? undefined
      : dayAfter(checked, reviewPeriodOf(entry).over)
  const rule = firstToEnd(entry, rules)
  if (rule !== undefined && (ofCheck === undefined || rule.until <= ofCheck)) {
    return { day: rule.until, rule }
  }
  return ofCheck === undefined ? undefined : { day: ofCheck }
}

/** The day on which a page expired, if it has. */
export function lapsedOn(entry: Entry, day: string, rules: Rules): string | undefined {
  const last = lastDayOf(entry, rules)
  return last !== undefined && last.day < day ? dayAfter(last.day, 1) : undefined
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
  const rules = rulesOf(content.rules)
  const standing = (folder: 'articles' | 'comparisons') =>
    content[folder].filter(entry => {
      const last = lastDayOf(entry, rules)
      if (last === undefined || day <= last.day) return true
      const before = valueOf(entry, 'redirect_from')
      const paths = [`${basePaths[folder]}/${entry.name}`, ...(Array.isArray(before) ? before : [])]
      gone.push(...paths.map((path): Lapsed => lapsed(entry, String(path), last)))
      return false
    })
  const [articles, comparisons] = [standing('articles'), standing('comparisons')]
  return { ...content, articles, comparisons, gone: { ...content.gone, data: gone } }
}

function lapsed(entry: Entry, path: string, { day, rule }: LastDay): Lapsed {
  const title = String(valueOf(entry, 'title'))
  const why = rule === undefined ? notChecked(entry) : ended(rule)
  return { path, title, on: dayAfter(day, 1), why, instead: null, lapsed: true }
}

const ended = ({ title, until, end }: Rule) =>
  `What this page says rests on “${title}” as it held until ${until}. ${end} ` +
  'It comes back when it has been written for what holds since.'

function notChecked(entry: Entry): string {
  const { over } = reviewPeriodOf(entry)
  const subject = isLaw(entry)
    ? 'The law that this page describes'
    : 'What this page says about a company'
  return (
    `${subject} was last checked on ${checkedOn(entry) ?? ''}. After ${over} days without a check ` +
    'such a page is removed, because the facts may have changed. It comes back when they have been checked again.'
  )
}
