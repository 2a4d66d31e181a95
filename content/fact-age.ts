import { dayMilliseconds } from '#contract/moments.ts'
import { type Entry, valueOf } from './entry.ts'
import type { Content } from './read.ts'
import { rules as rulesSchema, type Rule } from './records.ts'

// Pages whose facts age: law, claims about a named company, and rules that expire. No page
// disappears by itself. After its due day, a page shows a notice, and past its limit it's noindex.
// The day is an argument, so a checkout that passes today passes on any other day.

/** Days after a check until the page is due again, and until it becomes noindex. */
type ReviewPeriod = { due: number; limit: number }

const periods: Readonly<Record<'law' | 'vendor' | 'others', ReviewPeriod>> = {
  law: { due: 180, limit: 365 },
  vendor: { due: 60, limit: 90 },
  // Other pages show nothing; they're only listed as due.
  others: { due: 180, limit: Infinity },
}

/** The fields that decide when a page's facts go stale, with its rules instead of their keys. */
export type Facts = {
  class?: readonly string[]
  vendor?: boolean
  checked_on?: string | undefined
  rules: readonly Rule[]
}

const kindOf = ({ class: classes = [], vendor = false }: Facts): keyof typeof periods =>
  classes.includes('L') ? 'law' : vendor ? 'vendor' : 'others'

export const reviewPeriodOf = (facts: Facts): ReviewPeriod => periods[kindOf(facts)]

export const daysBetween = (from: string, to: string): number =>
  (Date.parse(to) - Date.parse(from)) / dayMilliseconds

export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMilliseconds).toISOString().slice(0, 10)

/** The page's rule that expires first. */
export const firstToEnd = ({ rules }: Pick<Facts, 'rules'>): Rule | undefined =>
  rules.toSorted((one, other) => (one.until < other.until ? -1 : 1))[0]

/** The notice on a page once its facts are overdue. */
export type AgeNotice = {
  text: string
  /** Whether the facts are so old that search engines must not list the page. */
  isPastLimit: boolean
}

/** A page's notice on a day; null while its facts are fresh enough. */
export function ageNotice(facts: Facts, day: string): AgeNotice | null {
  const [first, kind] = [firstToEnd(facts), kindOf(facts)]
  const hasEnded = first !== undefined && first.until < day
  const checked = facts.checked_on ?? first?.accessed
  if (checked === undefined) return null
  const age = kind === 'others' ? 0 : daysBetween(checked, day)
  const { due, limit } = periods[kind]
  if (!hasEnded && age <= due) return null
  const what = kind === 'vendor' && !hasEnded ? 'Facts' : 'Rules'
  const ended = hasEnded ? [`“${first.title}” held until ${shortDay(first.until)}.`] : []
  const last = `Last checked ${shortDay(checked)}. ${what} may have changed since.`
  return { text: [last, ...ended].join(' '), isPastLimit: hasEnded || age > limit }
}

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** 2026-11-21 as Nov 21, 2026. */
function shortDay(day: string): string {
  const [year = '', month = '', date = ''] = day.split('-')
  return `${months[Number(month) - 1] ?? ''} ${Number(date)}, ${year}`
}

/** Expiring rules by key. */
export type Rules = ReadonlyMap<string, Rule>

/**
 * Reads the rules. A file that its schema refuses yields no rules, and the content check reports
 * it.
 */
export function rulesOf({ data }: Entry): Rules {
  const read = rulesSchema.safeParse(data)
  return new Map(read.success ? Object.entries(read.data) : [])
}

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** The keys of the rules that a page names. */
export const ruleKeysOf = (entry: Entry): string[] => list(valueOf(entry, 'rules')).map(String)

export function factsOf(entry: Entry, rules: Rules): Facts {
  const checked = valueOf(entry, 'checked_on')
  return {
    class: list(valueOf(entry, 'class')).map(String),
    vendor: valueOf(entry, 'vendor') === true,
    checked_on: isDay(checked) ? checked : undefined,
    rules: ruleKeysOf(entry).flatMap(key => rules.get(key) ?? []),
  }
}

/** The days when a page's sources were read. */
export const daysRead = (entry: Entry): string[] =>
  list(valueOf(entry, 'sources')).map(source =>
    source instanceof Object && 'accessed' in source ? String(source.accessed) : '',
  )

/** The newest day in the content: the default day of a build or test. */
export function statedDay(content: Content): string {
  const keys = ['published', 'updated', 'reviewed_on', 'checked_on']
  const pages = [content.articles, content.comparisons, content.docs, content.pages].flat()
  const days = pages.flatMap(entry => [...keys.map(key => valueOf(entry, key)), ...daysRead(entry)])
  const changes = list(content.changelog.data).map(each => Object(each).date)
  const read = [...rulesOf(content.rules).values()].map(({ accessed }) => accessed)
  return [...days, ...changes, ...read].filter(isDay).toSorted().at(-1) ?? ''
}
