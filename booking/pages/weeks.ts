// The days shown on the free times page, and on the previous and next pages.
import { dayNamed, type Opening } from '../opening.ts'

const daysShown = 7

type ShownDays = {
  readonly from: string
  readonly count: number
  readonly before: string | null
  readonly after: string | null
}

/** Starts on the requested day, or on the first day with a call. */
export function shownDays(
  opening: Opening,
  now: number,
  timeZone: string,
  requested: string | null,
): ShownDays {
  const { from, until } = opening.bounds(Temporal.Instant.fromEpochMilliseconds(now))
  const dayOf = (moment: Temporal.Instant) => moment.toZonedDateTimeISO(timeZone).toPlainDate()
  const [call] = opening.callsBetween(from, until)
  const first = dayOf(call === undefined ? from : Temporal.Instant.from(call.start))
  const last = dayOf(until)
  const wanted = dayNamed(requested ?? '') ?? first
  const day = earlier(last, later(first, wanted))
  const next = day.add({ days: daysShown })
  const isFirst = Temporal.PlainDate.compare(day, first) <= 0
  const isLast = Temporal.PlainDate.compare(next, last) > 0
  return {
    from: day.toString(),
    count: daysShown,
    before: isFirst ? null : later(first, day.subtract({ days: daysShown })).toString(),
    after: isLast ? null : next.toString(),
  }
}

const later = (one: Temporal.PlainDate, other: Temporal.PlainDate) =>
  Temporal.PlainDate.compare(one, other) > 0 ? one : other
const earlier = (one: Temporal.PlainDate, other: Temporal.PlainDate) =>
  Temporal.PlainDate.compare(one, other) < 0 ? one : other
