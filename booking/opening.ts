// When calls can start, in the company's local time. Each range of opening hours is first converted
// to timestamps, then divided into calls. So on a day with a daylight saving change, every call has
// its full length, and none starts at a local time that doesn't exist.
import company from '#content/site.config.ts'
import { LRUCache } from 'lru-cache'
import { type Weekday, weekdays } from '#content/opening-hours.ts'
import type { Slot } from '#contract/site/discovery-call.ts'

export type OpeningHours = {
  readonly minutes: number
  readonly timeZone: string
  /** Hours from Monday on; each range looks like `09:00-17:00`. */
  readonly hours: Readonly<Record<Weekday, readonly string[]>>
  /** Days in the form `2026-12-25`. */
  readonly closed: readonly string[]
  readonly noticeHours: number
  readonly daysAhead: number
}

export const openingHours: OpeningHours = company.booking

const daysRememberedMax = 400

export type Opening = {
  /** All calls that may start on this day in the company's time zone, booked or not. */
  callsOn(day: Temporal.PlainDate): readonly Slot[]
  /** All calls that start at or after `from` and before `until`. */
  callsBetween(from: Temporal.Instant, until: Temporal.Instant): Slot[]
  /** Whether a call booked now may start at this time. */
  offers(start: string, now: Temporal.Instant): boolean
  /** The earliest and latest start of a call booked now. */
  bounds(now: Temporal.Instant): { from: Temporal.Instant; until: Temporal.Instant }
}

export function openOpening(hours: OpeningHours): Opening {
  const days = new LRUCache<string, readonly Slot[]>({ max: daysRememberedMax })
  const callsOn = (day: Temporal.PlainDate) => {
    const name = day.toString()
    let calls = days.get(name)
    if (calls === undefined) days.set(name, (calls = callsOf(hours, day)))
    return calls
  }
  const bounds = (now: Temporal.Instant) => ({
    from: now.add({ hours: hours.noticeHours }),
    until: now.add({ hours: 24 * hours.daysAhead }),
  })
  return {
    callsOn,
    bounds,
    offers(start, now) {
      const { from, until } = bounds(now)
      if (start < momentOf(from) || start >= momentOf(until)) return false
      const day = Temporal.Instant.from(start).toZonedDateTimeISO(hours.timeZone).toPlainDate()
      return callsOn(day).some(call => call.start === start)
    },
    callsBetween(from, until) {
      const first = from.toZonedDateTimeISO(hours.timeZone).toPlainDate()
      const last = until.toZonedDateTimeISO(hours.timeZone).toPlainDate()
      const found: Slot[] = []
      const [earliest, end] = [momentOf(from), momentOf(until)]
      for (let day = first; Temporal.PlainDate.compare(day, last) <= 0; day = day.add(oneDay)) {
        found.push(...callsOn(day).filter(({ start }) => start >= earliest && start < end))
      }
      return found
    },
  }
}

const oneDay = { days: 1 }

/** Always includes milliseconds, so texts sort like the timestamps. */
export const momentOf = (instant: Temporal.Instant): string =>
  instant.toString({ smallestUnit: 'millisecond' })

function callsOf(hours: OpeningHours, day: Temporal.PlainDate): Slot[] {
  const weekday = weekdays[day.dayOfWeek - 1] ?? 'sunday'
  if (hours.closed.includes(day.toString())) return []
  return hours.hours[weekday].flatMap(range => {
    const [opens, closes] = range
      .split('-')
      .map(time => day.toZonedDateTime({ timeZone: hours.timeZone, plainTime: time }).toInstant())
    return opens && closes ? cut(opens, closes, hours.minutes) : []
  })
}

function cut(opens: Temporal.Instant, closes: Temporal.Instant, minutes: number): Slot[] {
  const calls: Slot[] = []
  for (let start = opens; ;) {
    const end = start.add({ minutes })
    if (Temporal.Instant.compare(end, closes) > 0) return calls
    calls.push({ start: momentOf(start), end: momentOf(end) })
    start = end
  }
}

/** Null if the text isn't a date; a day past the end of its month becomes the last day. */
export function dayNamed(text: string): Temporal.PlainDate | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return null
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number)
  if (month < 1 || month > 12 || day < 1) return null
  return Temporal.PlainDate.from({ year, month, day }, { overflow: 'constrain' })
}
