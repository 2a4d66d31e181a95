// Links that are their own credential. The payload is encrypted and authenticated, so a link can't
// be read, forged or changed without the key, and an invalid link is refused without a query.

import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto'
import type { Mode } from '#contract/operation.ts'
import type { ExportTable } from '#contract/preview/table-exports.ts'

/** A tenant's upload, a bundle's document, or a visit that a patient or its clinician may join. */
export type TokenPayload = { mode: Mode; tenant: string } & (
  | { kind: 'upload'; object: string }
  | { kind: 'document'; file: string; bundle: string }
  /** One table's file in an export; valid before `expires`, like `join`. */
  | { kind: 'table'; export: string; table: ExportTable; expires: number }
  /** Valid before `expires`, milliseconds since 1970. */
  | { kind: 'join'; visit: string; patient: string; expires: number; seat?: 'clinician' }
  /** For the page of a browser that has entered; valid until the visit can no longer be joined. */
  | { kind: 'room'; visit: string; patient: string; expires: number; seat: Seat; browser: string }
)

/** The person in each seat of a visit's video room. */
export type Seat = 'patient' | 'clinician'

export type Tokens = {
  encrypt(named: TokenPayload): string
  /** Returns null for any token that wasn't encrypted with one of these secrets. */
  open(token: string): TokenPayload | null
}

const nonceLength = 12
const tagLength = 16
const form = /^[A-Za-z0-9_-]{38,400}$/

/** The first secret encrypts; every one of them decrypts. */
export function openTokens(...secrets: [string, ...string[]]): Tokens {
  const [newest, ...older] = secrets
  const [tokens, olderTokens] = [tokensOf(newest), older.map(tokensOf)]
  return {
    encrypt: tokens.encrypt,
    open(token) {
      let opened = tokens.open(token)
      for (const one of olderTokens) opened ??= one.open(token)
      return opened
    },
  }
}

function tokensOf(secret: string): Tokens {
  const keyFor = (use: string) => Buffer.from(hkdfSync('sha256', secret, '', use, 32))
  const [encrypting, naming] = [keyFor('sealed addresses'), keyFor('their nonces')]
  return {
    // The nonce is derived from the payload, so equal payloads produce equal tokens, and no nonce
    // is used for two payloads (the principle of RFC 5297).
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
      // Base64 has several spellings of the same bytes; only the canonical spelling is accepted.
      if (bytes.toString('base64url') !== token) return null
      const cipher = createDecipheriv('aes-256-gcm', encrypting, bytes.subarray(0, nonceLength))
      cipher.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength))
      const text = cipher.update(bytes.subarray(nonceLength + tagLength))
      try {
        return JSON.parse(Buffer.concat([text, cipher.final()]).toString()) as TokenPayload
      } catch {
        return null
      }
    },
  }
}
