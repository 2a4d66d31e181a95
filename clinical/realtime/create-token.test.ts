// Realtime tokens: their claims, who gets one, and their encrypted storage.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { realtimeCloses } from '#contract/realtime.ts'
import { sql } from '#database/sql.ts'
import { modes } from '#contract/operation.ts'
import { invoke, invokeOk } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { channelNameOf, parseChannelName } from '#contract/realtime.ts'
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

describe('createRealtimeToken 201', () => {
  test('a token grants subscribe on one channel for an hour', async () => {
    const at = Date.UTC(2026, 10, 21, 12, 0, 0, 700)
    for (const mode of modes) {
      const organization = mode === 'test' ? fixtures.ada.organization : fixtures.clinic
      const { token, ...rest } = await invokeOk(fixtures, 'createRealtimeToken', {
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
        exp: Math.floor(at / 1000) + 3600,
        'x-ably-capability': JSON.stringify({ [channel]: ['subscribe'] }),
        'x-ably-clientId': fixtures.ada.integration,
      })
      expect(String(claims['x-ably-revocation-key'])).toStartWith('key_')
      expect(Object.keys(claims)).toHaveLength(5)
    }
  })
  test('a replay returns the first response, and the database stores the token encrypted', async () => {
    const first = await invoke(fixtures, 'createRealtimeToken', { key: 'once' })
    const again = await invoke(fixtures, 'createRealtimeToken', { key: 'once' })
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true'])
    const [stored] = await queryAsOwner<{ answer: string }>(
      fixtures,
      sql`select answer from test.idempotency_keys where key = 'once'`,
    )
    expect(JSON.parse(stored?.answer ?? '').token).toStartWith('sealed.')
    expect(first.body.token).not.toStartWith('sealed.')
  })
})

describe('realtime channels', () => {
  const id = '01m3vb29m0sxcvm9er5ytt0kmn'
  test('a name consists of valid IDs, so it can’t match several channels', () => {
    const owner = { integration: `int_${id}`, organization: `org_${id}`, mode: 'test' as const }
    const name = channelNameOf(owner)
    expect(parseChannelName(name)).toEqual(owner)
    for (const organization of ['*', `org_${id}:*`, '[meta]org', `org_${id}:test`, '', id]) {
      expect(() => channelNameOf({ ...owner, organization })).toThrow()
    }
    for (const wide of ['*', 'integration:*', `${name}:*`, `${name}:test`, `[?rewind=1]${name}`]) {
      expect(parseChannelName(wide)).toBeNull()
    }
  })
  test('a token signed with the other mode’s key is refused', async () => {
    const tokens = embeddedRealtime('a pepper')
    const [integration, organization] = [`int_${id}`, `org_${id}`]
    const holder = `key_${id}`
    const grant = { integration, holder, expires: 4e12 }
    const channel = channelNameOf({ integration, organization, mode: 'live' })
    expect(await tokens.bearerOf(await tokens.mint('live', { ...grant, channel }))).toMatchObject({
      owner: { integration, organization, mode: 'live' },
      holder,
    })
    const crossed = await tokens.bearerOf(await tokens.mint('test', { ...grant, channel }))
    if (!crossed) throw new Error('the token was not signed')
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
