// Tests rows in auth.artifacts: how long each kind is valid, when a device may poll again, and that
// a value of one kind isn't valid as another.

import { describe, expect, test } from 'bun:test'
import { deviceGrant, oauthPaths as paths } from '#contract/oauth.ts'
import { sql, type Statement } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import {
  agentTokens,
  authorize,
  authorizeUrl,
  exchange,
  newVerifier,
  openBrowser,
  refreshWith,
} from '../testing/agent.ts'
import { newAgent, post, refused, tokenFor } from '../testing/requests.ts'
import { holding, statements } from '../testing/server-processes.ts'
import { useFixture } from '../testing/use-fixture.ts'
import { findArtifact } from './artifacts.ts'

const fixture = await useFixture()
const hash = (value: string) => fixture.secrets.hash(value)

const lifeOf = async (table: Statement, value: string) => {
  const [row] = await fixture.run<{ seconds: number }>(sql`
    select round(extract(epoch from expires_at - created_at))::int as seconds
      from ${table} where hash = ${hash(value)}`)
  return row?.seconds
}
const artifacts = sql`auth.artifacts`

async function newDevice(client?: string) {
  const client_id = client ?? (await newAgent(fixture))
  const form = { client_id, scope: 'cases:read', resource: fixture.resources.api }
  const { status, body } = await post(fixture, paths.deviceAuthorization, form)
  const device_code = String(body['device_code'])
  const poll = () => tokenFor(fixture, { grant_type: deviceGrant, client_id, device_code })
  return { status, device: device_code, poll }
}

describe('lifetimes', () => {
  test('an agent request expires after half an hour', async () => {
    const browser = openBrowser(fixture)
    const open = await browser.get(authorizeUrl(await newAgent(fixture), newVerifier()))
    const id = open.headers.get('location')?.split('/').at(-1) ?? ''
    expect(await lifeOf(artifacts, `interaction ${id}`)).toBe(1800)
  })

  test('a code is valid for one minute, a device code for ten, an access token for an hour', async () => {
    const { code, access, refresh } = await agentTokens(fixture)
    expect(code).toMatch(/^[\w-]{43}$/)
    expect(await lifeOf(artifacts, code)).toBe(60)
    expect(await lifeOf(sql`auth.credentials`, access)).toBe(3600)
    expect(await lifeOf(artifacts, refresh)).toBe(2_592_000)
    expect(await lifeOf(artifacts, (await newDevice()).device)).toBe(600)
    const [row] = await fixture.run<{ last4: string }>(
      sql`select last4 from auth.credentials where hash = ${hash(access)}`,
    )
    expect(row?.last4).toBe(access.slice(-4))
  })
})

describe('a polling device', () => {
  const polledBefore = (device: string, milliseconds: number) =>
    fixture.run(sql`
      update auth.artifacts set polled_at = now() - ${milliseconds}::int * interval '1 ms'
       where hash = ${hash(device)}`)

  test('waits five seconds, give or take half a second', async () => {
    for (const [milliseconds, error] of [
      [5000, 'authorization_pending'],
      [4600, 'authorization_pending'],
      [3500, 'slow_down'],
    ] as const) {
      const { device, poll } = await newDevice()
      await polledBefore(device, milliseconds)
      expect([milliseconds, ...refused(await poll())]).toEqual([milliseconds, 400, error])
    }
  })

  test('of two simultaneous polls by a device, one is too soon', async () => {
    const { device, poll } = await newDevice()
    const lock = sql`select from auth.artifacts where hash = ${hash(device)} for update`
    let polls: ReturnType<typeof poll>[] = []
    await holding(fixture, lock, async () => {
      polls = [poll(), poll()]
      await until(async () => (await statements(fixture)).waiting >= 2)
    })
    const errors = (await Promise.all(polls)).map(({ body }) => body['error'])
    expect(errors.toSorted()).toEqual(['authorization_pending', 'slow_down'])
  })

  test('gets a code even if its client has hundreds of used, expired and other codes', async () => {
    const { client } = await agentTokens(fixture)
    const insert = (kind: Statement, ended: Statement, count: number) =>
      fixture.run(sql`
        insert into auth.artifacts (hash, kind, client, family, payload, user_code, poll_seconds,
                                    consumed_at, expires_at)
        select sha256(gen_random_uuid()::text::bytea), k.kind, ${client}, f.id,
               '{"network": "203.0.113.7"}',
               case k.kind when 'device' then sha256(gen_random_uuid()::text::bytea) end,
               case k.kind when 'device' then 5 end, ended.consumed_at, ended.expires_at
          from (select ${kind}) as k (kind), (select ${ended}) as ended (consumed_at, expires_at),
               auth.token_families f, generate_series(1, ${count}::int)
         where f.client = ${client}`)
    const soon = sql`now() + interval '1 minute'`
    await insert(sql`'refresh'::text`, sql`null::timestamptz, ${soon}`, 100)
    await insert(sql`'device'::text`, sql`now(), ${soon}`, 100)
    await insert(sql`'device'::text`, sql`null::timestamptz, now() - interval '1 second'`, 100)
    await insert(sql`'device'::text`, sql`null::timestamptz, ${soon}`, 99)
    expect((await newDevice(client)).status).toBe(200)
    expect((await newDevice(client)).status).toBe(429)
  })
})

test('a code or refresh token does not work as a device code', async () => {
  const { client, verifier, query } = await authorize(fixture)
  const code = query?.['code'] ?? ''
  const asDevice = (device_code: string) =>
    tokenFor(fixture, { grant_type: deviceGrant, client_id: client, device_code })
  expect(refused(await asDevice(code))).toEqual([400, 'invalid_grant'])
  const { status, body } = await exchange(fixture, { client, verifier, code })
  expect(status).toBe(200)
  const refresh = String(body['refresh_token'])
  expect(refused(await asDevice(refresh))).toEqual([400, 'invalid_grant'])
  expect((await refreshWith(fixture, client, refresh)).status).toBe(200)
})

test('a value is found with its kind, and with the time since it was used', async () => {
  const { refresh } = await agentTokens(fixture)
  const find = (kind: 'code' | 'refresh') =>
    fixture.owner.use(connection => findArtifact(connection, kind, fixture.secrets.hashes(refresh)))
  expect((await find('refresh'))?.consumed_ago).toBeNull()
  await fixture.run(sql`
    update auth.artifacts set consumed_at = now() - interval '8 seconds'
     where hash = ${hash(refresh)}`)
  expect((await find('refresh'))?.consumed_ago).toBeGreaterThanOrEqual(8000)
  expect(await find('code')).toBeUndefined()
})

test('an agent whose consent is withdrawn while its code is created gets no code', async () => {
  const [client, verifier] = [await newAgent(fixture), newVerifier()]
  const browser = openBrowser(fixture)
  const page = (await browser.get(authorizeUrl(client, verifier))).headers.get('location') ?? ''
  const { people, integration } = fixture
  const decision = new URLSearchParams({ decide: 'approve', person: people.owner, integration })
  const resume = (await browser.get(`${page}?${decision}`)).headers.get('location') ?? ''
  const withdrawn = sql`update auth.token_families set revoked_at = now() where client = ${client}`
  const sent: Promise<Response>[] = []
  await holding(fixture, withdrawn, async () => {
    sent.push(browser.get(resume))
    await until(async () => (await statements(fixture)).waiting === 1)
  })
  const [back] = await Promise.all(sent)
  const to = new URL(back?.headers.get('location') ?? '').searchParams
  expect([back?.status, to.get('error'), to.get('code')]).toEqual([303, 'access_denied', null])
  const codes = sql`select from auth.artifacts where client = ${client} and kind = 'code'`
  expect(await fixture.run(codes)).toEqual([])
})

test('no tokens are issued if the family ends while the request waits', async () => {
  const { client, verifier, query } = await authorize(fixture)
  const code = query?.['code'] ?? ''
  const lock = sql`select from auth.artifacts where hash = ${hash(code)} for update`
  const sent: ReturnType<typeof exchange>[] = []
  await holding(fixture, lock, async () => {
    sent.push(exchange(fixture, { client, verifier, code }))
    await until(async () => (await statements(fixture)).waiting === 1)
    await fixture.run(sql`
      update auth.token_families set revoked_at = now() where client = ${client}`)
  })
  expect((await Promise.all(sent)).map(refused)).toEqual([[400, 'invalid_grant']])
  expect(await fixture.run(sql`select from auth.credentials where client = ${client}`)).toEqual([])
})
