import { describe, expect, test } from 'bun:test'
import { randomBytes } from '#database/clock.ts'
import { modes } from '#contract/operation.ts'
import { hashKey, mintKey, modeOfKey } from './keys.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

describe('an API key', () => {
  test('has 61 characters: its prefix, 43 of randomness and six of checksum', () => {
    for (const mode of modes) {
      const key = mintKey(mode, randomBytes(32))
      expect(key).toMatch(new RegExp(`^svc_sk_${mode}_[0-9A-Za-z]{49}$`))
      expect(key).toHaveLength(61)
      expect(modeOfKey(key)).toBe(mode)
    }
  })

  test('encodes all 256 bits: the smallest and the greatest number have the same length', () => {
    const smallest = mintKey('test', new Uint8Array(32))
    const greatest = mintKey('test', new Uint8Array(32).fill(255))
    expect(smallest.slice(12, 55)).toBe('0'.repeat(43))
    expect(greatest).toHaveLength(61)
    expect(modeOfKey(greatest)).toBe('test')
    expect(new Set(Array.from({ length: 500 }, () => mintKey('test', randomBytes(32)))).size).toBe(
      500,
    )
  })

  test('is a fixed text for fixed bytes, so that secret scanners can verify the format', () => {
    const key = mintKey(
      'test',
      Uint8Array.from({ length: 32 }, (_, at) => at),
    )
    const body = key.slice(0, 55)
    let value = 0n
    for (const letter of body.slice(12)) value = value * 62n + BigInt(alphabet.indexOf(letter))
    expect(value.toString(16)).toBe('102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f')
    let check = 0
    for (const letter of key.slice(55)) check = check * 62 + alphabet.indexOf(letter)
    expect(check).toBe(Bun.hash.crc32(body))
  })

  test('is invalid with any one character changed', () => {
    const key = mintKey('live', randomBytes(32))
    for (let at = 0; at < key.length; at++) {
      for (const letter of ['A', 'b', '7', '_']) {
        if (key[at] === letter) continue
        expect(modeOfKey(key.slice(0, at) + letter + key.slice(at + 1))).toBeNull()
      }
    }
  })

  test('is invalid under the other mode, or with two characters exchanged', () => {
    const key = mintKey('test', randomBytes(32))
    expect(modeOfKey(key.replace('test', 'live'))).toBeNull()
    const [one = '', other = ''] = key.slice(20, 22)
    const exchanged = key.slice(0, 20) + other + one + key.slice(22)
    expect(modeOfKey(exchanged)).toBe(one === other ? 'test' : null)
  })

  test.each(['', 'svc_sk_test_', 'sk_test_x', 'Bearer x', 'svc_sk_test_'.padEnd(61, '0')])(
    '%j is not a key',
    text => expect(modeOfKey(text)).toBeNull(),
  )

  test('is invalid when longer, shorter or followed by a line break', () => {
    const key = mintKey('test', randomBytes(32))
    for (const text of [`${key}0`, key.slice(1), key.slice(0, -1), `${key}\n`, ` ${key}`]) {
      expect(modeOfKey(text)).toBeNull()
    }
  })
})

describe('the hash of an API key', () => {
  test('is its HMAC-SHA-256 with the pepper (RFC 4231, test case 2)', () => {
    const hex = Buffer.from(hashKey('Jefe', 'what do ya want for nothing?')).toString('hex')
    expect(hex).toBe('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843')
  })

  test('differs with another pepper', () => {
    const key = mintKey('test', randomBytes(32))
    expect(hashKey('one', key)).toEqual(hashKey('one', key))
    expect(hashKey('one', key)).not.toEqual(hashKey('other', key))
  })
})
