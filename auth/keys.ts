// API keys: svc_sk_<mode>_, 43 base62 characters of randomness (256 bits) and a six-character
// CRC-32 of everything before them, so that a mistyped or invented key is refused without a query.

import type { Mode } from '#contract/operation.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const form = /^svc_sk_(test|live)_[0-9A-Za-z]{49}$/

const base62 = (value: bigint, length: number) => {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) {
    text = alphabet.charAt(Number(rest % 62n)) + text
  }
  return text
}

/** The CRC in base62, computed without BigInt, which is slower. */
function checksum(text: string): string {
  let [rest, written] = [Bun.hash.crc32(text), '']
  for (let place = 0; place < 6; place++) {
    written = alphabet.charAt(rest % 62) + written
    rest = Math.floor(rest / 62)
  }
  return written
}

/** A new key from 32 random bytes. It is shown once and stored only as its HMAC. */
export function mintKey(mode: Mode, random: Uint8Array): string {
  const value = random.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  const body = `svc_sk_${mode}_${base62(value, 43)}`
  return body + checksum(body)
}

/** The mode of a well-formed key, or null for anything else. */
export function modeOfKey(key: string): Mode | null {
  const found = form.exec(key)
  if (!found || checksum(key.slice(0, -6)) !== key.slice(-6)) return null
  return found[1] === 'live' ? 'live' : 'test'
}

/** What the database stores instead of the key: its HMAC-SHA-256 with a pepper that is not in the
 *  database. */
export const hashKey = (pepper: string, key: string): Uint8Array =>
  new Bun.CryptoHasher('sha256', pepper).update(key).digest()
