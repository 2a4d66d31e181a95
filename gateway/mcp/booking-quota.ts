// How many calls one place may book by tools in an hour. Each sends a mail to an address that only
// its owner can vouch for, so the quota of requests alone would be too wide.
import { countInProcess, type OpenCounter, secondsOf } from '#http/counter.ts'
import { siteLimits } from '#contract/limits.ts'
import { Problem } from '#contract/problems.ts'
import { networkOf } from '#http/rate-limiter.ts'

export type BookingQuota = {
  readonly bookings?: number
  readonly counter?: OpenCounter
}

/** Takes one booking of this place, and answers how it is given back when none was made. Throws the
 *  door's refusal where none is left. Whoever's address is not known is not counted. */
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
