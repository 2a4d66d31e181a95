// Encrypts text so that the database stores it but can't read it, with AES-256-GCM and a key that
// isn't in the database. Each text is bound to its purpose, so it doesn't decrypt if it's moved to
// another row. The first key in the list encrypts and every key decrypts, so a rotation puts a new
// key at the front of the list.

import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import { randomBytes } from './clock.ts'

export type Encryption = {
  /** Encrypts. `purpose` identifies the text and its owner; decrypting requires the same
   *  purpose. */
  encrypt(purpose: string, text: string): string
  /** Decrypts. Returns null if no key matches or the purpose differs. */
  open(purpose: string, encrypted: string): string | null
  /** The keys' names. The first key encrypts, and an encrypted text starts with its key's name. */
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

/** `secrets` are in order, newest first. */
export function createEncryption(secrets: readonly string[]): Encryption {
  const ring = secrets.map(keyOf)
  const [first] = ring
  if (!first) throw new Error('The list of encryption keys must not be empty.')
  return {
    keys: ring.map(key => key.name),
    encrypt(purpose, text) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', first.bytes, nonce)
      cipher.setAAD(Buffer.from(purpose))
      const encrypted = cipher.update(text, 'utf8')
      // In GCM, this returns no more bytes, but computes the tag.
      cipher.final()
      const bytes = Buffer.allocUnsafe(nonceBytes + encrypted.length + tagBytes)
      bytes.set(nonce)
      bytes.set(encrypted, nonceBytes)
      bytes.set(cipher.getAuthTag(), nonceBytes + encrypted.length)
      return `sealed.${first.name}.${bytes.toString('base64url')}`
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
