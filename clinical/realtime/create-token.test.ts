// What a token says, to whom it is given, and what of it is kept.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { limits } from '#contract/limits.ts'
import { realtimeCloses } from '#contract/realtime.ts'
import { sql } from '#database/sql.ts'
import { modes } from '#contract/operation.ts'
import { ask, must } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { queryAsOwner, refused } from '../testing/assertions.ts'
import { channelNameOf, placeOfChannel } from './channel.ts'
import { embeddedRealtime } from './embedded.ts'
import { openBroker } from './broker.ts'
import { signToken } from './token.ts'

let fixtures: Fixtures
beforeAll(async () => {
  fixtures = await openFixtures()
})
afterAll(async () => {
  expect(fixtures.errors).toEqual([])
  await fixtures.close()
})

describe('201', () => {
  test('five members; one literal channel, an hour, and nothing but subscribe', async () => {
    const at = Date.UTC(2026, 10, 21, 12, 0, 0, 700)
    for (const mode of modes) {
      const organization = mode === 'test' ? fixtures.ada.organization : fixtures.clinic
      const { token, ...rest } = await must(fixtures, 'createRealtimeToken', {
        as: fixtures.ada[mode],
        at,
      })
      const channel = `integration:${fixtures.ada.integration}:${organization}${mode === 'test' ? ':test' : ''}`
      expect(rest).toEqual({
        channel,
        capability: 'subscribe',
        mode,
        expires_at: '2026-11-21T13:00:00.000Z',
      })
      expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'JWT', kid: mode })
      const claims = decodeJwt(token)
      expect(claims).toMatchObject({
        iat: Math.floor(at / 1000),
        exp: Math.floor(at / 1000) + limits.realtimeTokenSeconds,
        'x-ably-capability': JSON.stringify({ [channel]: ['subscribe'] }),
        'x-ably-clientId': fixtures.ada.integration,
      })
      expect(String(claims['x-ably-revocation-key'])).toStartWith('key_')
      expect(Object.keys(claims)).toHaveLength(5)
    }
  })
  test('a replay is the first answer, and the database never held the token plainly', async () => {
    const first = await ask(fixtures, 'createRealtimeToken', { key: 'once' })
    const again = await ask(fixtures, 'createRealtimeToken', { key: 'once' })
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true'])
    const [kept] = await queryAsOwner<{ answer: string }>(
      fixtures,
      sql`select answer from test.idempotency_keys where key = 'once'`,
    )
    expect(JSON.parse(kept?.answer ?? '').token).toStartWith('sealed.')
    expect(first.body.token).not.toStartWith('sealed.')
  })
})

describe('403', () => {
  test('insufficient_scope: a key without the scope gets no token', async () => {
    const { integration } = fixtures.ada
    const scopes = ['events:read', 'cases:read'] as const
    const as = await fixtures.key({
      integration,
      mode: 'test',
      name: 'poller',
      scopes: [...scopes],
    })
    await refused(fixtures, 'createRealtimeToken', 'insufficient_scope', { as })
  })
})

describe('a channel', () => {
  const id = '01m3vb29m0sxcvm9er5ytt0kmn'
  test('is named by ids alone: nothing widens it', () => {
    const place = { integration: `int_${id}`, organization: `org_${id}`, mode: 'test' as const }
    const name = channelNameOf(place)
    expect(placeOfChannel(name)).toEqual(place)
    for (const organization of ['*', `org_${id}:*`, '[meta]org', `org_${id}:test`, '', id]) {
      expect(() => channelNameOf({ ...place, organization })).toThrow()
    }
    for (const wide of ['*', 'integration:*', `${name}:*`, `${name}:test`, `[?rewind=1]${name}`]) {
      expect(placeOfChannel(wide)).toBeNull()
    }
  })
  test('a key that signed the channel of the other mode lets nobody in', async () => {
    const tokens = embeddedRealtime('a pepper')
    const [integration, organization] = [`int_${id}`, `org_${id}`]
    const credential = `key_${id}`
    const grant = { integration, credential, expires: 4e12 }
    const channel = channelNameOf({ integration, organization, mode: 'live' })
    expect(await tokens.bearerOf(await tokens.mint('live', { ...grant, channel }))).toMatchObject({
      place: { integration, organization, mode: 'live' },
      credential,
    })
    const crossed = await tokens.bearerOf(await tokens.mint('test', { ...grant, channel }))
    if (!crossed) throw new Error('it was signed by nobody')
    const one = { send: () => true, close: () => undefined }
    const broker = openBroker({
      ...fixtures.context,
      urls: { test: '', live: '' },
      onError: () => undefined,
    })
    expect(await broker.join(one, crossed)).toEqual(realtimeCloses.otherMode)
    expect(broker.subscribers()).toBe(0)
    const secret = new Uint8Array(32)
    const forged = await signToken({ id: 'live', secret }, { ...grant, channel })
    expect(await tokens.bearerOf(forged)).toBeNull()
  })
})
