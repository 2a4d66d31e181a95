// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { State } from './visits.ts'

export type SexAtBirth = 'female' | 'male' | 'intersex' | 'unknown'

export type ConsentKind = 'telehealth' | 'privacy'

export type ConsentStatus = 'current' | 'superseded'

/** A person who receives care. */
export interface Patient {
  id: string
  /** Your own ID for the patient. Not unique. You can filter the list by it. */
  external_id: string | null
  /** `deleted` appears only in patient.deleted.v1 events. */
  status: 'active' | (string & {})
  first_name: string
  middle_name: string | null
  last_name: string
  /** `YYYY-MM-DD`. */
  date_of_birth: string
  sex_at_birth: SexAtBirth
  /** Not unique. */
  email: string
  /** E.164. */
  phone: string
  /** A US address. */
  address: Address
  created_at: string
  updated_at: string
}

/** A US address. */
export interface Address {
  line1: string
  line2: string | null
  city: string
  /** USPS code of one of the 50 states or DC. */
  state: State
  postal_code: string
  country: 'US' | (string & {})
}

export interface PatientCreateParams {
  first_name: string
  last_name: string
  /** `YYYY-MM-DD`. */
  date_of_birth: string
  sex_at_birth: SexAtBirth
  /** Not unique. */
  email: string
  /** E.164. */
  phone: string
  address: AddressParams
  middle_name?: string | null
  external_id?: string | null
}

export interface AddressParams {
  line1: string
  line2?: string | null
  city: string
  /** USPS code of one of the 50 states or DC. */
  state: State
  postal_code: string
  /** Default: `"US"`. */
  country?: 'US'
}

export interface PatientListParams {
  /** Items per page. Default: `20`. */
  limit?: number
  /** The ID of the last item you received, even if that item has since been deleted. */
  starting_after?: string
  /** Exact match. */
  external_id?: string
}

export interface PatientUpdateParams {
  first_name?: string
  last_name?: string
  /** `YYYY-MM-DD`. */
  date_of_birth?: string
  sex_at_birth?: SexAtBirth
  /** Not unique. */
  email?: string
  /** E.164. */
  phone?: string
  address?: AddressParams
  middle_name?: string | null
  /** Your own ID for the patient. Not unique. You can filter the list by it. */
  external_id?: string | null
}

/** The response to every DELETE. */
export interface Deleted {
  /** The ID in the path. */
  id: string
  deleted: true
}

/** A patient's consent to one document. */
export interface Consent {
  id: string
  patient: string
  kind: ConsentKind
  /** The document version the patient saw. */
  version: string
  /**
   * The patient's newest consent of each kind is current. If a version is in force, only a consent
   * to that version is.
   */
  status: ConsentStatus
  /** When the patient agreed. */
  accepted_at: string
  created_at: string
  /**
   * The version of this kind's document that a case needs now: the one you last published in your
   * sandbox. null if you have published none, and in live mode.
   */
  version_in_force: string | null
}

export interface ConsentRecordParams {
  kind: ConsentKind
  /** The document version the patient saw. */
  version: string
  accepted_at?: string
}

export interface ConsentListParams {
  /** Items per page. Default: `20`. */
  limit?: number
  /** The ID of the last item you received, even if that item has since been deleted. */
  starting_after?: string
}
