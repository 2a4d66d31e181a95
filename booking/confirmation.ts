import { say } from '#content/consent.ts'
import { spokenMoment } from '#contract/moments.ts'
import type { Booking } from './booking-service.ts'

type Recipient = { readonly firstName: string; readonly email: string }

/** Added to a dry run's response, which otherwise equals a booking's. */
export const dryRunNotice =
  'This is a test booking because the email address uses a domain reserved for examples. Nothing was sent or stored.'

/** The confirmation text, which is the same in every protocol. */
export function confirmationOf({ firstName, email }: Recipient, booking: Booking): string {
  const values = { first_name: firstName, email, booking_url: booking.url }
  if (booking.slot === null) return say('pick_a_time', values)
  const start = spokenMoment(booking.slot.start, booking.timeZone)
  return say('confirmed', { ...values, 'start, in timezone': start })
}
