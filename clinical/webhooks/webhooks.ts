// What the operations on endpoints ask for that is neither in the request nor in the database:
// where an address leads, and a secret that the database keeps without being able to read it.

import type { Mode } from '#contract/operation.ts'
import type { Principal } from '#auth/principal.ts'
import type { Encryption } from '#database/encryption.ts'
import { secretPurpose } from '../pipeline/encrypted-members.ts'
import { type AddressRule, vetUrl } from './delivery/addresses.ts'
import { inTime } from './resolve-in-time.ts'
import { newSecret } from './secret.ts'

export type Webhooks = {
  readonly encryption: Encryption
  /** What is wrong with an address, in one sentence; null when it may be called. */
  vetUrl(url: string, mode: Mode): Promise<string | null>
  /** A new secret of this integration's, sealed. */
  secretOf(owner: Principal): string
}

export const openWebhooks = (
  encryption: Encryption,
  rule: AddressRule,
  bytes: (count: number) => Uint8Array,
): Webhooks => {
  const patient = { ...rule, resolve: inTime(rule.resolve) }
  return {
    encryption,
    vetUrl: (url, mode) => vetUrl(url, mode, patient),
    secretOf: owner => encryption.encrypt(secretPurpose(owner), newSecret(bytes)),
  }
}
