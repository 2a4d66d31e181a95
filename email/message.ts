// The facts that an email is composed from, as of the time it was queued. The queue's row stores
// the facts until the email is accepted, so every attempt sends the same email.
import type { Protocol, Slot } from '#contract/site/discovery-call.ts'

export type Audience = 'buyer' | 'sales'

export type EmailKind =
  /** A time is set; the email is the invitation. */
  | 'booked'
  /** Requested without a time; the email links to the page to pick a time. */
  | 'requested'
  | 'moved'
  | 'cancelled'
  /** "This wasn't me": the call is canceled and the personal data erased. */
  | 'abuse_reported'
  | 'callback'

/** The person on a call. */
export type Contact = {
  /** The address as entered, which receives the emails. */
  readonly email: string
  readonly firstName: string
  readonly lastName: string | null
  readonly phone: string | null
  readonly company: string | null
  readonly note: string | null
}

/** Replaces the personal data in an email about an abuse report. */
export const noPerson: Contact = {
  email: '',
  firstName: '',
  lastName: null,
  phone: null,
  company: null,
  note: null,
}

export type EmailFacts = Contact & {
  readonly slot: Slot | null
  /** The previous time, if the call was rescheduled or canceled. */
  readonly before: Slot | null
  readonly timeZone: string
  readonly protocol: Protocol
  readonly agent: string | null
  /** When the call was first requested, in ISO 8601. */
  readonly askedAt: string
  /** The company promises a callback by this time, ISO 8601. */
  readonly replyBy: string | null
}

/** An email to queue, with the ID used in its Message-ID. */
export type EmailMessage = {
  readonly id: string
  readonly audience: Audience
  readonly kind: EmailKind
  readonly facts: EmailFacts
}
