// Generated from the contract by clients/generate/generate.ts; do not edit.

export type FileMime = 'application/pdf' | 'image/jpeg' | 'image/png' | 'image/heic' | (string & {})

export type FileStatus = 'reserved' | 'attached' | (string & {})

/** A document of a patient, reserved or filed. */
export interface File {
  id: string
  patient: string
  /** The case it is attached to. */
  case: string | null
  /** null only while reserved. */
  kind: string | null
  /** null only while reserved. */
  filename: string | null
  mime: FileMime
  /** As storage measured it; null until something is uploaded. */
  size_bytes: number | null
  status: FileStatus
  attached_at: string | null
  created_at: string
}

/** Where and how the bytes of a file are sent. */
export interface FileUpload {
  id: string
  patient: string
  /** The case it is attached to. */
  case: string | null
  /**
   * What it shows, in a word of your choice, such as photo_id, selfie, clinical_photo, lab_result,
   * insurance_card, prior_prescription or other.
   */
  kind: string | null
  /** Without a folder, a control character or a change of writing direction. */
  filename: string | null
  mime: FileMime
  status: 'reserved'
  upload_method: 'PUT'
  /** Signed. It needs no credential, so keep it as secret as one. */
  upload_url: string
  /** Every entry must be sent, or storage refuses the upload. */
  upload_headers: Record<string, string>
  max_bytes: 26214400
  /** When the reservation ends, unless it is confirmed. */
  expires_at: string
  created_at: string
}

export interface FileCreateParams {
  patient: string
  mime: FileMime
  /**
   * What it shows, in a word of your choice, such as photo_id, selfie, clinical_photo, lab_result,
   * insurance_card, prior_prescription or other.
   */
  kind?: string | null
  /** Without a folder, a control character or a change of writing direction. */
  filename?: string | null
  /** A case of this patient that is not canceled or withdrawn. */
  case?: string | null
  /** If present, no other size is accepted. */
  size_bytes?: number
}

export interface FileConfirmParams {
  /** The patient of the reservation. */
  patient: string
  /**
   * What it shows, in a word of your choice, such as photo_id, selfie, clinical_photo, lab_result,
   * insurance_card, prior_prescription or other.
   */
  kind: string
  /** Without a folder, a control character or a change of writing direction. */
  filename: string
}
