import { say } from '#content/consent.ts'
import type { Booking } from './desk.ts'

type Told = { readonly firstName: string; readonly email: string }

/** What a person is told of their call, in the words that every protocol uses. */
export function confirmationOf({ firstName, email }: Told, booking: Booking): string {
  const values = { first_name: firstName, email, booking_url: booking.url }
  if (booking.slot === null) return say('pick_a_time', values)
  const start = momentFor(booking.slot.start, booking.timeZone)
  return say('confirmed', { ...values, 'start, in timezone': start })
}

/** A moment as people of a zone write it, with the zone behind it. */
export function momentFor(moment: string, timeZone: string): string {
  const style = { dateStyle: 'full', timeStyle: 'short', timeZone } as const
  const text = new Intl.DateTimeFormat('en-US', style).format(new Date(moment))
  // The narrow space before AM is one that some terminals do not have.
  return `${text.replaceAll('\u202f', ' ')} (${timeZone})`
}
