// The free slots: opening hours without the booked times.
import { minuteMilliseconds } from '#contract/moments.ts'
import company from '#content/site.config.ts'
import type { Slot } from '#contract/site/discovery-call.ts'
import { availabilityDaysMax, type AvailabilityQuery } from './booking-service.ts'
import { dayNamed, momentOf } from './opening.ts'
import { companyZone, type BookingContext, nowOf, run } from './context.ts'
import { takenBetween } from './statements.ts'
import { zoneNamed } from './zones.ts'

export async function availability(
  parts: BookingContext,
  { from, days = 7, timeZone }: AvailabilityQuery = {},
): Promise<Slot[]> {
  const zone = timeZone === undefined ? companyZone : (zoneNamed(timeZone) ?? 'UTC')
  const first = firstDay(parts, from, zone)
  const count = Math.min(Math.max(Math.trunc(days), 1), availabilityDaysMax)
  const begin = first.toZonedDateTime(zone).toInstant()
  return freeBetween(parts, begin, first.add({ days: count }).toZonedDateTime(zone).toInstant())
}

function firstDay(parts: BookingContext, from: Date | string | undefined, zone: string) {
  const named = typeof from === 'string' ? dayNamed(from) : null
  if (named !== null) return named
  const moment =
    from instanceof Date ? Temporal.Instant.fromEpochMilliseconds(from.getTime()) : nowOf(parts)
  return moment.toZonedDateTimeISO(zone).toPlainDate()
}

async function freeBetween(
  parts: BookingContext,
  begin?: Temporal.Instant,
  end?: Temporal.Instant,
): Promise<Slot[]> {
  const { from, until } = parts.opening.bounds(nowOf(parts))
  const first = begin && Temporal.Instant.compare(begin, from) > 0 ? begin : from
  const last = end && Temporal.Instant.compare(end, until) < 0 ? end : until
  if (Temporal.Instant.compare(first, last) >= 0) return []
  const rows = await run<{ start: string }>(parts, takenBetween(momentOf(first), momentOf(last)))
  const taken = new Set(rows.map(({ start }) => start))
  return parts.opening.callsBetween(first, last).filter(({ start }) => !taken.has(start))
}

/** The three free slots nearest to the requested start. */
export async function alternativesTo(parts: BookingContext, start: string): Promise<Slot[]> {
  const wanted = Date.parse(start)
  const far = (slot: Slot) => Math.abs(Date.parse(slot.start) - wanted)
  return (await freeBetween(parts)).toSorted((one, other) => far(one) - far(other)).slice(0, 3)
}

const isoShape = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d(:\d\d(\.\d{1,9})?)?([Zz]|[+-]\d\d:\d\d)$/

/** The UTC timestamp for any offset, or undefined if the text isn't an ISO 8601 date and time. */
export function startOf(text: string): string | undefined {
  const milliseconds = isoShape.test(text) ? Date.parse(text.toUpperCase()) : Number.NaN
  return Number.isNaN(milliseconds) ? undefined : new Date(milliseconds).toISOString()
}

export function slotAt(start: string): Slot {
  const end = Date.parse(start) + company.booking.minutes * minuteMilliseconds
  return { start, end: new Date(end).toISOString() }
}
