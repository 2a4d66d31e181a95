// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { Address } from './patients.ts'

export type OrderStatus = 'created' | 'at_pharmacy' | 'shipped' | 'delivered' | 'blocked' | 'failed'

export type TrackingCarrier = 'usps' | 'ups' | 'fedex' | 'dhl' | 'other'

/** The pharmacy's work on one prescription. */
export interface Order {
  id: string
  case: string
  patient: string
  prescription: string
  status: OrderStatus
  medication_id: string
  /** Units dispensed. */
  quantity: number
  /** A US address. */
  ship_to: Address
  tracking: Tracking | null
  /** Why the order is blocked, or in live mode why it failed. */
  reason: string | null
  shipped_at: string | null
  delivered_at: string | null
  created_at: string
  updated_at: string
}

/** The carrier and tracking number of a package. */
export interface Tracking {
  carrier: TrackingCarrier
  number: string
  url: string | null
}

export interface OrderListParams {
  /** Items per page. Default: `20`. */
  limit?: number
  /** The ID of the last item you received, even if that item has since been deleted. */
  starting_after?: string
}
