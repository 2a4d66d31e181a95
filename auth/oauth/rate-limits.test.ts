// Limits: what a caller uses up is its own, so a valid credential is never refused because of
// others.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { limits } from '#contract/limits.ts'
import { type Fixture, openFixture } from './testing/fixture.ts'
import { basic, type Form, tokenFor } from './testing/requests.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())

const grant_type = 'client_credentials'

async function newClient(options: Parameters<Fixture['addClient']>[0] = {}) {
  const client = await fixture.addClient(options)
  const mint = (form: Form = {}) =>
    tokenFor(fixture, { grant_type, client_id: client.id, client_secret: client.secret, ...form })
  return { ...client, mint }
}

describe('429: too many calls', () => {
  test('sixty a minute of one client, whatever others send in its name', async () => {
    const { secret, mint } = await newClient()
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

describe('429: too many failed authentications of one address', () => {
  test('are not answered with their reason, and a valid secret from there is', async () => {
    const { id, secret } = await newClient()
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
})

test('nothing failed on the way', () => expect(fixture.failures).toEqual([]))
