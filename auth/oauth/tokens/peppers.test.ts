// Tests replacing the pepper for refresh tokens and client secrets, with servers that share the
// database and have the peppers in the order of each step.

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { countOutdated, pepperName, type Peppers } from '../../pepper.ts'
import { agentTokens, authorize, exchange, refreshWith } from '../testing/agent.ts'
import { type Fixture, openFixture, peppers, serve } from '../testing/fixture.ts'
import { tokenFor } from '../testing/requests.ts'

const [before] = peppers
const after = 'the pepper that replaces it'
const rings = {
  before: [before],
  appended: [before, after],
  moved: [after, before],
  after: [after],
} as const satisfies Record<string, Peppers>

type Ring = keyof typeof rings

let fixture: Fixture
let at: Record<Ring, Fixture>
const closers: (() => Promise<void>)[] = []
beforeAll(async () => {
  fixture = await openFixture()
  const open = async (ring: Ring) => {
    const { database, resources } = fixture
    const served = await serve({ url: database.urls.auth, resources, ring: rings[ring] })
    closers.push(served.stop)
    return { ...fixture, issuer: served.issuer }
  }
  at = {
    before: fixture,
    appended: await open('appended'),
    moved: await open('moved'),
    after: await open('after'),
  }
})
afterAll(async () => {
  for (const close of closers) await close()
  await fixture.close()
})
beforeEach(async () => {
  await fixture.run(sql`delete from auth.clients`)
})

const outdated = (ring: Ring) =>
  fixture.owner.use(connection => countOutdated(connection, rings[ring]))
/** Deletes access tokens. Access tokens are rehashed only when used, and no test here uses them. */
const dropAccess = () => fixture.run(sql`delete from auth.credentials`)

test('a refresh token under an older pepper is counted until used; its successor uses the newest', async () => {
  const { client, refresh } = await agentTokens(at.before)
  await dropAccess()
  expect(await outdated('moved')).toEqual({ older: 1, lost: 0 })
  expect(await outdated('after')).toEqual({ older: 0, lost: 1 })
  // If the older pepper is dropped too early, the token no longer works.
  expect((await refreshWith(at.after, client, refresh)).body['error']).toBe('invalid_grant')
  const { status, body } = await refreshWith(at.moved, client, refresh)
  expect(status).toBe(200)
  expect(await outdated('moved')).toEqual({ older: 0, lost: 0 })
  expect(await outdated('after')).toEqual({ older: 0, lost: 0 })
  expect((await refreshWith(at.after, client, String(body['refresh_token']))).status).toBe(200)
})

test('in each step, each server accepts what the other issued', async () => {
  for (const [one, other] of [
    ['before', 'appended'],
    ['appended', 'moved'],
    ['moved', 'after'],
  ] as const) {
    const issued = await agentTokens(at[one])
    let { refresh } = issued
    for (const server of [at[other], at[one], at[other], at[one]]) {
      const { status, body } = await refreshWith(server, issued.client, refresh)
      expect([one, status]).toEqual([one, 200])
      refresh = String(body['refresh_token'])
    }
    const { client: agent, verifier, query } = await authorize(at[one])
    const code = query?.['code'] ?? ''
    expect((await exchange(at[other], { client: agent, verifier, code })).status).toBe(200)
  }
})

test('a retry at a server with another newest pepper gets the same successor', async () => {
  const { client, refresh } = await agentTokens(at.appended)
  const given = await refreshWith(at.appended, client, refresh)
  const again = await refreshWith(at.moved, client, refresh)
  expect([given.status, again.status]).toEqual([200, 200])
  expect(again.body['refresh_token']).toBe(given.body['refresh_token'])
  const following = await refreshWith(at.moved, client, String(again.body['refresh_token']))
  expect(following.status).toBe(200)
})

test('an old refresh token that is reused at a server with the new peppers ends its family', async () => {
  const { client, refresh } = await agentTokens(at.before)
  const next = await refreshWith(at.moved, client, refresh)
  const following = String(next.body['refresh_token'])
  const last = await refreshWith(at.moved, client, following)
  expect(last.status).toBe(200)
  expect((await refreshWith(at.moved, client, refresh)).body['error']).toBe('invalid_grant')
  const ended = await refreshWith(at.moved, client, String(last.body['refresh_token']))
  expect(ended.body['error']).toBe('invalid_grant')
  await dropAccess()
  expect(await outdated('moved')).toEqual({ older: 0, lost: 0 })
})

test('a client secret is rehashed when it is used', async () => {
  const { id, secret } = await at.before.addClient()
  const mint = (ring: Ring) =>
    tokenFor(at[ring], {
      grant_type: 'client_credentials',
      client_id: id,
      client_secret: secret,
    }).then(({ status }) => status)
  expect(await outdated('moved')).toEqual({ older: 1, lost: 0 })
  expect(await mint('after')).toBe(401)
  expect(await mint('appended')).toBe(200)
  // Servers mint simultaneously, with the peppers in different orders, and then a server mints
  // without the older pepper.
  expect(await Promise.all([mint('moved'), mint('appended'), mint('moved')])).toEqual([
    200, 200, 200,
  ])
  await mint('moved')
  await dropAccess()
  expect(await outdated('moved')).toEqual({ older: 0, lost: 0 })
  expect(await mint('after')).toBe(200)
})

test('every usable credential is counted, and no other', async () => {
  await authorize(at.before)
  const kinds = await fixture.run(sql`
    select distinct kind, pepper from auth.artifacts where consumed_at is null order by kind`)
  expect(kinds).toEqual([{ kind: 'code', pepper: pepperName(before) }])
  expect(await outdated('moved')).toEqual({ older: 1, lost: 0 })
  await fixture.run(sql`update auth.artifacts set pepper = null`)
  expect(await outdated('moved')).toEqual({ older: 1, lost: 0 })
  await fixture.run(sql`update auth.token_families set revoked_at = now()`)
  expect(await outdated('moved')).toEqual({ older: 0, lost: 0 })
  await fixture.run(sql`update auth.token_families set revoked_at = null`)
  await fixture.run(sql`update auth.artifacts set expires_at = now() - interval '1 second'`)
  expect(await outdated('moved')).toEqual({ older: 0, lost: 0 })
})

test('no request logged a failure', () => expect(fixture.failures).toEqual([]))
