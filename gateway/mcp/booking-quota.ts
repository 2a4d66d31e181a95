// How many calls one network may book by tools in an hour. Each sends an email to an address that
// only its owner can confirm, so the limit of requests alone would be too high.
import { countInProcess, type OpenCounter, secondsOf } from '#http/counter.ts'
import { siteLimits } from '#contract/limits.ts'
import { Problem } from '#contract/problems.ts'
import { networkOf } from '#http/rate-limiter.ts'

export type BookingQuota = {
  readonly bookings?: number
  readonly counter?: OpenCounter
}

/** Takes one booking from the quota, and answers how to return it when no call was booked. Throws
 *  `rate_limited` where none is left. Callers without a known address are not counted. */
export function openBookingQuota({
  bookings = siteLimits.bookingsPerHour,
  counter = countInProcess,
}: BookingQuota) {
  const taken = counter('bookings', bookings, 3600)
  return async (address: string | null): Promise<() => Promise<unknown>> => {
    if (address === null) return async () => {}
    const place = networkOf(address)
    const { left, milliseconds } = await taken.take(place)
    if (left < 0) {
      const seconds = secondsOf(milliseconds)
      throw new Problem('rate_limited', {
        detail: `At most ${bookings} calls can be booked from one IP address in an hour.`,
        hint: `Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}, or send the person to /booking to book it themselves.`,
        headers: { 'retry-after': String(seconds) },
      })
    }
    return async () => taken.take(place, -1)
  }
}
