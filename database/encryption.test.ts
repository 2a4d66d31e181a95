import { describe, expect, test } from 'bun:test'
import { createEncryption } from './encryption.ts'

const old = 'the key of last year, which is long enough'
const fresh = 'the key of this year, which is long enough'
const encrypt = createEncryption([fresh])

describe('encrypted text', () => {
  test('decrypts to the same text', () => {
    for (const text of ['', 'whsec_x', 'é\u0000🧪"\\', 'a'.repeat(100_000)]) {
      expect(encrypt.open('a secret', encrypt.encrypt('a secret', text))).toBe(text)
    }
  })

  // Encrypted by an earlier version. Stored data must stay readable.
  test('decrypts text from earlier versions', () => {
    const stored = 'sealed.97b1aa0b.55IhvAp113AQrvjteUZoBhHBVgMVCB5oBVlpLAVWX96Qt3AYJ_l2lBM'
    expect(encrypt.open('a secret of Ada', stored)).toBe('whsec_kestrel')
    expect(encrypt.keys).toEqual([stored.split('.')[1] ?? ''])
  })

  test('reveals nothing about the text, and is different each time', () => {
    const all = Array.from({ length: 50 }, () => encrypt.encrypt('a secret', 'whsec_kestrel'))
    expect(new Set(all).size).toBe(50)
    for (const one of all) expect(Buffer.from(one, 'base64url').toString()).not.toContain('kestrel')
  })

  test('does not decrypt for another purpose or with another key', () => {
    const encrypted = encrypt.encrypt('a secret of Ada', 'text')
    expect(encrypt.open('a secret of Ben', encrypted)).toBeNull()
    expect(createEncryption([old]).open('a secret of Ada', encrypted)).toBeNull()
  })

  test('does not decrypt if any character was changed', () => {
    const encrypted = encrypt.encrypt('a secret', 'text')
    for (let at = 0; at < encrypted.length; at++) {
      const other = encrypted[at] === 'A' ? 'B' : 'A'
      const changed = encrypted.slice(0, at) + other + encrypted.slice(at + 1)
      // The last base64 character may have unused bits.
      if (
        at === encrypted.length - 1 &&
        Buffer.from(changed, 'base64url').equals(Buffer.from(encrypted, 'base64url'))
      )
        continue
      expect([at, encrypt.open('a secret', changed)]).toEqual([at, null])
    }
  })

  test('a text that is not encrypted does not decrypt', () => {
    for (const text of [
      '',
      'sealed.',
      'sealed.00000000.AAAA',
      'whsec_x',
      `${encrypt.encrypt('p', 't')} `,
    ]) {
      expect(encrypt.open('p', text)).toBeNull()
    }
  })
})

describe('encryption keys', () => {
  test('all decrypt, and the first encrypts', () => {
    const before = createEncryption([old]).encrypt('p', 'text')
    const ring = createEncryption([fresh, old])
    expect(ring.open('p', before)).toBe('text')
    const after = ring.encrypt('p', 'text')
    expect(after.split('.')[1]).toBe(ring.keys[0])
    expect(encrypt.open('p', after)).toBe('text')
  })

  test('must not be empty', () => {
    expect(() => createEncryption([])).toThrow('must not be empty')
  })
})
