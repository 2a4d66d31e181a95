import { createCipheriv, createDecipheriv } from 'node:crypto'

// Stored requests can't be read from the table: the key and content are stored as HMACs, and the
// response is encrypted with a key derived from the server's secret and the request itself. So a
// response may contain personal data that the row doesn't reveal.

const nonceBytes = 12
const tagBytes = 16

/** A keyed hash of the texts; `use` separates the purposes. */
export function hmacOf(secret: string, use: string, ...texts: readonly string[]): Buffer {
  // Each text is prefixed with its length, so different lists never join to the same input.
  const prefixed = [use, ...texts].map(text => `${Buffer.byteLength(text)}:${text}`)
  return new Bun.CryptoHasher('sha256', secret).update(prefixed.join('')).digest()
}

export function encryption(
  key: Uint8Array,
  name: Uint8Array,
  nonce: Uint8Array,
  text: string,
): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(name)
  const inner = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, inner, cipher.getAuthTag()])
}

/** Throws if the text wasn't encrypted with this key for the row of this name. */
export function decrypt(key: Uint8Array, name: Uint8Array, encrypted: Uint8Array): string {
  const nonce = encrypted.subarray(0, nonceBytes)
  const cipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(name)
  cipher.setAuthTag(encrypted.subarray(-tagBytes))
  const inner = encrypted.subarray(nonceBytes, -tagBytes)
  return Buffer.concat([cipher.update(inner), cipher.final()]).toString('utf8')
}
