// Services for endpoint operations: URL checks, and new secrets, which the database stores
// encrypted.

import type { Encryption } from '#database/encryption.ts'
import { secretPurpose } from '../pipeline/encrypted-members.ts'
import type { AddressRule } from '#http/outgoing/addresses.ts'
import type { Webhooks } from '../services.ts'
import { vetUrl } from './addresses.ts'
import { inTime } from './resolve-in-time.ts'
import { newSecret } from './secret.ts'

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
