// The server is killed (SIGKILL) at each step before tokens are issued: a registration, a request,
// a consent, the code, a device's code, its approval. Each step happens completely or not at all,
// and the caller can repeat the step or start over.

import { describe, expect, test } from 'bun:test'
import { sql, type Statement } from '#database/sql.ts'
import { deviceGrant, oauthPaths as paths } from '#contract/oauth.ts'
import { authorizeUrl, exchange, newVerifier, openBrowser } from '../testing/agent.ts'
import { redirectUri } from '../testing/fixture.ts'
import { newAgent, post, read, register, tokenFor } from '../testing/requests.ts'
import { killWaiting } from '../testing/server-processes.ts'
import { useConsistentFixture } from '../testing/use-fixture.ts'

const fixture = await useConsistentFixture()

/** Blocks a statement before its first insert into this table. */
const artifacts = sql`lock table auth.artifacts in share mode`
const audit = sql`lock table audit.entries in share mode`
/** Blocks a statement at the foreign key check, after its effects. */
const clientRow = (id: string) => sql`select from auth.clients where id = ${id} for update`
const memberRow = (person: string) =>
  sql`select from auth.members where person = ${person} for update`

const count = async (counted: Statement) =>
  (await fixture.run<{ count: number }>(counted))[0]?.count ?? 0
const familiesOf = (client: string) =>
  count(sql`select count(*)::int as count from auth.token_families where client = ${client}`)

test('a registration: the client doesn’t exist, or nobody has its ID', async () => {
  const metadata = { redirect_uris: [redirectUri], client_name: 'Killed' }
  const made = () =>
    count(sql`select count(*)::int as count from auth.clients where name = 'Killed'`)
  await killWaiting(fixture, audit, issuer => register({ ...fixture, issuer }, metadata))
  const before = await made()
  const { status } = await register(fixture, metadata)
  expect([status, (await made()) - before]).toEqual([201, 1])
})

async function asked() {
  const [client, verifier] = [await newAgent(fixture), newVerifier()]
  const browser = openBrowser(fixture)
  const url = authorizeUrl(client, verifier)
  const { owner } = fixture.people
  const decision = { decide: 'approve', person: owner, integration: fixture.integration }
  return { client, verifier, browser, url, decision: new URLSearchParams(decision) }
}

type PendingApproval = Awaited<ReturnType<typeof asked>>

async function approve({ browser, url, decision }: PendingApproval): Promise<string> {
  const page = (await browser.get(url)).headers.get('location') ?? ''
  return (await browser.get(`${page}?${decision}`)).headers.get('location') ?? ''
}

async function finish({ browser, client, verifier }: PendingApproval, resume: string) {
  const back = (await browser.get(resume)).headers.get('location') ?? ''
  const code = new URL(back, fixture.issuer).searchParams.get('code') ?? ''
  return (await exchange(fixture, { client, verifier, code })).status
}

describe('an agent', () => {
  test('the request: the browser sends it again', async () => {
    const one = await asked()
    await killWaiting(fixture, artifacts, issuer => one.browser.get(`${issuer}${one.url}`))
    expect(await finish(one, await approve(one))).toBe(200)
    expect(await familiesOf(one.client)).toBe(1)
  })

  const locks: [string, (asked: PendingApproval) => Statement][] = [
    ['before its first effect', () => memberRow(fixture.people.owner)],
    ['after its effects', ({ client }) => clientRow(client)],
  ]
  test.each(locks)('the consent, %s: is stored, or the person decides again', async (_, lock) => {
    const one = await asked()
    const page = (await one.browser.get(one.url)).headers.get('location') ?? ''
    await killWaiting(fixture, lock(one), issuer =>
      one.browser.get(`${issuer}${page}?${one.decision}`),
    )
    const made = await familiesOf(one.client)
    expect(made).toBeLessThanOrEqual(1)
    const again = await one.browser.get(`${page}?${one.decision}`)
    // A decided request is over, so the person starts again at the agent.
    expect(again.status).toBe(made === 1 ? 409 : 303)
    const resume = made === 1 ? await approve(one) : (again.headers.get('location') ?? '')
    expect(await finish(one, resume)).toBe(200)
  })

  test('the code: the browser requests it again, or starts over', async () => {
    const one = await asked()
    const resume = new URL(await approve(one), fixture.issuer)
    await killWaiting(fixture, artifacts, issuer => one.browser.get(`${issuer}${resume.pathname}`))
    const codes = () =>
      count(sql`
        select count(*)::int as count from auth.artifacts
         where client = ${one.client} and kind = 'code'`)
    expect(await codes()).toBeLessThanOrEqual(1)
    const again = await one.browser.get(resume.href)
    const location = again.headers.get('location') ?? ''
    if (location.includes('code=')) {
      const code = new URL(location).searchParams.get('code') ?? ''
      const { client, verifier } = one
      expect((await exchange(fixture, { client, verifier, code })).status).toBe(200)
    } else expect(await finish(one, await approve(one))).toBe(200)
  })
})

describe('a device', () => {
  const page = (issuer: string, query: Record<string, string>) =>
    fetch(`${issuer}/device?${new URLSearchParams(query)}`).then(read)

  const startWith = (issuer: string, client: string) =>
    post({ issuer }, paths.deviceAuthorization, {
      client_id: client,
      scope: 'cases:read',
      resource: fixture.resources.api,
    })

  test('the code: the device requests another', async () => {
    const client = await newAgent(fixture)
    await killWaiting(fixture, artifacts, issuer => startWith(issuer, client))
    expect((await startWith(fixture.issuer, client)).status).toBe(200)
  })

  const locks: [string, (client: string) => Statement][] = [
    ['before its first effect', () => memberRow(fixture.people.owner)],
    ['after its effects', clientRow],
  ]
  test.each(locks)('the approval, %s: is stored, or the person approves again', async (_, lock) => {
    const client = await newAgent(fixture)
    const { body } = await startWith(fixture.issuer, client)
    const [device_code, user_code] = [String(body['device_code']), String(body['user_code'])]
    const person = fixture.people.owner
    await page(fixture.issuer, { user_code, person })
    const { integration } = fixture
    const approval = { user_code, person, integration, decide: 'approve' }
    await killWaiting(fixture, lock(client), issuer => page(issuer, approval))
    const made = await familiesOf(client)
    const again = await page(fixture.issuer, approval)
    expect(again.body['outcome']).toBe(made === 1 ? 'gone' : 'approved')
    expect(await familiesOf(client)).toBe(1)
    const form = { grant_type: deviceGrant, client_id: client, device_code }
    expect((await tokenFor(fixture, form)).status).toBe(200)
  })
})
