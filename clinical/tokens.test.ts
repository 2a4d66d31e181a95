// Links that are their own credential: what opens them, and what doesn't.

import { expect, test } from 'bun:test'
import { openTokens, type TokenPayload } from './tokens.ts'

const upload: TokenPayload = {
  kind: 'upload',
  mode: 'live',
  tenant: '7',
  object: '0123456789abcdefghjkmnpqrstvwxyz',
}

/** A link created by an earlier release stays valid after an update. */
const sent =
  'p-UCmXDr5rXSezNS8Op6AloQdhMWMtJWUON8PA8blEv6q0lpq4Nxq6kA7EiVEjs5607Y-WQL6KAh_bNxwnNhag72kd2a-LyKRZw_X-b9VfFdShAP5ywswcGaI2e1rd4CQ_w6mlakYoQlK_0lciJBt0ccPy8'

test('tokens: a link is the same in every release, and opens what it names', () => {
  const tokens = openTokens('a secret of the tests')
  expect(tokens.encrypt(upload)).toBe(sent)
  expect(tokens.open(sent)).toEqual(upload)
})

test('tokens: a link from an older secret opens until that secret is removed', () => {
  const old = openTokens('the old one').encrypt(upload)
  const both = openTokens('the new one', 'an older one', 'the old one')
  expect(both.open(old)).toEqual(upload)
  expect(both.encrypt(upload)).toBe(openTokens('the new one').encrypt(upload))
  expect(openTokens('the new one').open(old)).toBeNull()
})

test('tokens: text of any length that isn’t a link is refused without an error', () => {
  const tokens = openTokens('a secret of the tests')
  for (let length = 0; length <= 64; length++) {
    expect([length, tokens.open('A'.repeat(length))]).toEqual([length, null])
  }
  expect(tokens.open('A'.repeat(100_000))).toBeNull()
  for (const wrong of [`${sent} `, `${sent}=`, 'ä'.repeat(50)]) {
    expect([wrong, tokens.open(wrong)]).toEqual([wrong, null])
  }
})

test('tokens: a link with any character changed is refused, even another spelling of its bytes', () => {
  const tokens = openTokens('a secret of the tests')
  for (let at = 0; at < sent.length; at++) {
    for (const other of ['A', 'B', '_']) {
      const changed = sent.slice(0, at) + other + sent.slice(at + 1)
      if (changed !== sent) expect([changed, tokens.open(changed)]).toEqual([changed, null])
    }
  }
  // The last character contains bits that belong to no byte, which decoding ignores.
  const bytes = Buffer.from(sent, 'base64url')
  const respelled = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
    .map(last => sent.slice(0, -1) + last)
    .filter(one => one !== sent && Buffer.from(one, 'base64url').equals(bytes))
  expect(respelled.length).toBeGreaterThan(0)
  for (const one of respelled) expect(tokens.open(one)).toBeNull()
})
