// Tests rate limits. Each caller uses up only its own quota, so a valid credential is never refused
// because of other callers.

import { describe, expect, test } from 'bun:test'
import { limits } from '#contract/limits.ts'
import { randomBytes } from '#database/clock.ts'
import { mintRefreshToken } from '../tokens.ts'
import { authorize, exchange, refreshWith } from './testing/agent.ts'
import { basic, newClient, tokenFor } from './testing/requests.ts'
import { useFixture } from './testing/use-fixture.ts'

const fixture = await useFixture()

const grant_type = 'client_credentials'

describe('429: too many calls', () => {
  test('more than sixty a minute from one client, whatever others send under its ID', async () => {
    const { secret, mint } = await newClient(fixture)
    const wrong = `${secret.slice(0, -1)}${secret.endsWith('0') ? '1' : '0'}`
    for (let sent = 0; sent < limits.tokenCallsPerWindow + 1; sent++) {
      await mint({ client_secret: wrong })
    }
    for (let sent = 0; sent < limits.tokenCallsPerWindow; sent++) {
      expect((await mint()).status).toBe(200)
    }
    const { status, headers } = await mint()
    expect(status).toBe(429)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

describe('429: too many failed attempts from one address', () => {
  test('get no reason, but a valid secret from there is accepted', async () => {
    const { id, secret } = await newClient(fixture)
    const address = { 'test-address': '198.51.100.99' }
    const ask = (value: string) =>
      tokenFor(fixture, { grant_type }, { headers: { ...basic(id, value), ...address } })
    const guesses = Array.from({ length: limits.authFailuresPerWindow }, (_, at) => `guess ${at}`)
    for (const guess of guesses) expect((await ask(guess)).status).toBe(401)
    const { status, body, headers } = await ask('one more')
    expect([status, body['error']]).toEqual([429, 'temporarily_unavailable'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await ask(secret)).status).toBe(200)
  })

  test('a valid code and refresh token are accepted after invented ones from the same client', async () => {
    const { client, verifier, query } = await authorize(fixture)
    const refresh = (token: string) => refreshWith(fixture, client, token)
    const invented = () => refresh(mintRefreshToken(randomBytes(32)))
    for (let sent = 0; sent < limits.authFailuresPerWindow; sent++) {
      expect((await invented()).status).toBe(400)
    }
    expect((await invented()).status).toBe(429)
    const code = query?.['code'] ?? ''
    const { status, body } = await exchange(fixture, { client, verifier, code })
    expect(status).toBe(200)
    expect((await refresh(String(body['refresh_token']))).status).toBe(200)
  })
})
