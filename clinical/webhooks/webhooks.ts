// Dependencies of the operations on endpoints: the check of a URL, and new secrets, which the
// database stores encrypted.

import type { Mode } from '#contract/operation.ts'
import type { Principal } from '#auth/principal.ts'
import type { Encryption } from '#database/encryption.ts'
import { secretPurpose } from '../pipeline/encrypted-members.ts'
import type { AddressRule } from '#http/outgoing/addresses.ts'
import { vetUrl } from './delivery/addresses.ts'
import { inTime } from './resolve-in-time.ts'
import { newSecret } from './secret.ts'

export type Webhooks = {
  readonly encryption: Encryption
  /** Why a URL must not be called, in one sentence; null when it may be called. */
  vetUrl(url: string, mode: Mode): Promise<string | null>
  /** A new, encrypted secret for this integration. */
  secretOf(owner: Principal): string
}

export const openWebhooks = (
  encryption: Encryption,
  rule: AddressRule,
  bytes: (count: number) => Uint8Array,
): Webhooks => {
  const ruleInTime = { ...rule, resolve: inTime(rule.resolve) }
  return {
    encryption,
    vetUrl: (url, mode) => vetUrl(url, mode, ruleInTime),
    secretOf: owner => encryption.encrypt(secretPurpose(owner), newSecret(bytes)),
  }
}
