// Uses each single-use value ten times simultaneously, at two servers that share only the database.
// A lock holds all ten requests until the last has arrived, so none starts after the first has
// finished.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openPool } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { deviceGrant, oauthPaths as paths } from '#contract/oauth.ts'
import {
  agentTokens,
  authorize,
  authorizeUrl,
  exchange,
  newVerifier,
  openBrowser,
  refreshWith,
} from './testing/agent.ts'
import { type Fixture, openFixture, serve } from './testing/fixture.ts'
import { type Answer, newAgent, post, read, refused, tokenFor } from './testing/requests.ts'
import { holding, type ServerProcess, startServer, statements } from './testing/server-processes.ts'

let fixture: Fixture
let servers: ServerProcess[]
beforeAll(async () => {
  fixture = await openFixture()
  servers = await Promise.all([startServer(fixture), startServer(fixture)])
})
afterAll(async () => {
  await Promise.all(servers.map(server => server.kill()))
  await fixture.close()
})

const atServer = (at: number): Fixture => ({
  ...fixture,
  issuer: servers[at % servers.length]?.issuer ?? '',
})
const hash = (value: string) => fixture.secrets.hash(value)
const artifact = (value: string) =>
  sql`select from auth.artifacts where hash = ${hash(value)} for update`

const waiting = async (count: number) => (await statements(fixture)).waiting >= count

/** Sends ten requests, five to each server; all wait for the lock before any continues. */
const tenAtOnce = <T>(lock: Statement, send: (at: Fixture) => Promise<T>): Promise<T[]> => {
  let all: Promise<T>[] = []
  return holding(fixture, lock, async () => {
    all = Array.from({ length: 10 }, (_, at) => send(atServer(at)))
    await until(() => waiting(10))
  }).then(() => Promise.all(all))
}

function winnerOf(answers: readonly Answer[]): Answer {
  const lost = answers.filter(({ status }) => status !== 200).map(refused)
  expect(lost).toEqual(Array.from({ length: 9 }, () => [400, 'invalid_grant']))
  return answers.find(({ status }) => status === 200) as Answer
}

/** A client's families: why they ended, and how many tokens each issued. */
const familiesOf = (client: string) =>
  fixture.run<{ revoked_reason: string | null; tokens: number }>(sql`
    select f.revoked_reason, count(k.id)::int as tokens from auth.token_families f
           left join auth.credentials k on k.family = f.id
     where f.client = ${client} group by f.id`)

async function approvedDevice() {
  const client = await newAgent(fixture)
  const asked = { client_id: client, scope: 'cases:read', resource: fixture.resources.api }
  const { body } = await post(fixture, paths.deviceAuthorization, asked)
  const [device, user] = [String(body['device_code']), String(body['user_code'])]
  const page = (query: object, { issuer }: Fixture = fixture) => {
    const all = { user_code: user, person: fixture.people.owner, ...query }
    return fetch(`${issuer}/device?${new URLSearchParams(all)}`).then(read)
  }
  await page({})
  const approve = (at?: Fixture) =>
    page({ decide: 'approve', integration: fixture.integration }, at)
  const poll = (at: Fixture) =>
    tokenFor(at, { grant_type: deviceGrant, client_id: client, device_code: device })
  return { client, device, approve, poll }
}

describe('ten at once, at two servers', () => {
  test('a code: one request gets tokens, which then end', async () => {
    const witness = await agentTokens(fixture)
    const { client, verifier, query } = await authorize(fixture)
    const code = query?.['code'] ?? ''
    const answers = await tenAtOnce(artifact(code), at => exchange(at, { client, verifier, code }))
    const { body } = winnerOf(answers)
    expect(await familiesOf(client)).toEqual([{ revoked_reason: 'reused', tokens: 1 }])
    expect(await familiesOf(witness.client)).toEqual([{ revoked_reason: null, tokens: 1 }])
    const ended = await fixture.run(sql`
      select status, code from audit.entries where client = ${client} and action = 'oauth.revoke'`)
    expect(ended).toEqual([{ status: 200, code: 'reused' }])
    const next = await refreshWith(atServer(1), client, String(body['refresh_token']))
    expect(refused(next)).toEqual([400, 'invalid_grant'])
  })

  test('a refresh token: all get the same successor, which stays valid', async () => {
    const { client, refresh } = await agentTokens(fixture)
    const answers = await tenAtOnce(artifact(refresh), at => refreshWith(at, client, refresh))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
    const successors = new Set(answers.map(({ body }) => String(body['refresh_token'])))
    const access = new Set(answers.map(({ body }) => body['access_token']))
    expect([successors.size, access.size]).toEqual([1, 10])
    expect(await familiesOf(client)).toEqual([{ revoked_reason: null, tokens: 11 }])
    const [successor = ''] = successors
    expect((await refreshWith(atServer(1), client, successor)).status).toBe(200)
    // The successor was used, so the first response wasn't lost, and repeating the request is
    // reuse.
    expect(refused(await refreshWith(atServer(0), client, refresh))).toEqual([400, 'invalid_grant'])
    expect(await familiesOf(client)).toMatchObject([{ revoked_reason: 'reused' }])
  })

  test('an approved device code: one request gets tokens, which stay valid', async () => {
    const { client, device, approve, poll } = await approvedDevice()
    await approve()
    const { body } = winnerOf(await tenAtOnce(artifact(device), poll))
    expect(await familiesOf(client)).toEqual([{ revoked_reason: null, tokens: 1 }])
    const next = await refreshWith(atServer(1), client, String(body['refresh_token']))
    expect(next.status).toBe(200)
  })

  test('a device approval: one creates a family, and the device gets its tokens', async () => {
    const { client, device, approve, poll } = await approvedDevice()
    const outcomes = (await tenAtOnce(artifact(device), approve)).map(({ body }) => body['outcome'])
    expect(outcomes.toSorted()).toEqual(['approved', ...Array.from({ length: 9 }, () => 'gone')])
    expect((await poll(fixture)).status).toBe(200)
    expect(await familiesOf(client)).toEqual([{ revoked_reason: null, tokens: 1 }])
  })

  test('an agent approval: one creates a family, and the agent gets its tokens', async () => {
    const { client, verifier, browser, page, approval, interaction } = await askedAgent()
    const answers = await tenAtOnce(artifact(interaction), ({ issuer }) =>
      browser.get(`${issuer}${page}?${approval}`),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([303, ...Array.from({ length: 9 }, () => 409)])
    expect(await familiesOf(client)).toEqual([{ revoked_reason: null, tokens: 0 }])
    const resume = answers.find(({ status }) => status === 303)?.headers.get('location') ?? ''
    const code = await codeOf(browser.get(resume))
    expect((await exchange(fixture, { client, verifier, code })).status).toBe(200)
  })

  test('the return to an agent: one request gets a code', async () => {
    const { client, browser, page, approval, interaction } = await askedAgent()
    const approved = await browser.get(`${page}?${approval}`)
    const { pathname } = new URL(approved.headers.get('location') ?? '')
    const answers = await tenAtOnce(artifact(interaction), ({ issuer }) =>
      browser.get(`${issuer}${pathname}`),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([303, ...Array.from({ length: 9 }, () => 400)])
    const codes = await fixture.run(sql`
      select from auth.artifacts where client = ${client} and kind = 'code'`)
    expect(codes).toHaveLength(1)
  })
})

test('a code that expires while its request waits gets no tokens', async () => {
  const { client, verifier, query } = await authorize(fixture)
  const code = query?.['code'] ?? ''
  const ended = sql`update auth.artifacts set expires_at = now() - interval '1 second'
                     where hash = ${hash(code)}`
  const sent: Promise<Answer>[] = []
  await holding(fixture, ended, async () => {
    sent.push(exchange(atServer(0), { client, verifier, code }))
    await until(() => waiting(1))
  })
  expect((await Promise.all(sent)).map(refused)).toEqual([[400, 'invalid_grant']])
})

/** An agent's authorization request, open in a person's browser. */
async function askedAgent() {
  const [client, verifier] = [await newAgent(fixture), newVerifier()]
  const browser = openBrowser(fixture)
  const started = await browser.get(authorizeUrl(client, verifier))
  const page = started.headers.get('location') ?? ''
  const approval = new URLSearchParams({
    decide: 'approve',
    person: fixture.people.owner,
    integration: fixture.integration,
  })
  const interaction = `interaction ${page.split('/').at(-1)}`
  return { client, verifier, browser, page, approval, interaction }
}

const codeOf = async (response: Promise<Response>) =>
  new URL((await response).headers.get('location') ?? '').searchParams.get('code') ?? ''

/** A server that can hold back one of its next statements. */
async function slowServer() {
  const pool = openPool({ url: fixture.database.urls.auth, size: 8, name: 'slow server' })
  let [count, wait] = [0, async () => {}]
  const send = async <T>(run: () => Promise<T>) => {
    if (count-- === 0) await wait()
    return run()
  }
  const { issuer, stop } = await serve({
    url: fixture.database.urls.auth,
    resources: fixture.resources,
    pool: {
      ...pool,
      use: work =>
        pool.use(connection => work({ run: statement => send(() => connection.run(statement)) })),
    },
  })
  /** Holds back the statement that follows the next `sent` statements. */
  const holdAfter = (sent: number) => {
    const [reached, released] = [Promise.withResolvers<true>(), Promise.withResolvers<void>()]
    count = sent
    wait = () => (reached.resolve(true), released.promise)
    return { reached: reached.promise, release: released.resolve }
  }
  return { at: { ...fixture, issuer }, holdAfter, stop }
}

test('a poll that arrived before another got its response ends nothing, however late it is handled', async () => {
  const { at, holdAfter, stop } = await slowServer()
  const approved = async () => {
    const device = await approvedDevice()
    await device.approve()
    return device
  }
  const first = await approved()
  expect((await first.poll(at)).status).toBe(200)
  let sent = 0
  for (; ; sent++) {
    const { client, poll } = await approved()
    const { reached, release } = holdAfter(sent)
    const late = poll(at)
    const isHeld = await Promise.race([reached, late.then(() => false)])
    if (!isHeld) break
    expect((await poll(fixture)).status).toBe(200)
    // Takes longer than the poll took until it was held back.
    await approved()
    release()
    expect([sent, ...refused(await late)]).toEqual([sent, 400, 'invalid_grant'])
    expect(await familiesOf(client)).toEqual([{ revoked_reason: null, tokens: 1 }])
    // A poll that arrives later, at a server that issued nothing, does end them.
    expect(refused(await poll(atServer(0)))).toEqual([400, 'invalid_grant'])
    expect(await familiesOf(client)).toMatchObject([{ revoked_reason: 'reused' }])
  }
  expect(sent).toBeGreaterThan(1)
  await stop()
})
