// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { QuestionTarget } from './messages.ts'

export type CaseStatus =
  | 'received'
  | 'queued'
  | 'in_review'
  | 'waiting_on_patient'
  | 'waiting_on_integration'
  | 'approved'
  | 'declined'
  | 'cancelled'
  | 'withdrawn'

export type AnswerType = 'string' | 'number' | 'boolean' | 'date'

/** A consult. */
export interface Case {
  id: string
  patient: string
  status: CaseStatus
  consent_ids: string[]
  requested_medications: RequestedMedication[]
  /** Intake answers, then answers to the clinician, in order. */
  answers: Answer[]
  /** The value when the case was filed. See status for whether it is still held. */
  hold: boolean
  files: string[]
  /** Set when the case is approved. */
  plan: PlanLine[] | null
  /** The open question, or null. */
  question: CaseQuestion | null
  /**
   * Why the case was declined, canceled or withdrawn. A decline's reason is safe to show the
   * patient.
   */
  reason: string | null
  prescription_ids: string[]
  order_ids: string[]
  created_at: string
  updated_at: string
}

/** One requested medication. */
export interface RequestedMedication {
  /** From GET /v1/medications. */
  medication_id: string
  /** 1 to the entry's max_quantity. */
  quantity: number
  refills: number
  days_supply: number
  directions: string
}

/** One intake answer. */
export interface Answer {
  /** Your ID for the question. An answer to a clinician has the question's msg_ ID. */
  id: string
  /** The question as the patient saw it. */
  question: string
  answer: string
  /** How to read answer, which is always a string. */
  type: AnswerType
}

/** One line of the clinician's plan. It may differ from what was requested. */
export interface PlanLine {
  /** From GET /v1/medications. */
  medication_id: string
  /** 1 to the entry's max_quantity. */
  quantity: number
  refills: number
  days_supply: number
  directions: string
  /** If false, the line is recorded but never filled: no prescription and no order. */
  dispensable: boolean
}

export interface CaseQuestion {
  message: string
  target: QuestionTarget
  body: string
  asked_at: string
}

export interface CaseCreateParams {
  patient: string
  /**
   * The patient's current telehealth and privacy consents. Optional in the schema only: a case
   * without both is refused with 422 `consent_required`. Default: `[]`.
   */
  consent_ids?: string[]
  /** No medication more than once. Omitted values come from the catalog. */
  requested_medications: RequestedMedicationParams[]
  /** Default: `[]`. */
  answers?: AnswerParams[]
  /** Default: `false`. */
  hold?: boolean
  /**
   * Attached files of this patient that aren't on a case yet. Must be empty in live mode. Default:
   * `[]`.
   */
  files?: string[]
}

export interface RequestedMedicationParams {
  /** From GET /v1/medications. */
  medication_id: string
  /** 1 to the entry's max_quantity. */
  quantity?: number
  /** Default: `0`. */
  refills?: number
  days_supply?: number
  directions?: string
}

export interface AnswerParams {
  /** Your ID for the question. An answer to a clinician has the question's msg_ ID. */
  id: string
  /** The question as the patient saw it. */
  question: string
  answer: string
  /** Default: `"string"`. */
  type?: AnswerType
}

export interface CaseListParams {
  /** Items per page. Default: `20`. */
  limit?: number
  /** The ID of the last item you received, even if that item has since been deleted. */
  starting_after?: string
  status?: CaseStatus
  patient?: string
  /** Only cases created after this time. */
  created_after?: string
}

export interface CaseCancelParams {
  reason?: string | null
}

export interface CaseWithdrawParams {
  reason?: string | null
}

export interface CaseAnswerParams {
  answers: AnswerToClinicianParams[]
}

export interface AnswerToClinicianParams {
  /** Your ID for the question. An answer to a clinician has the question's msg_ ID. */
  id?: string
  /** The question as the patient saw it. */
  question?: string
  answer: string
  /** Default: `"string"`. */
  type?: AnswerType
}

export interface CaseEventsParams {
  /** Items per page. Default: `20`. */
  limit?: number
  /** The ID of the last item you received, even if that item has since been deleted. */
  starting_after?: string
}
