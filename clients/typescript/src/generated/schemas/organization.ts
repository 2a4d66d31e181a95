// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { Mode } from './events.ts'

export type Scope =
  | 'organization:read'
  | 'patients:read'
  | 'patients:write'
  | 'cases:read'
  | 'cases:write'
  | 'events:read'
  | 'webhooks:manage'
  | 'realtime:subscribe'
  | 'test:manage'
  | 'billing:read'
  | 'visits:read'
  | 'visits:write'

export type MedicationCategory =
  | 'weight_management'
  | 'sexual_health'
  | 'hair_loss'
  | 'dermatology'
  | 'contraception'
  | 'menopause'
  | 'mental_health'
  | 'sleep'
  | 'primary_care'
  | 'acute_care'

/** A clinic your integration acts for. Never send real patient information to test mode. */
export interface Organization {
  id: string
  name: string
  slug: string
  kind: 'DIRECT' | (string & {})
  status: 'active' | (string & {})
  mode: Mode
  /** The credential's scopes that the organization granted. */
  scopes: Scope[]
}

/** A catalog entry. */
export interface Medication {
  medication_id: string
  /** The generic name. */
  name: string
  form: string
  strength: string
  category: MedicationCategory | (string & {})
  /** The unit that quantities are counted in. */
  unit: string
  default_quantity: number
  /** Larger quantities are refused. */
  max_quantity: number
  default_days_supply: number
  default_directions: string
  /** If false, the medication can be on a plan but is never filled. */
  dispensable: boolean
  /** Always false. The catalog has no controlled substances. */
  controlled: boolean
}

export interface MedicationListParams {
  /** Items per page. Default: `20`. */
  limit?: number
  /** The ID of the last item you received, even if that item has since been deleted. */
  starting_after?: string
}
