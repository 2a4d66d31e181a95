// Checks the signature against test vectors that receivers in any language can use, and against
// another HMAC implementation, OpenSSL's in node:crypto.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { describe, expect, test } from 'bun:test'
import vectors from '#contract/vectors/webhook-signatures.json'
import { signature } from './sign.ts'

/** Verifies a delivery the way the guides tell receivers to. */
function verify(header: string, body: string, secret: string, now: number): string {
  const parts = header.split(',').map(part => part.trim().split('='))
  const time = parts.filter(([name]) => name === 't').map(([, value]) => value ?? '')
  const [t] = time
  if (time.length !== 1 || t === undefined || !/^\d{1,12}$/.test(t)) return 'malformed'
  const signatures = parts.filter(([name]) => name === 'v1').map(([, value]) => value ?? '')
  if (signatures.length === 0) return 'no_signature'
  const own = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')
  const isOurs = (one: string) =>
    one.length === own.length && timingSafeEqual(Buffer.from(one), Buffer.from(own))
  if (!signatures.some(isOurs)) return 'mismatch'
  return Math.abs(now - Number(t)) > vectors.tolerance_seconds ? 'stale' : 'accepted'
}

describe('signature vectors', () => {
  for (const vector of vectors.vectors) {
    test(vector.name, () => {
      expect(verify(vector.header, vector.body, vector.secret, vector.now)).toBe(vector.expected)
    })
  }
  test('cover every outcome', () => {
    expect([...new Set(vectors.vectors.map(one => one.expected))].sort()).toEqual([
      'accepted',
      'malformed',
      'mismatch',
      'no_signature',
      'stale',
    ])
  })
})

describe('signature', () => {
  test('has a fixed value for a fixed secret, time and body', () => {
    const secret = 'whsec_Zk3vQ0m8Jx1n4Tq7Yw2cR5uP9sL6hD0b'
    expect(signature([secret], 1_795_187_400, '{"id":"evt_1"}')).toBe(
      't=1795187400,v1=97a26f6ea906c9c88c7bcaca6094d86fa402b929640feed9f0ef952392907c9e',
    )
  })
  for (const { name, signs, secret, body } of vectors.vectors) {
    if (!signs) continue
    test(`signs "${name}" like its vector and OpenSSL`, () => {
      const [header, t] = [signature(signs.secrets, signs.t, body), signs.t]
      expect(header).toBe(signs.header)
      const own = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')
      expect(header).toContain(`v1=${own}`)
    })
  }
})
