// Addresses that are their own credential. What one names is sealed inside it: it can be neither
// read nor made nor changed without the key, and is refused before anything is looked up.

import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto'
import type { Mode } from '#contract/operation.ts'

/** One upload, one document of one bundle, or one patient's way to one visit, of a tenant. */
export type Named = { mode: Mode; tenant: string } & (
  | { kind: 'upload'; object: string }
  | { kind: 'document'; file: string; bundle: string }
  /** Good before `expires`, milliseconds since 1970. */
  | { kind: 'join'; visit: string; patient: string; expires: number }
)

export type Tokens = {
  encrypt(named: Named): string
  /** Null for anything that we did not seal. */
  open(token: string): Named | null
}

const nonceLength = 12
const tagLength = 16
const form = /^[A-Za-z0-9_-]{38,400}$/

export function openTokens(secret: string): Tokens {
  const keyFor = (use: string) => Buffer.from(hkdfSync('sha256', secret, '', use, 32))
  const [encrypting, naming] = [keyFor('sealed addresses'), keyFor('their nonces')]
  return {
    // The nonce is made from what is sealed, so the same address is the same text each time, and
    // no nonce meets two texts (the way of RFC 5297).
    encrypt(named) {
      const text = Buffer.from(JSON.stringify(named))
      const nonce = createHmac('sha256', naming).update(text).digest().subarray(0, nonceLength)
      const cipher = createCipheriv('aes-256-gcm', encrypting, nonce)
      const encrypted = Buffer.concat([cipher.update(text), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')
    },
    open(token) {
      if (!form.test(token)) return null
      const bytes = Buffer.from(token, 'base64url')
      // Bytes can be spelled in more ways than one; ours is the one.
      if (bytes.toString('base64url') !== token) return null
      const cipher = createDecipheriv('aes-256-gcm', encrypting, bytes.subarray(0, nonceLength))
      cipher.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength))
      const text = cipher.update(bytes.subarray(nonceLength + tagLength))
      try {
        return JSON.parse(Buffer.concat([text, cipher.final()]).toString()) as Named
      } catch {
        return null
      }
    },
  }
}
