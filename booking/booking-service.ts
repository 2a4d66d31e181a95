// The booking service's interface. Each protocol translates its message into a request and the
// result into its own format. The booking rules are implemented once, behind this interface.

import type { Protocol, Slot } from '#contract/site/discovery-call.ts'

export type Buyer = {
  readonly firstName: string
  readonly lastName?: string
  readonly email: string
  /** In E.164, such as +12025550123. */
  readonly phone?: string
  readonly company?: string
}

/** The origin of a request, stored with the record. */
export type Via = {
  readonly protocol: Protocol
  /** The User-Agent or the client's name, cut to 200 characters. */
  readonly agent: string | null
  /** The caller's IP address, for the quota; stored only as a keyed hash, for an hour. */
  readonly address: string | null
  /** The consent texts' version: `consentVersion` in `content/consent.ts`. */
  readonly wording: string
  /** The request's consent field. Absent if the protocol has no such field. */
  readonly consent?: boolean
}

export type BookingRequest = {
  readonly buyer: Buyer
  readonly via: Via
  /** A start time from `availability`, ISO 8601 with an offset. If absent, the person picks a time
   *  later. */
  readonly start?: string
  /** The IANA time zone of times in emails and pages. Default: the company's time zone. */
  readonly timeZone?: string
  readonly note?: string
}

export type Booking = {
  /** `bkg_…` */
  readonly id: string
  /** `requested`: no time is set yet. */
  readonly status: 'requested' | 'confirmed' | 'cancelled'
  readonly slot: Slot | null
  /** The person's time zone as an IANA name, or the company's if none was sent. */
  readonly timeZone: string
  /**
   * The absolute URL of the page where this person picks, changes or cancels the time. A replayed
   * booking instead has the URL of a help page, without the key, because anyone can send someone
   * else's address.
   */
  readonly url: string
}

export type Field =
  | 'first_name'
  | 'last_name'
  | 'email'
  | 'phone'
  | 'company'
  | 'start'
  | 'timezone'
  | 'note'

export type Fault = {
  readonly field: Field
  /** `not_offered`: the start isn't an available time, or is in the past, too soon or too far
   *  ahead. */
  readonly code: 'required' | 'invalid' | 'too_long' | 'not_offered'
  /** The requirement, worded to follow the field's name: `must be a valid email address.` */
  readonly detail: string
}

type Invalid = { readonly kind: 'invalid'; readonly faults: readonly Fault[] }

export type BookingAnswer =
  /** `replayed`: this person already has a call; nothing changes and nothing is sent again. */
  | { readonly kind: 'booked'; readonly booking: Booking; readonly replayed: boolean }
  /** The response to a booking with a reserved domain (RFC 2606). The booking looks real, but
   *  nothing is stored or sent. */
  | { readonly kind: 'dry_run'; readonly booking: Booking }
  /** Suggests at most three free slots, nearest first. */
  | { readonly kind: 'slot_taken'; readonly alternatives: readonly Slot[] }
  | Invalid

export type CallbackRequest = { readonly buyer: Buyer; readonly via: Via; readonly note?: string }

type Callback = {
  /** `clb_…` */
  readonly id: string
  /** The company replies by the end of its next working day. ISO 8601 in UTC. */
  readonly replyBy: string
}

export type CallbackAnswer =
  /** `replayed`: a request from the last 24 hours is still open; nothing is sent again. */
  | (Callback & { readonly kind: 'requested'; readonly replayed: boolean })
  | (Callback & { readonly kind: 'dry_run' })
  | Invalid

export type AvailabilityQuery = {
  /**
   * The first day: `2026-11-23` in `timeZone`, or a timestamp's local day. Defaults to today, also
   * for text in another format.
   */
  readonly from?: Date | string
  /** The number of days, from 1 to `availabilityDaysMax`. Default: 7. */
  readonly days?: number
  /** The days' time zone. Default: the company's time zone. An unknown time zone counts as UTC. */
  readonly timeZone?: string
}

export const availabilityDaysMax = 31

/** The facts about a call that its page shows to the link's holder. */
export type CallDetails = {
  readonly id: string
  readonly status: 'requested' | 'confirmed' | 'cancelled' | 'over'
  readonly slot: Slot | null
  readonly timeZone: string
  /** The number of changes, as in the invitation. */
  readonly sequence: number
  /** Null once erased. */
  readonly firstName: string | null
  readonly protocol: Protocol
  readonly agent: string | null
  readonly askedAt: string
}

export type BookingDetails =
  | ({ readonly kind: 'call' } & CallDetails)
  | {
      readonly kind: 'callback'
      readonly id: string
      readonly isErased: boolean
      readonly protocol: Protocol
      readonly agent: string | null
      readonly askedAt: string
      readonly replyBy: string
    }

export type MoveAnswer =
  | { readonly kind: 'moved' }
  | { readonly kind: 'slot_taken'; readonly alternatives: readonly Slot[] }
  /** The start isn't an available time, or is too soon or too far ahead. */
  | { readonly kind: 'not_offered' }
  /** The call is canceled or over. */
  | { readonly kind: 'closed' }
  /** Each change sends an email, so changes are limited; the call can still be canceled. */
  | { readonly kind: 'too_many_changes' }

/** The operations for a link's holder. Repeating an operation changes nothing. */
export type BookingManagement = {
  /** Records that the person used a link from an email, so their call no longer counts toward the
   *  quota. */
  confirmPerson(id: string): Promise<void>
  find(id: string): Promise<BookingDetails | null>
  /** Sets or changes the time. */
  move(id: string, start: string, timeZone?: string): Promise<MoveAnswer>
  cancel(id: string): Promise<void>
  /** "This wasn't me": cancels the call and erases the person's details. */
  reportAbuse(id: string): Promise<void>
}

/**
 * Every operation throws if the database is unavailable. `book` and `requestCallback` throw
 * `rate_limited` if too many unconfirmed people were booked from the caller's address.
 */
export type BookingService = {
  /** Returns free slots in ascending order, none in the past. */
  availability(query?: AvailabilityQuery): Promise<readonly Slot[]>
  /** The free slots nearest to a start time, at most three. */
  alternatives(start: string): Promise<readonly Slot[]>
  book(request: BookingRequest): Promise<BookingAnswer>
  requestCallback(request: CallbackRequest): Promise<CallbackAnswer>
}
