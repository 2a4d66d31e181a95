// Generated from the contract by clients/generate/generate.ts; do not edit.

export type State =
  | 'AL'
  | 'AK'
  | 'AZ'
  | 'AR'
  | 'CA'
  | 'CO'
  | 'CT'
  | 'DE'
  | 'DC'
  | 'FL'
  | 'GA'
  | 'HI'
  | 'ID'
  | 'IL'
  | 'IN'
  | 'IA'
  | 'KS'
  | 'KY'
  | 'LA'
  | 'ME'
  | 'MD'
  | 'MA'
  | 'MI'
  | 'MN'
  | 'MS'
  | 'MO'
  | 'MT'
  | 'NE'
  | 'NV'
  | 'NH'
  | 'NJ'
  | 'NM'
  | 'NY'
  | 'NC'
  | 'ND'
  | 'OH'
  | 'OK'
  | 'OR'
  | 'PA'
  | 'RI'
  | 'SC'
  | 'SD'
  | 'TN'
  | 'TX'
  | 'UT'
  | 'VT'
  | 'VA'
  | 'WA'
  | 'WV'
  | 'WI'
  | 'WY'

export type VisitStatus = 'scheduled' | 'started' | 'completed' | 'cancelled' | 'no_show'

export interface Slot {
  /** For pagination only. To book the slot, send starts_at. */
  id: string
  state: State
  /** IANA time zone of the state. If a state has two, the one where most of its people live. */
  time_zone: string
  /** Send this to book the slot. */
  starts_at: string
  ends_at: string
}

export interface VisitSlotsParams {
  /** Items per page. Default: `20`. */
  limit?: number
  /** The ID of the last item you received, even if that item has since been deleted. */
  starting_after?: string
  /** USPS code: the patient's state. */
  state: State
  /** Inclusive. The default, and the earliest, is the time of the request. */
  from?: string
  /** Exclusive, after from. Default: 14 days after from. */
  to?: string
}

/** A live video consult with a licensed clinician. */
export interface Visit {
  /** Stays the same when the visit is rescheduled. */
  id: string
  patient: string
  /** The case the visit belongs to, if any. */
  case: string | null
  status: VisitStatus
  /** The patient's state when the visit was booked. */
  state: State
  /** IANA time zone of the state. If a state has two, the one where most of its people live. */
  time_zone: string
  starts_at: string
  ends_at: string
  /** The clinician for the visit. null until one is assigned. */
  clinician_name: string | null
  /** One hour before starts_at. */
  join_opens_at: string
  started_at: string | null
  /** When the visit was completed, canceled or marked as a no-show. */
  ended_at: string | null
  created_at: string
  updated_at: string
}

export interface VisitBookParams {
  patient: string
  /** The start of a slot in the patient's state, in any UTC offset. */
  starts_at: string
  /** One of this patient's cases. */
  case?: string | null
}

export interface VisitRescheduleParams {
  /** The start of another slot in the visit's state. */
  starts_at: string
}

/** A link to the patient's waiting room, created on request and not stored. */
export interface JoinLink {
  visit: string
  /** The patient the link is for. */
  patient: string
  /** Open this in the patient's browser. */
  url: string
  /** 15 minutes after the response. */
  expires_at: string
}
