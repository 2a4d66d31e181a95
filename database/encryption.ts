// Texts that the database keeps but must not be able to read: sealed by AES-256-GCM under a key
// that is not in it, and bound to what they are, so that one moved elsewhere does not open. The
// first key of the ring seals and all open, so that a key is replaced by putting another before it.

import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import { randomBytes } from './clock.ts'

export type Encryption = {
  /** `purpose` says what the text is and whose; the same must be said to open it. */
  encrypt(purpose: string, text: string): string
  /** Null when no key of the ring opens it, or it is not what it is said to be. */
  open(purpose: string, encrypted: string): string | null
  /** The names of the ring's keys, the first of which seals; a sealed text bears its key's. */
  readonly keys: readonly string[]
}

const nonceBytes = 12
const tagBytes = 16
const form = /^sealed\.([0-9a-f]{8})\.([A-Za-z0-9_-]{38,})$/

type Key = { name: string; bytes: Uint8Array }

const keyOf = (secret: string): Key => {
  const bytes = new Uint8Array(hkdfSync('sha256', secret, '', 'seal', 32))
  return {
    name: new Bun.CryptoHasher('sha256', bytes).update('name').digest('hex').slice(0, 8),
    bytes,
  }
}

/** A ring of secrets, the newest first. */
export function createEncryption(secrets: readonly string[]): Encryption {
  const ring = secrets.map(keyOf)
  const [first] = ring
  if (!first) throw new Error('a ring without a key seals nothing')
  return {
    keys: ring.map(key => key.name),
    encrypt(purpose, text) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', first.bytes, nonce)
      cipher.setAAD(Buffer.from(purpose))
      const parts = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
      return `sealed.${first.name}.${Buffer.concat(parts).toString('base64url')}`
    },
    open(purpose, encrypted) {
      const found = form.exec(encrypted)
      const key = ring.find(one => one.name === found?.[1])
      if (!found || !key) return null
      const bytes = Buffer.from(found[2] ?? '', 'base64url')
      const nonce = bytes.subarray(0, nonceBytes)
      const cipher = createDecipheriv('aes-256-gcm', key.bytes, nonce, { authTagLength: tagBytes })
      cipher.setAAD(Buffer.from(purpose))
      cipher.setAuthTag(bytes.subarray(-tagBytes))
      const opened = cipher.update(bytes.subarray(nonceBytes, -tagBytes))
      try {
        return Buffer.concat([opened, cipher.final()]).toString('utf8')
      } catch {
        return null
      }
    },
  }
}
