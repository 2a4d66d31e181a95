// Generated from the contract by clients/generate/generate.ts; do not edit.

export type FileMime = 'application/pdf' | 'image/jpeg' | 'image/png' | 'image/heic'

export type FileStatus = 'reserved' | 'attached'

/** A patient's document, reserved or attached. */
export interface File {
  id: string
  patient: string
  /** The case the file is attached to. */
  case: string | null
  /** null only while the file is reserved. */
  kind: string | null
  /** null only while the file is reserved. */
  filename: string | null
  mime: FileMime
  /** The size storage measured. null until something is uploaded. */
  size_bytes: number | null
  status: FileStatus
  attached_at: string | null
  created_at: string
}

/** Where and how to upload a file's bytes. */
export interface FileUpload {
  id: string
  patient: string
  /** The case the file is attached to. */
  case: string | null
  /**
   * A label of your choice for the content, such as photo_id, selfie, clinical_photo, lab_result,
   * insurance_card, prior_prescription or other.
   */
  kind: string | null
  /** Must not contain folders, control characters or text-direction characters. */
  filename: string | null
  mime: FileMime
  status: 'reserved'
  upload_method: 'PUT'
  /** A signed URL that needs no credential. Keep it as secret as one. */
  upload_url: string
  /** Send every entry, or storage refuses the upload. */
  upload_headers: Record<string, string>
  max_bytes: 26214400
  /** When the reservation expires unless you confirm it. */
  expires_at: string
  created_at: string
}

export interface FileCreateParams {
  patient: string
  mime: FileMime
  /**
   * A label of your choice for the content, such as photo_id, selfie, clinical_photo, lab_result,
   * insurance_card, prior_prescription or other.
   */
  kind?: string | null
  /** Must not contain folders, control characters or text-direction characters. */
  filename?: string | null
  /** One of this patient's cases, not canceled or withdrawn. */
  case?: string | null
  /** If set, no other size is accepted. */
  size_bytes?: number
}

export interface FileConfirmParams {
  /** The patient the reservation is for. */
  patient: string
  /**
   * A label of your choice for the content, such as photo_id, selfie, clinical_photo, lab_result,
   * insurance_card, prior_prescription or other.
   */
  kind: string
  /** Must not contain folders, control characters or text-direction characters. */
  filename: string
}
