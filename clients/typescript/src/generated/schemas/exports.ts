// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { Case } from './cases.ts'
import type { Mode } from './events.ts'
import type { File, FileMime } from './files.ts'
import type { Order } from './orders.ts'
import type { Consent, Patient } from './patients.ts'
import type { Prescription } from './prescriptions.ts'

export type ExportStatus = 'pending' | 'completed' | 'failed'

/** An export job. */
export interface Export {
  id: string
  status: ExportStatus
  /** Where to download the bundle, with a credential. null until the export is completed. */
  url: string | null
  /** 24 hours after completion. null until the export is completed. */
  expires_at: string | null
}

/** The downloaded export file. */
export interface ExportBundle {
  export: string
  organization: string
  mode: Mode
  /** The data in the bundle is as of this time. */
  created_at: string
  /** A person who receives care. */
  patient: Patient
  /** Ascending by ID, like every list below. */
  cases: Case[]
  consents: Consent[]
  /** Attached files only. */
  files: File[]
  prescriptions: Prescription[]
  orders: Order[]
  /** One entry per file, with where to download its bytes. */
  documents: ExportBundleDocument[]
}

export interface ExportBundleDocument {
  file: string
  filename: string
  mime: FileMime
  /** null in the sandbox, which stores no bytes. */
  url: string | null
  /** null in the sandbox, which stores no bytes. */
  expires_at: string | null
}
