// The seam between one booking and every protocol that asks for it. A protocol turns its message
// into a request and the answer into its own words; what one person holds is decided behind this.

export type Protocol = 'acp' | 'a2a' | 'mcp' | 'web'

/** Moments as ISO 8601 in UTC, `2026-11-23T14:00:00.000Z`. */
export type Slot = { readonly start: string; readonly end: string }

export type Buyer = {
  readonly firstName: string
  readonly lastName?: string
  readonly email: string
  /** E.164, such as +12025550123. */
  readonly phone?: string
  readonly company?: string
}

/** Where a call came from, kept with the record. */
export type Via = {
  readonly protocol: Protocol
  /** The User-Agent, or what the client calls itself; cut at 200 characters. */
  readonly agent: string | null
  /** Which wording was in force: `consentVersion` of `content/consent.ts`. */
  readonly wording: string
  /** What the call itself said of the person's consent. Absent: it has no such member. */
  readonly consent?: boolean
}

export type BookingRequest = {
  readonly buyer: Buyer
  readonly via: Via
  /** A start that `availability` offers, ISO 8601 with an offset. Absent: the page asks for it. */
  readonly start?: string
  /** IANA name of the person's zone, in which mail and page show times. Absent: the company's. */
  readonly timeZone?: string
  readonly note?: string
}

export type Booking = {
  /** `bkg_…` */
  readonly id: string
  /** `requested`: no time picked yet. */
  readonly status: 'requested' | 'confirmed' | 'cancelled'
  readonly slot: Slot | null
  /** IANA name: the person's, or the company's where they gave none. */
  readonly timeZone: string
  /**
   * Absolute. The page where this person picks, moves or cancels; when `replayed`, the page that
   * says how, because whoever repeats an address has not proved that it is theirs.
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
  /** `not_offered`: a moment that is no start of ours, or is past, too near or too far. */
  readonly code: 'required' | 'invalid' | 'too_long' | 'not_offered'
  /** One sentence for a person. */
  readonly detail: string
}

export type Invalid = { readonly kind: 'invalid'; readonly faults: readonly Fault[] }

export type BookingAnswer =
  /** `replayed`: this person had it already; nothing was changed and nothing is sent again. */
  | { readonly kind: 'booked'; readonly booking: Booking; readonly replayed: boolean }
  /** A reserved domain (RFC 2606): answered as in production, nothing recorded, nothing sent. */
  | { readonly kind: 'rehearsed'; readonly booking: Booking }
  /** At most three, nearest first; each is still free. */
  | { readonly kind: 'slot_taken'; readonly alternatives: readonly Slot[] }
  | Invalid

export type CallbackRequest = { readonly buyer: Buyer; readonly via: Via; readonly note?: string }

export type Callback = {
  /** `clb_…` */
  readonly id: string
  /** Until when the company answers: the end of its next working day. ISO 8601 in UTC. */
  readonly replyBy: string
}

export type CallbackAnswer =
  /** `replayed`: asked within the last 24 hours; nothing is sent again. */
  | (Callback & { readonly kind: 'requested'; readonly replayed: boolean })
  | (Callback & { readonly kind: 'rehearsed' })
  | Invalid

export type AvailabilityQuery = {
  /**
   * The first day: `2026-11-23` in `timeZone`, or the day there of this moment. Absent, or of
   * another form: today.
   */
  readonly from?: Date | string
  /** How many days, from 1 to `availabilityDaysMax`. Absent: 7. */
  readonly days?: number
  /** In which zone a day begins. Absent: the company's. One that there is not counts as UTC. */
  readonly timeZone?: string
}

export const availabilityDaysMax = 31

/** What the page of one call shows to whoever holds its link. */
export type CallDetails = {
  readonly id: string
  readonly status: 'requested' | 'confirmed' | 'cancelled' | 'over'
  readonly slot: Slot | null
  readonly timeZone: string
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
    }

export type MoveAnswer =
  | { readonly kind: 'moved' }
  | { readonly kind: 'slot_taken'; readonly alternatives: readonly Slot[] }
  /** No start of ours, or too near or too far. */
  | { readonly kind: 'not_offered' }
  /** It is cancelled or over. */
  | { readonly kind: 'closed' }

/** What a link lets its holder do. Each may be repeated and then changes nothing more. */
export type BookingManagement = {
  find(id: string): Promise<BookingDetails | null>
  /** Picks the first time, or another one. */
  move(id: string, start: string, timeZone?: string): Promise<MoveAnswer>
  cancel(id: string): Promise<void>
  /** "This wasn't me": cancels, and erases who it was for. */
  reportAbuse(id: string): Promise<void>
}

/** Any of them may throw where the database does not answer. */
export type BookingService = {
  /** Free starts, ascending; never in the past. */
  availability(query?: AvailabilityQuery): Promise<readonly Slot[]>
  book(request: BookingRequest): Promise<BookingAnswer>
  requestCallback(request: CallbackRequest): Promise<CallbackAnswer>
}
