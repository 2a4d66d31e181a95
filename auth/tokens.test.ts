import { describe, expect, test } from 'bun:test'
import { randomBytes } from '#database/clock.ts'
import { modes } from '#contract/operation.ts'
import {
  hashToken,
  isClientSecret,
  isRefreshToken,
  mintAccessToken,
  mintClientSecret,
  mintKey,
  mintRefreshToken,
  modeOf,
} from './tokens.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

describe('an API key', () => {
  test('has 61 characters: its prefix, 43 random ones and a six-character checksum', () => {
    for (const mode of modes) {
      const key = mintKey(mode, randomBytes(32))
      expect(key).toMatch(new RegExp(`^svc_sk_${mode}_[0-9A-Za-z]{49}$`))
      expect(key).toHaveLength(61)
      expect(modeOf(key)).toBe(mode)
    }
  })

  test('encodes all 256 bits: the smallest and largest numbers have the same length', () => {
    const smallest = mintKey('test', new Uint8Array(32))
    const greatest = mintKey('test', new Uint8Array(32).fill(255))
    expect(smallest.slice(12, 55)).toBe('0'.repeat(43))
    expect(greatest).toHaveLength(61)
    expect(modeOf(greatest)).toBe('test')
    expect(new Set(Array.from({ length: 500 }, () => mintKey('test', randomBytes(32)))).size).toBe(
      500,
    )
  })

  test('is the same text for the same bytes, so secret scanners can verify the format', () => {
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
        expect(modeOf(key.slice(0, at) + letter + key.slice(at + 1))).toBeNull()
      }
    }
  })

  test('is invalid in the other mode, or with two characters swapped', () => {
    const key = mintKey('test', randomBytes(32))
    expect(modeOf(key.replace('test', 'live'))).toBeNull()
    const [one = '', other = ''] = key.slice(20, 22)
    const exchanged = key.slice(0, 20) + other + one + key.slice(22)
    expect(modeOf(exchanged)).toBe(one === other ? 'test' : null)
  })

  test.each(['', 'svc_sk_test_', 'sk_test_x', 'Bearer x', 'svc_sk_test_'.padEnd(61, '0')])(
    '%j is not a key',
    text => expect(modeOf(text)).toBeNull(),
  )

  test('is invalid when longer, shorter or followed by a line break', () => {
    const key = mintKey('test', randomBytes(32))
    for (const text of [`${key}0`, key.slice(1), key.slice(0, -1), `${key}\n`, ` ${key}`]) {
      expect(modeOf(text)).toBeNull()
    }
  })
})

describe('an API key’s hash', () => {
  test('is its HMAC-SHA-256 with the pepper (RFC 4231, test case 2)', () => {
    const hex = Buffer.from(hashToken('Jefe', 'what do ya want for nothing?')).toString('hex')
    expect(hex).toBe('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843')
  })

  test('differs with another pepper', () => {
    const key = mintKey('test', randomBytes(32))
    expect(hashToken('one', key)).toEqual(hashToken('one', key))
    expect(hashToken('one', key)).not.toEqual(hashToken('other', key))
  })
})

describe('each kind of secret', () => {
  const minted: [name: string, prefix: string, mint: (random: Uint8Array) => string][] = [
    ['a test key', 'svc_sk_test_', random => mintKey('test', random)],
    ['a live key', 'svc_sk_live_', random => mintKey('live', random)],
    ['a test access token', 'svc_at_test_', random => mintAccessToken('test', random)],
    ['a live access token', 'svc_at_live_', random => mintAccessToken('live', random)],
    ['a refresh token', 'svc_rt_', mintRefreshToken],
    ['a client secret', 'svc_cs_', mintClientSecret],
  ]

  test.each(minted)('%s is %s, 43 characters and a checksum of six', (_name, prefix, mint) => {
    const one = mint(randomBytes(32))
    expect(one).toStartWith(prefix)
    expect(one.slice(prefix.length)).toMatch(/^[0-9A-Za-z]{49}$/)
    expect(() => mint(randomBytes(31))).toThrow('32 random bytes')
  })

  test.each(minted)('%s (%s) is recognized only as its own kind', (_name, prefix, mint) => {
    const one = mint(randomBytes(32))
    const mode = /_(test|live)_/.exec(prefix)?.[1] ?? null
    expect<string | null>(modeOf(one)).toBe(mode)
    expect(isRefreshToken(one)).toBe(prefix === 'svc_rt_')
    expect(isClientSecret(one)).toBe(prefix === 'svc_cs_')
    const changed = one.slice(0, -7) + (one.at(-7) === 'x' ? 'y' : 'x') + one.slice(-6)
    expect([modeOf(changed), isRefreshToken(changed), isClientSecret(changed)]).toEqual([
      null,
      false,
      false,
    ])
  })

  test('2,000 keys (a million in the long form) are all different, and use every bit', () => {
    const count = process.env['FUZZ_CASES'] === undefined ? 2000 : 1_000_000
    const [keys, set] = [new Set<string>(), Array.from({ length: 256 }, () => 0)]
    for (let at = 0; at < count; at++) {
      const key = mintKey('test', randomBytes(32))
      keys.add(key)
      if (at >= 2000) continue
      let value = 0n
      for (const letter of key.slice(12, 55)) value = value * 62n + BigInt(alphabet.indexOf(letter))
      for (const [bit, each] of [...value.toString(2).padStart(256, '0')].entries()) {
        set[bit] = (set[bit] ?? 0) + Number(each)
      }
    }
    expect(keys.size).toBe(count)
    // A fair bit is set in about 1,000 of 2,000 keys. The count is outside these bounds in only one
    // of 10^18 runs.
    expect(set).toHaveLength(256)
    expect(set.filter(each => each < 800 || each > 1200)).toEqual([])
  }, 240_000)

  // A token encodes 256 bits in 43 characters. 62^43 is more than 2^256, so different bytes give
  // different tokens, and the probability that two of n random tokens are equal is n^2 / 2^257.
  test('different bytes make different tokens: many neighboring values don’t collide', () => {
    const count = process.env['FUZZ_CASES'] === undefined ? 10_000 : 1_000_000
    expect(62n ** 43n > 1n << 256n).toBe(true)
    const texts = new Set<string>()
    for (let at = 0; at < count; at++) {
      const bytes = new Uint8Array(32)
      new DataView(bytes.buffer).setUint32(at % 29, at)
      bytes[31] = at % 251
      texts.add(`${bytes.toHex()} ${mintAccessToken('test', bytes)}`)
    }
    const tokens = new Set([...texts].map(text => text.slice(65)))
    expect(tokens.size).toBe(texts.size)
  }, 240_000)
})
