// The secrets that are shown once: API keys, access tokens, refresh tokens and client secrets. Each
// is a prefix, 43 base62 characters of randomness (256 bits) and a six-character CRC-32 of
// everything before it, so a mistyped or made-up secret is refused without a query, and a secret
// scanner recognizes a real secret.

import { base62Digits } from '#contract/ids.ts'
import type { Mode } from '#contract/operation.ts'

/** A key or access token, with its mode, or a refresh token or client secret. */
const form = /^svc_(?:(?:sk|at)_(test|live)|rt|cs)_[0-9A-Za-z]{49}$/

/** The most base62 digits that a number represents exactly. Dividing a BigInt is slow, so this
 *  keeps divisions few. */
const digitsAtOnce = 8
const base62Once = 62n ** BigInt(digitsAtOnce)

function base62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= base62Once) {
    let part = Number(rest % base62Once)
    for (let at = 0; at < digitsAtOnce && text.length < length; at++) {
      text = base62Digits.charAt(part % 62) + text
      part = Math.floor(part / 62)
    }
  }
  return text
}

/** The CRC in base62, computed without BigInt, which is slower. */
function checksum(text: string): string {
  let [rest, written] = [Bun.hash.crc32(text), '']
  for (let place = 0; place < 6; place++) {
    written = base62Digits.charAt(rest % 62) + written
    rest = Math.floor(rest / 62)
  }
  return written
}

/** A new secret from 32 random bytes, shown once and stored only as its HMAC. */
function mint(prefix: string, random: Uint8Array): string {
  if (random.length !== 32) throw new Error('a secret must have 32 random bytes')
  const value = BigInt(`0x${random.toHex()}`)
  const body = `${prefix}_${base62(value, 43)}`
  return body + checksum(body)
}

export const mintKey = (mode: Mode, random: Uint8Array) => mint(`svc_sk_${mode}`, random)
export const mintAccessToken = (mode: Mode, random: Uint8Array) => mint(`svc_at_${mode}`, random)
export const mintRefreshToken = (random: Uint8Array) => mint('svc_rt', random)
export const mintClientSecret = (random: Uint8Array) => mint('svc_cs', random)

const isIntact = (text: string) => checksum(text.slice(0, -6)) === text.slice(-6)

/** The mode of a well-formed key or access token, or null for anything else. */
export function modeOf(token: string | null): Mode | null {
  if (token === null) return null
  const mode = form.exec(token)?.[1]
  if (mode === undefined || !isIntact(token)) return null
  return mode === 'live' ? 'live' : 'test'
}

const isOf = (prefix: string) => (text: string) =>
  text.startsWith(prefix) && form.test(text) && isIntact(text)

/** The keys in a text, without duplicates. A report may contain other text around the keys. */
export const keysIn = (text: string): string[] => [
  ...new Set(
    (text.match(/svc_sk_(?:test|live)_[0-9A-Za-z]{49}/g) ?? []).filter(key => isIntact(key)),
  ),
]

export const isRefreshToken = isOf('svc_rt_')
export const isClientSecret = isOf('svc_cs_')

/** The stored form of the secret: its HMAC-SHA-256 with a pepper that isn't in the database. */
export const hashToken = (pepper: string, token: string): Uint8Array =>
  new Bun.CryptoHasher('sha256', pepper).update(token).digest()
