// Generated from the contract by clients/generate/generate.ts; do not edit.

export type PrescriptionStatus = 'active' | 'filled' | 'cancelled' | 'expired'

/** A dispensable line of an approved case's plan. */
export interface Prescription {
  id: string
  case: string
  patient: string
  /** The order for this prescription. */
  order: string
  status: PrescriptionStatus
  medication_id: string
  /** The catalog name at the time of prescribing. */
  name: string
  form: string
  strength: string
  quantity: number
  refills: number
  days_supply: number
  directions: string
  prescriber_name: string
  /** One year after created_at. */
  expires_at: string
  created_at: string
  updated_at: string
}

export interface PrescriptionListParams {
  /** Items per page. Default: `20`. */
  limit?: number
  /** The ID of the last item you received, even if that item has since been deleted. */
  starting_after?: string
}
