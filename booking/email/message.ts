// What a mail is written from: the facts of the moment at which it was caused. They wait with the
// queue's row until the mail is accepted, so that a mail that is tried again is the same mail.
import type { Protocol, Slot } from '../booking-service.ts'
import type { Person } from '../person.ts'

export type Audience = 'buyer' | 'sales'

export type EmailKind =
  /** A time is agreed: the invitation. */
  | 'booked'
  /** Asked for without a time: the link to pick one. */
  | 'requested'
  | 'moved'
  | 'cancelled'
  /** "This wasn't me": cancelled, and every detail erased. */
  | 'disowned'
  | 'callback'

export type EmailFacts = Omit<Person, 'person' | 'isReserved'> & {
  readonly slot: Slot | null
  /** When it was to be, where it was moved or cancelled. */
  readonly before: Slot | null
  readonly timeZone: string
  readonly protocol: Protocol
  readonly agent: string | null
  /** When it was first asked for, ISO 8601. */
  readonly askedAt: string
  /** Until when a callback is promised, ISO 8601. */
  readonly replyBy: string | null
}

/** A mail to be queued, with the id that its Message-ID is made from. */
export type EmailMessage = {
  readonly id: string
  readonly audience: Audience
  readonly kind: EmailKind
  readonly facts: EmailFacts
}
