// Agents, devices and integrations' servers get tokens from two servers. One of the two is killed
// (SIGKILL) at random times, again and again. Afterward, every token that a client received is
// valid, every lost request could be repeated, and nothing is half done. FAULT_ROUNDS=50 kills
// fifty times; FAULT_SEED repeats a run.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { familyStands } from '../guard.ts'
import { deviceGrant, oauthPaths as paths } from '#contract/oauth.ts'
import { authorizeUrl, exchange, newVerifier, openBrowser, refreshWith } from './testing/agent.ts'
import { brokenRules } from './testing/consistency.ts'
import { type Fixture, openFixture, redirectUri } from './testing/fixture.ts'
import { type Answer, post, register, tokenFor } from './testing/requests.ts'
import { type ServerProcess, startServer, statements } from './testing/server-processes.ts'

const rounds = Math.max(2, Number(process.env['FAULT_ROUNDS'] ?? 0))
const seed = Number(process.env['FAULT_SEED'] ?? 1)

let fixture: Fixture
const servers: ServerProcess[] = []
beforeAll(async () => {
  fixture = await openFixture()
  servers.push(...(await Promise.all([startServer(fixture), startServer(fixture)])))
}, 30_000)
afterAll(async () => {
  await Promise.all(servers.map(server => server.kill()))
  await fixture.close()
})

/** Returns numbers from 0 to 1 that depend only on the seed. */
function randomFrom(start: number) {
  let state = start
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

type Random = () => number
const stopping = new AbortController()
const answered: string[] = []
const unexpected: string[] = []
let lost = 0

const someServer = (random: Random): Fixture => ({
  ...fixture,
  issuer: servers[random() < 0.5 ? 0 : 1]?.issuer ?? '',
})

/** Returns null if the server died or wasn't running. */
async function sent<T>(request: Promise<T>): Promise<T | null> {
  const answer = await request.catch(() => null)
  if (answer === null) lost++
  return answer
}

/** Returns a response's access token, or null if it has none. */
function tokenOf(what: string, answer: Answer | null, refusals: readonly string[]): string | null {
  if (answer === null) return null
  const { access_token: token, error } = answer.body
  if (answer.status === 200 && typeof token === 'string') {
    answered.push(token)
    return token
  }
  if (!refusals.includes(String(error))) unexpected.push(`${what}: ${JSON.stringify(answer.body)}`)
  return null
}

/** Refreshes, and repeats the request if the response is lost, as a client may. */
async function refresh(client: string, token: string, random: Random): Promise<string | null> {
  const began = performance.now()
  let next: string | null = null
  let refusals = 0
  await until(async () => {
    const answer = await sent(refreshWith(someServer(random), client, token))
    // The killed server's statement may still commit before the retry, which then comes second.
    if (tokenOf('refresh', answer, ['invalid_grant']) !== null) {
      next = String(answer?.body['refresh_token'])
    } else if (answer !== null) refusals++
    return next !== null || performance.now() - began > 8000
  }, 50)
  if (next === null && refusals > 20) {
    unexpected.push('a refresh token got no successor within the grace period')
  }
  return next
}

async function refreshThrice(client: string, first: unknown, random: Random): Promise<void> {
  let token: string | null = String(first)
  for (let at = 0; at < 3 && token !== null; at++) token = await refresh(client, token, random)
}

/** Each client has its own network, because registrations are limited by network. */
async function newClient(random: Random): Promise<string | null> {
  const part = () => Math.floor(random() * 256)
  const headers = { 'test-address': `10.${part()}.${part()}.1` }
  const grant_types = ['authorization_code', 'refresh_token', deviceGrant]
  const metadata = { redirect_uris: [redirectUri], grant_types }
  const answer = await sent(register(someServer(random), metadata, { headers }))
  if (answer === null) return null
  if (answer.status !== 201) unexpected.push(`register: ${JSON.stringify(answer.body)}`)
  return String(answer.body['client_id'])
}

/** Runs from registration to the third refresh. If a request is lost before there are tokens, the
 *  agent starts over. */
async function agent(random: Random): Promise<void> {
  const client = await newClient(random)
  const verifier = newVerifier()
  const at = someServer(random)
  const browser = openBrowser(at)
  const open = client === null ? null : await sent(browser.get(authorizeUrl(client, verifier)))
  const page = open?.headers.get('location')
  if (!client || !page) return
  const { people, integration } = fixture
  const decision = new URLSearchParams({ decide: 'approve', person: people.owner, integration })
  const decided = await sent(browser.get(`${page}?${decision}`))
  const resume = decided?.headers.get('location')
  const back = resume ? await sent(browser.get(resume)) : null
  const code = new URL(back?.headers.get('location') ?? '', at.issuer).searchParams.get('code')
  if (code === null) return
  let first: Answer | null = null
  while (first === null && !stopping.signal.aborted) {
    first = await sent(exchange(someServer(random), { client, verifier, code }))
  }
  if (tokenOf('code', first, ['invalid_grant']) !== null) {
    await refreshThrice(client, first?.body['refresh_token'], random)
  }
}

async function device(random: Random): Promise<void> {
  const client = await newClient(random)
  if (client === null) return
  const asked = { client_id: client, scope: 'cases:read', resource: fixture.resources.api }
  const begun = await sent(post(someServer(random), paths.deviceAuthorization, asked))
  if (begun === null) return
  const { device_code, user_code } = begun.body as { device_code: string; user_code: string }
  const { people, integration } = fixture
  const query = new URLSearchParams({ user_code, person: people.owner })
  const page = (at: Fixture) => sent(fetch(`${at.issuer}/device?${query}`))
  await page(someServer(random))
  query.set('decide', 'approve')
  query.set('integration', integration)
  await until(async () => (await page(someServer(random))) !== null || stopping.signal.aborted)
  const form = { grant_type: deviceGrant, client_id: client, device_code }
  const polled = await sent(tokenFor(someServer(random), form))
  const refusals = ['invalid_grant', 'authorization_pending', 'slow_down']
  if (tokenOf('device', polled, refusals) === null) return
  await refreshThrice(client, polled?.body['refresh_token'], random)
}

async function backend(random: Random): Promise<void> {
  const { id, secret } = await fixture.addClient()
  const form = { grant_type: 'client_credentials', client_id: id, client_secret: secret }
  for (let at = 0; at < 10; at++) {
    tokenOf('client', await sent(tokenFor(someServer(random), form)), [])
  }
}

async function repeat(work: (random: Random) => Promise<void>, random: Random): Promise<void> {
  while (!stopping.signal.aborted) await work(random)
}

const standing = async () => {
  const hashes = answered.map(token => Buffer.from(fixture.secrets.hash(token)).toString('hex'))
  const [row] = await fixture.run<{ count: number }>(sql`
    select count(*)::int as count from auth.credentials k
      join auth.token_families f on f.id = k.family and ${familyStands}
     where encode(k.hash, 'hex') = any (${hashes}::text[]) and k.revoked_at is null
       and k.expires_at > now()`)
  return row?.count
}

test('servers killed at any time leave tokens, families and codes consistent', async () => {
  const random = randomFrom(seed)
  const clients = [agent, agent, device, device, backend].map((work, at) =>
    repeat(work, randomFrom(seed + 1 + at)),
  )
  for (let round = 0; round < rounds; round++) {
    const before = answered.length
    await until(() => answered.length >= before + 10 + random() * 10)
    const at = round % servers.length
    await servers[at]?.kill()
    servers[at] = await startServer(fixture)
  }
  stopping.abort()
  await Promise.all(clients)
  await until(async () => (await statements(fixture)).running === 0)
  expect(unexpected).toEqual([])
  expect(await brokenRules(fixture)).toEqual([])
  expect(await standing()).toBe(answered.length)
  expect(lost).toBeGreaterThan(0)
  expect(new Set(answered).size).toBe(answered.length)
}, 600_000)
