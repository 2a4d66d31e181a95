// An attempt's dependencies and its possible results.

import type { Mode } from '#contract/operation.ts'
import type { Encryption } from '#database/encryption.ts'
import type { Fields } from '../../jobs/job.ts'
import { secretPurpose } from '../../pipeline/encrypted-members.ts'
import type { Recorder } from './batch-recorder.ts'
import type { ClaimedDelivery } from './claim.ts'
import { notConnected, type Outcome, type Receivers } from './post.ts'

export type Sender = {
  encryption: Encryption
  /** Decrypts, with a cache. */
  open: Encryption['open']
  record: Recorder
  receivers: Receivers
  note(event: string, fields: Fields): void
}

export type Result = Omit<Outcome, 'error'> & {
  signature: string | null
  error: Outcome['error'] | 'endpoint_deleted' | 'not_granted' | 'rejected'
}

export const nothingSent = (error: Result['error']): Result => ({
  ...notConnected,
  signature: null,
  status: null,
  milliseconds: 0,
  headers: null,
  answer: null,
  error,
})

export function openSecret(
  sender: Pick<Sender, 'open'>,
  mode: Mode,
  { integration, webhook_endpoint }: ClaimedDelivery,
  encrypted: string,
): string {
  const secret = sender.open(secretPurpose({ mode, integration }), encrypted)
  if (secret === null) throw new Error(`no key decrypts the secret of ${webhook_endpoint}`)
  return secret
}
