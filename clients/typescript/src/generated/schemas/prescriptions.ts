// Generated from the contract by clients/generate/generate.ts; do not edit.

export type PrescriptionStatus = 'active' | 'filled' | 'cancelled' | 'expired' | (string & {})

/** One dispensable plan line of an approval. */
export interface Prescription {
  id: string
  case: string
  patient: string
  /** The order that it creates. */
  order: string
  status: PrescriptionStatus
  medication_id: string
  /** The catalog name when it was written. */
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
  /** The id of the last item you received. It works even after that item was deleted. */
  starting_after?: string
}
