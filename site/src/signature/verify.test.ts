// Tests the page's signature check with every published vector and every mistake it explains.
import { createHash, createHmac } from 'node:crypto'
import { describe, expect, test } from 'bun:test'
import published from '#contract/vectors/webhook-signatures.json'
import { verify, toleranceSeconds } from './verify.ts'

const secret = 'whsec_Zk3vQ0m8Jx1n4Tq7Yw2cR5uP9sL6hD0b'
const t = 1_795_187_400
const body = '{"id":"evt_1","resource":{"type":"case","id":"case_1"},"list":[1,2]}'
const mac = (key: string | Buffer, text: string, hash = 'sha256') =>
  createHmac(hash, key).update(text).digest('hex')
const request = {
  header: `t=${t},v1=${mac(secret, `${t}.${body}`)}`,
  body,
  secret,
  now: t,
  own: '',
}

describe('signature check: published vectors', () => {
  test('the tolerance matches the published one', () => {
    expect(toleranceSeconds).toBe(published.tolerance_seconds)
  })
  for (const { name, header, body, secret, now, expected } of published.vectors) {
    test(`${name}: ${expected}`, async () => {
      const verdict = await verify({ header, body, secret, now, own: '' })
      expect(verdict.outcome as string).toBe(expected)
    })
  }
})

describe('signature check: explains mistakes with body and secret', () => {
  const parsed: unknown = JSON.parse(body)
  for (const [name, changed, explanation] of [
    ['a line break was added', { body: `${body}\n` }, 'line break'],
    [
      'it was serialized again',
      { body: JSON.stringify(parsed, null, 2) },
      'parsed and serialized again',
    ],
    ['the prefix was cut off', { secret: secret.slice(6) }, '`whsec_` is missing'],
    ['whitespace was copied', { secret: ` ${secret}\n` }, 'whitespace'],
    ['it was quoted', { secret: `"${secret}"` }, 'quotes'],
  ] as const) {
    test(name, async () => {
      const verdict = await verify({ ...request, ...changed })
      expect(verdict.outcome).toBe('mismatch')
      expect(verdict.cause).toContain(explanation)
    })
  }
  test('a wrong secret has no explanation', async () => {
    const verdict = await verify({ ...request, secret: `whsec_${'0'.repeat(32)}` })
    expect([verdict.outcome, verdict.cause]).toEqual(['mismatch', null])
  })
})

describe('signature check: explains a wrong digest', () => {
  const dumped = JSON.stringify(JSON.parse(body)).replaceAll(/([,:])(?!\d{3})/g, '$1 ')
  const decoded = Buffer.from(secret.slice(6), 'base64')
  for (const [name, own, explanation] of [
    ['no time', mac(secret, body), 'The timestamp is missing'],
    ['no dot', mac(secret, `${t}${body}`), 'dot between'],
    ['milliseconds', mac(secret, `${t}000.${body}`), 'milliseconds'],
    ['no prefix', mac(secret.slice(6), `${t}.${body}`), '`whsec_` was cut off'],
    ['base64 secret', mac(decoded, `${t}.${body}`), 'decoded from base64'],
    ['SHA-1', mac(secret, `${t}.${body}`, 'sha1'), 'SHA-1'],
    ['capitals', mac(secret, `${t}.${body}`).toUpperCase(), 'lowercase'],
    [
      'base64 digest',
      Buffer.from(mac(secret, `${t}.${body}`), 'hex').toString('base64'),
      'hexadecimal',
    ],
    ['python', mac(secret, `${t}.${dumped}`), 'parsed and serialized again'],
    ['two at once', mac(secret.slice(6), body), 'cut off. The timestamp is missing'],
  ] as const) {
    test(name, async () => {
      const verdict = await verify({ ...request, own })
      expect(verdict.outcome).toBe('accepted')
      expect(verdict.ownCause).toContain(explanation)
    })
  }
  test('a correct digest and an unknown one have no explanation', async () => {
    const right = await verify({ ...request, own: mac(secret, `${t}.${body}`) })
    const unknown = createHash('sha256').update('something else').digest('hex')
    const wrong = await verify({ ...request, own: unknown })
    expect([right.ownCause, wrong.ownCause]).toEqual([null, null])
  })
})
