import { say } from '#content/consent.ts'
import { spokenMoment } from '#contract/moments.ts'
import type { Booking } from './booking-service.ts'

type Told = { readonly firstName: string; readonly email: string }

/** Said beside it to whoever rehearses; the rest of the answer is that of a booking. */
export const dryRunNotice =
  'A rehearsal: the address is at a domain reserved for examples. Nothing was recorded, and no mail is sent.'

/** What a person is told of their call, in the words that every protocol uses. */
export function confirmationOf({ firstName, email }: Told, booking: Booking): string {
  const values = { first_name: firstName, email, booking_url: booking.url }
  if (booking.slot === null) return say('pick_a_time', values)
  const start = spokenMoment(booking.slot.start, booking.timeZone)
  return say('confirmed', { ...values, 'start, in timezone': start })
}
