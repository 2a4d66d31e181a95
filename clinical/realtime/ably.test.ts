// Ably as the realtime provider, against a server with Ably's REST interface: tokens, ordered
// publishing, and behavior while Ably is unavailable.

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { decodeProtectedHeader, jwtVerify } from 'jose'
import { until } from '#http/testing/until.ts'
import { issueKey } from '#auth/integrations.ts'
import { revokeKey } from '#auth/testing/administration.ts'
import { type IssuedToken, issueToken } from '#auth/testing/tokens.ts'
import { sql, type Statement } from '#database/sql.ts'
import { type Mode, modes } from '#contract/operation.ts'
import { invoke, queuedCase, invokeOk, rivera } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { openTestWorker, type TestWorker } from '../deliveries/engine/testing/worker.ts'
import { ablyRealtime, publishJob } from './ably.ts'
import { channelNameOf } from '#contract/realtime.ts'

const keys = {
  test: { subscribe: 'apptest.sub:secret-of-test', publish: 'apptest.pub:publish-of-test' },
  live: { subscribe: 'applive.sub:secret-of-live', publish: 'applive.pub:publish-of-live' },
}
type Posted = { app: string; channel: string; id: string; name: string; data: string }

let posted: Posted[] = []
let unavailableCount = 0
let refused = 0
type Revoked = { mode: Mode | undefined; targets: string[] }
let revoked: Revoked[] = []
/** How many of the next request's targets are reported as not revoked. */
let failures = 0
/** Accepts revocations only from the key that signed the tokens. */
function revocation(signer: string, key: string, { targets }: { targets: string[] }): Response {
  const mode = modes.find(one => keys[one].subscribe === key)
  if (mode === undefined || !key.startsWith(`${signer}:`))
    return new Response('{}', { status: 401 })
  if (targets.length > 100) return new Response('{}', { status: 400 })
  const failureCount = failures
  failures = 0
  if (failureCount === 0) revoked.push({ mode, targets })
  return Response.json(
    { successCount: targets.length - failureCount, failureCount, results: [] },
    { status: 201 },
  )
}

/** Implements Ably's documented interface, with Basic authorization by key and one message per
 *  request. */
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    if (unavailableCount-- > 0) return new Response(null, { status: 503 })
    const [, given = ''] = /^Basic (.+)$/.exec(request.headers.get('authorization') ?? '') ?? []
    const key = Buffer.from(given, 'base64').toString()
    const mode = modes.find(one => keys[one].publish === key)
    const url = new URL(request.url)
    const [, signer] = /^\/keys\/([^/]+)\/revokeTokens$/.exec(url.pathname) ?? []
    if (signer !== undefined) return revocation(signer, key, await request.json())
    const [, channel] = /^\/channels\/([^/]+)\/messages$/.exec(url.pathname) ?? []
    if (request.method !== 'POST' || channel === undefined)
      return new Response(null, { status: 404 })
    if (mode === undefined) {
      refused++
      return Response.json({ error: { code: 40101, statusCode: 401 } }, { status: 401 })
    }
    const message = (await request.json()) as Posted & { encoding: string }
    expect(message.encoding).toBe('json')
    // Ably ignores a message with an ID it has received before.
    if (!posted.some(({ id }) => id === message.id)) {
      const [app = ''] = key.split('.')
      posted.push({ ...message, app, channel: decodeURIComponent(channel) })
    }
    return Response.json({ messageId: message.id }, { status: 201 })
  },
})
const realtime = ablyRealtime({ origin: server.url.origin, keys })

let fixtures: Fixtures
let working: TestWorker
beforeAll(async () => {
  fixtures = await openFixtures()
  working = await openTestWorker(fixtures, { realtime, jobs: jobs => [...jobs, ...realtime.jobs] })
})
afterAll(async () => {
  await working.stop()
  await server.stop(true)
  expect(fixtures.errors).toEqual([])
  await fixtures.close()
})
beforeEach(() => {
  posted = []
  unavailableCount = 0
})

/** Waits until this many messages were published. */
async function published(count: number): Promise<Posted[]> {
  for (let ran = 1; posted.length < count; ran++) {
    await working.waitForLines('job.ran', working.linesOf('job.ran').length + 1)
  }
  return posted
}
/** Makes the waiting retries due now. */
const again = async () => {
  await queryAsOwner(
    fixtures,
    sql`update test.realtime_cursors set due_at = now() where latest > published`,
  )
  working.wake(publishJob)
}
const channelOf = (mode: Mode) =>
  channelNameOf({
    integration: fixtures.ada.integration,
    organization: mode === 'test' ? fixtures.ada.organization : fixtures.clinic,
    mode,
  })

test('realtime with Ably: a token is a JWT signed with its mode’s key and allows only subscribing', async () => {
  for (const mode of modes) {
    const channel = channelOf(mode)
    const holder = fixtures.ada.testKey
    const expires = 4e12
    const grant = { channel, integration: fixtures.ada.integration, holder, expires }
    const token = await realtime.mint(mode, grant)
    const [kid = '', secret] = keys[mode].subscribe.split(':')
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'JWT', kid })
    const { payload } = await jwtVerify(token, new TextEncoder().encode(secret))
    expect(payload).toEqual({
      iat: expires / 1000 - 3600,
      exp: expires / 1000,
      'x-ably-capability': JSON.stringify({ [channel]: ['subscribe'] }),
      'x-ably-clientId': fixtures.ada.integration,
      'x-ably-revocation-key': holder,
    })
  }
})

test('realtime with Ably: each event since the first token is published once, in order, with the same bytes as in polling', async () => {
  await invokeOk(fixtures, 'createPatient', { body: rivera })
  const [before] = (await invokeOk(fixtures, 'listEvents')).data
  for (const as of [fixtures.ada.test, fixtures.ada.live]) {
    await invokeOk(fixtures, 'createRealtimeToken', { as })
  }
  await queuedCase(fixtures)
  await invokeOk(fixtures, 'createPatient', { as: fixtures.ada.live, body: rivera })
  const query = { starting_after: before.id }
  const { data } = await invokeOk(fixtures, 'listEvents', { query })
  await published(data.length + 1)
  const sandbox = posted.filter(({ app }) => app === 'apptest')
  expect(sandbox.map(({ id }) => id)).toEqual(data.map((one: { id: string }) => one.id))
  for (const { id, name, channel, data: body } of sandbox) {
    const { text } = await invoke(fixtures, 'getEvent', { id })
    expect([body, name, channel]).toEqual([text, JSON.parse(text).type, channelOf('test')])
  }
  const [live, ...more] = posted.filter(({ app }) => app === 'applive')
  expect([live?.channel, live?.name, more]).toEqual([channelOf('live'), 'patient.created.v1', []])
  expect(refused).toBe(0)
})

test('realtime with Ably: a message survives two failed attempts and is dropped after three', async () => {
  const trigger = () => invokeOk(fixtures, 'triggerWebhook', { body: { type: 'order.shipped.v1' } })
  const before = working.linesOf('realtime.refused').length
  unavailableCount = 2
  const first = await trigger()
  await working.waitForLines('realtime.refused', before + 1)
  await again()
  await working.waitForLines('realtime.refused', before + 2)
  await again()
  expect((await published(1)).map(({ id }) => id)).toEqual([first.id])

  unavailableCount = 3
  await trigger()
  for (let tries = 3; tries <= 5; tries++) {
    await working.waitForLines('realtime.refused', before + tries)
    await again()
  }
  const last = await trigger()
  expect((await published(2)).map(({ id }) => id)).toEqual([first.id, last.id])
})

/** Wakes the job repeatedly, because it may also have run on its own schedule already. */
const untilRevoked = (isTrue: () => boolean) =>
  until(() => {
    if (!isTrue()) working.wake('realtime.revoke')
    return isTrue()
  })

test('realtime with Ably: revoking a key or a grant revokes its tokens at Ably, once', async () => {
  const { integration } = fixtures.ada
  const issue = (mode: Mode) =>
    fixtures.owner.use(connection =>
      issueKey(connection, fixtures.context.pepper, { integration, mode, name: 'leaked' }),
    )
  const [one, other] = [await issue('test'), await issue('live')]
  const refusals = () => working.linesOf('realtime.refused').length
  const before = refusals()
  failures = 1
  await fixtures.owner.use(connection => revokeKey(connection, one.id))
  await untilRevoked(() => refusals() > before)
  expect(working.linesOf('realtime.refused').at(-1)).toMatchObject({ reason: '1 not revoked' })
  await untilRevoked(() => revoked.length > 0)
  expect(revoked).toEqual([{ mode: 'test', targets: [`revocationKey:${one.id}`] }])
  revoked = []
  await queryAsOwner(
    fixtures,
    sql`update auth.grants set status = 'revoked'
         where integration = ${integration} and mode = 'live'`,
  )
  await untilRevoked(() => revoked.length > 0)
  expect(revoked[0]?.mode).toBe('live')
  expect(revoked[0]?.targets).toContain(`revocationKey:${other.id}`)
  expect(revoked[0]?.targets).toHaveLength(2)
  revoked = []
  await fixtures.owner.use(connection => revokeKey(connection, other.id))
  await untilRevoked(() => revoked.length > 0)
  expect(revoked).toEqual([{ mode: 'live', targets: [`revocationKey:${other.id}`] }])
})

test('realtime with Ably: revoking a grant revokes every unexpired key’s tokens, however many', async () => {
  const { integration } = fixtures.ben
  const names = sql`'key_' || lpad(n::text, 26, '0') as id`
  await queryAsOwner(
    fixtures,
    sql`insert into auth.credentials (id, kind, integration, mode, name, scopes, hash, last4, expires_at)
        select id, 'key', ${integration}, 'live', 'k', '{}', sha256(id::bytea), 'abcd',
               now() + case when n <= 250 then interval '1 day' else interval '-2 hours' end
          from (select n, ${names} from generate_series(1, 252) n) made`,
  )
  revoked = []
  await queryAsOwner(
    fixtures,
    sql`insert into auth.grants (id, integration, organization, mode, scopes, status)
        values ('grant_of_many', ${integration}, ${fixtures.clinic}, 'live', '{}', 'revoked')`,
  )
  await untilRevoked(() => revoked.flatMap(one => one.targets).length >= 250)
  const [row] = await queryAsOwner(
    fixtures,
    sql`select string_agg('revocationKey:' || id, ' ' order by id) as keys from auth.credentials
         where integration = ${integration} and mode = 'live' and kind = 'key' and revoked_at is null
           and coalesce(expires_at > now(), true)`,
  )
  const targets = revoked.flatMap(one => one.targets).toSorted()
  expect(targets.join(' ')).toBe(String(row?.['keys']))
})

test('realtime with Ably: revoking a token family revokes it at Ably, once; a refresh revokes nothing', async () => {
  const { integration } = fixtures.ben
  const issue = (of?: IssuedToken) =>
    fixtures.owner.use(connection =>
      issueToken(connection, fixtures.context.pepper, {
        integration,
        kind: 'device',
        ...(of ? { of } : {}),
      }),
    )
  const [first, other] = [await issue(), await issue()]
  const next = await issue(first)
  revoked = []
  const set = (statement: Statement) => queryAsOwner(fixtures, statement)
  await set(sql`
    update auth.credentials set revoked_at = now(), expires_at = now() - interval '1 ms' where id = ${first.id}`)
  // If the job runs after the refresh, it has nothing to revoke for that family.
  await set(sql`update auth.token_families set revoked_at = now() where id = ${other.family}`)
  await untilRevoked(() => revoked.length > 0)
  await set(sql`update auth.token_families set revoked_at = now() where id = ${next.family}`)
  await untilRevoked(() => revoked.length > 1)
  const third = await issue()
  await set(sql`update auth.token_families set revoked_at = now() where id = ${third.family}`)
  await untilRevoked(() => revoked.length > 2)
  expect(revoked).toEqual(
    [other, first, third].map(({ family }) => ({
      mode: 'test',
      targets: [`revocationKey:${family}`],
    })),
  )
})
