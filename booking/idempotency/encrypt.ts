import { createCipheriv, createDecipheriv } from 'node:crypto'

// What is kept of a call cannot be read from the table. Its name and its body go in as marks, and
// its answer under a key that only the house and whoever sends that very call again have together.
// So an answer may hold a person's details, and the row does not.

const nonceBytes = 12
const tagBytes = 16

/** 32 bytes that only this house can make of the texts, told apart by what they are for. */
export function markOf(secret: string, use: string, ...texts: readonly string[]): Buffer {
  // Each with its length, so that no two lists of texts run together.
  const told = [use, ...texts].map(text => `${Buffer.byteLength(text)}:${text}`)
  return new Bun.CryptoHasher('sha256', secret).update(told.join('')).digest()
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

/** Throws when the row is not the one that was sealed. */
export function decrypt(key: Uint8Array, name: Uint8Array, encrypted: Uint8Array): string {
  const nonce = encrypted.subarray(0, nonceBytes)
  const cipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(name)
  cipher.setAuthTag(encrypted.subarray(-tagBytes))
  const inner = encrypted.subarray(nonceBytes, -tagBytes)
  return Buffer.concat([cipher.update(inner), cipher.final()]).toString('utf8')
}
