// The parts of the booking service's types that these tools use.

/** Timestamps in ISO 8601, UTC. */
export type Slot = { readonly start: string; readonly end: string }

export type Via = {
  readonly protocol: 'mcp'
  readonly agent: string | null
  readonly address: string | null
  readonly wording: string
  readonly consent: boolean
}
export type Buyer = {
  readonly firstName: string
  readonly lastName?: string
  readonly email: string
  readonly phone?: string
  readonly company?: string
}
export type Invalid = {
  readonly kind: 'invalid'
  readonly faults: readonly { readonly field: string; readonly code: string; detail: string }[]
}
export type Booking = {
  readonly id: string
  readonly status: 'requested' | 'confirmed' | 'cancelled'
  readonly slot: Slot | null
  readonly timeZone: string
  readonly url: string
}

export type BookingService = {
  availability(query: {
    readonly from?: string
    readonly days?: number
    readonly timeZone?: string
  }): Promise<readonly Slot[]>
  book(request: {
    readonly buyer: Buyer
    readonly via: Via
    readonly start?: string
    readonly timeZone?: string
    readonly note?: string
  }): Promise<
    | { readonly kind: 'booked'; readonly booking: Booking; readonly replayed: boolean }
    | { readonly kind: 'dry_run' }
    | { readonly kind: 'slot_taken'; readonly alternatives: readonly Slot[] }
    | Invalid
  >
  requestCallback(request: {
    readonly buyer: Buyer
    readonly via: Via
    readonly note?: string
  }): Promise<
    | {
        readonly kind: 'requested'
        readonly id: string
        /** The company promises a reply by this time, in ISO 8601. */
        readonly replyBy: string
        readonly replayed: boolean
      }
    | { readonly kind: 'dry_run' }
    | Invalid
  >
}
