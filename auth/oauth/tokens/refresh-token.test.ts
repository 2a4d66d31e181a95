// Tests refresh tokens. Each use rotates the token. Reusing an old token revokes its family, unless
// a client that lost the response repeats its request within ten seconds.

import { describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { agentTokens, refreshWith } from '../testing/agent.ts'
import { newAgent, refused } from '../testing/requests.ts'
import { useFixture } from '../testing/use-fixture.ts'

const fixture = await useFixture()

const invalidGrant = [400, 'invalid_grant']

const hash = (value: unknown) => fixture.secrets.hash(String(value))

async function stands(token: unknown): Promise<boolean | undefined> {
  const [row] = await fixture.run<{ stands: boolean }>(sql`
    select f.revoked_at is null as stands
      from auth.credentials k join auth.token_families f on f.id = k.family
     where k.hash = ${hash(token)}`)
  return row?.stands
}

/** Makes a refresh token's use look this many seconds old. */
const usedBefore = (token: unknown, seconds: number) =>
  fixture.run(sql`
    update auth.artifacts set consumed_at = consumed_at - ${seconds}::int * interval '1 second'
     where hash = ${hash(token)}`)

const expiryDays = async (token: unknown) => {
  const [row] = await fixture.run<{ days: number }>(sql`
    select (extract(epoch from expires_at - now()) / 86400)::float8 as days
      from auth.artifacts where hash = ${hash(token)}`)
  return row?.days ?? 0
}

describe('200: a refresh token', () => {
  test('returns a new access token and its successor, with the same scopes', async () => {
    const { client, access, refresh } = await agentTokens(fixture, {
      params: { scope: 'patients:read cases:read' },
    })
    const { status, body, headers } = await refreshWith(fixture, client, refresh)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toEqual({
      access_token: expect.stringMatching(/^svc_at_test_/),
      refresh_token: expect.stringMatching(/^svc_rt_/),
      expires_in: 3600,
      scope: 'patients:read cases:read',
      token_type: 'Bearer',
    })
    expect(body['refresh_token']).not.toBe(refresh)
    expect(await stands(access)).toBe(true)
    expect(await stands(body['access_token'])).toBe(true)
  })

  test('returns fewer scopes if requested, and keeps its own scopes', async () => {
    const { client, refresh } = await agentTokens(fixture, {
      params: { scope: 'patients:read cases:read' },
    })
    const { body } = await refreshWith(fixture, client, refresh, { scope: 'cases:read' })
    expect(body['scope']).toBe('cases:read')
    const next = await refreshWith(fixture, client, String(body['refresh_token']))
    expect(next.body['scope']).toBe('patients:read cases:read')
  })

  test('is valid for thirty days from each use, and ninety days in total', async () => {
    const { client, refresh } = await agentTokens(fixture)
    expect(await expiryDays(refresh)).toBeCloseTo(30, 1)
    await fixture.run(sql`
      update auth.artifacts
         set payload = jsonb_set(payload, '{iiat}',
               to_jsonb(floor(extract(epoch from now() - interval '80 days'))))
       where hash = ${hash(refresh)}`)
    const { body } = await refreshWith(fixture, client, refresh)
    expect(await expiryDays(body['refresh_token'])).toBeCloseTo(10, 1)
    const [family] = await fixture.run<{ days: number }>(sql`
      select round(extract(epoch from f.ends_at - f.created_at) / 86400)::int as days
        from auth.token_families f where f.client = ${client}`)
    expect(family?.days).toBe(90)
  })

  test('returns the same successor again to a client that lost the response', async () => {
    const { client, refresh } = await agentTokens(fixture)
    const lost = await refreshWith(fixture, client, refresh)
    await usedBefore(refresh, 3)
    const retried = await refreshWith(fixture, client, refresh)
    expect(retried.status).toBe(200)
    expect(retried.body['refresh_token']).toBe(lost.body['refresh_token'])
    expect(await stands(retried.body['access_token'])).toBe(true)
    const next = await refreshWith(fixture, client, String(retried.body['refresh_token']))
    expect(next.status).toBe(200)
  })
})

describe('400: invalid_grant', () => {
  test('an old token after ten seconds, which ends its whole family', async () => {
    const { client, access, refresh } = await agentTokens(fixture)
    const { body } = await refreshWith(fixture, client, refresh)
    await usedBefore(refresh, 11)
    expect(refused(await refreshWith(fixture, client, refresh))).toEqual(invalidGrant)
    expect([await stands(access), await stands(body['access_token'])]).toEqual([false, false])
    const next = await refreshWith(fixture, client, String(body['refresh_token']))
    expect(refused(next)).toEqual(invalidGrant)
  })

  test('an old token within ten seconds, if its successor was used, so no response was lost', async () => {
    const { client, refresh } = await agentTokens(fixture)
    const { body } = await refreshWith(fixture, client, refresh)
    const next = await refreshWith(fixture, client, String(body['refresh_token']))
    expect(next.status).toBe(200)
    expect(refused(await refreshWith(fixture, client, refresh))).toEqual(invalidGrant)
    expect(await stands(next.body['access_token'])).toBe(false)
  })

  test('another client’s token, an expired one, a mistyped one, or none', async () => {
    const { client, refresh } = await agentTokens(fixture)
    const other = await newAgent(fixture)
    for (const [id, token] of [
      [other, refresh],
      [client, `${refresh}x`],
      [client, 'nonsense'],
      [client, refresh.replace('svc_rt', 'svc_at')],
    ] as const) {
      expect(refused(await refreshWith(fixture, id, token))).toEqual(invalidGrant)
    }
    expect(refused(await refreshWith(fixture, client, ''))).toEqual([400, 'invalid_request'])
    expect((await refreshWith(fixture, client, refresh)).status).toBe(200)
    const expired = await agentTokens(fixture)
    await fixture.run(sql`
      update auth.artifacts set expires_at = now() - interval '1 second'
       where hash = ${hash(expired.refresh)}`)
    const late = await refreshWith(fixture, expired.client, expired.refresh)
    expect(refused(late)).toEqual(invalidGrant)
  })

  test.each([
    [
      'the person was removed',
      (person: string) => sql`update auth.members set removed_at = now() where person = ${person}`,
    ],
    [
      'the person was disabled',
      (person: string) => sql`update auth.persons set disabled_at = now() where id = ${person}`,
    ],
  ])('%s', async (_name, end) => {
    const person = await fixture.addMember('developer')
    const { client, access, refresh } = await agentTokens(fixture, { person })
    await fixture.run(end(person))
    expect(refused(await refreshWith(fixture, client, refresh))).toEqual(invalidGrant)
    expect(await stands(access)).toBe(false)
  })
})

describe('400: what the token was not issued for', () => {
  test('more scopes, or another resource', async () => {
    const { client, refresh } = await agentTokens(fixture, { params: { scope: 'cases:read' } })
    const more = await refreshWith(fixture, client, refresh, { scope: 'cases:read cases:write' })
    expect(refused(more)).toEqual([400, 'invalid_scope'])
    const elsewhere = await refreshWith(fixture, client, refresh, {
      resource: fixture.resources.api,
    })
    expect(refused(elsewhere)).toEqual([400, 'invalid_target'])
    const unknown = await refreshWith(fixture, client, refresh, { resource: 'https://x.example' })
    expect(refused(unknown)).toEqual([400, 'invalid_target'])
    // None of the requests used up the token.
    expect((await refreshWith(fixture, client, refresh)).status).toBe(200)
  })
})
