// Failed authentications are limited by address at two gateways that share only the database. A
// valid credential from the same address still works, whatever its neighbors send.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { issueToken } from '#auth/testing/tokens.ts'
import { peppers } from '#auth/testing/people.ts'
import { mintAccessToken, mintClientSecret, mintKey, mintRefreshToken } from '#auth/tokens.ts'
import { issueKey, openIntegration } from '#auth/integrations.ts'
import { randomBytes } from '#database/clock.ts'
import {
  openPlatform,
  type Platform,
  type PlatformGateway,
} from '#gateway/testing/authorization.ts'
import {
  codeFor,
  exchangeOf,
  openMember,
  issueCredentials,
  registerAgent,
  signedIn,
  tokenFor,
} from '#gateway/testing/authorizing.ts'

const badRequests = 100
const address = { 'x-forwarded-for': '203.0.113.60' }
const both = [0, 1] as const

let platform: Platform
let gateways: PlatformGateway[]
beforeAll(async () => {
  platform = await openPlatform()
  gateways = await Promise.all([platform.start(), platform.start()])
})
afterAll(async () => {
  await Promise.all(gateways.map(gateway => gateway.stop()))
  await platform.close()
})

const at = (index: number) => gateways[index] as PlatformGateway
const statusOf = async (index: number, as: string) =>
  (await at(index).call('/v1/organization', { as, headers: address })).status

type ResponseFacts = { status: number; headers: Headers }

/** Sends bad requests ten at a time. Returns the statuses and the last response. */
async function sendBad(send: (count: number) => Promise<ResponseFacts>) {
  const statuses = new Map<number, number>()
  let last: ResponseFacts | undefined
  for (let sent = 0; sent < badRequests; sent += 10) {
    for (const one of await Promise.all(Array.from({ length: 10 }, (_, k) => send(sent + k)))) {
      statuses.set(one.status, (statuses.get(one.status) ?? 0) + 1)
      last = one
    }
  }
  return { statuses: Object.fromEntries(statuses), last: last as ResponseFacts }
}

function expectLimited({ statuses, last }: Awaited<ReturnType<typeof sendBad>>, first: number) {
  expect(statuses).toEqual({ [first]: 60, 429: badRequests - 60 })
  expect(last.status).toBe(429)
  const seconds = Number(last.headers.get('retry-after'))
  expect(seconds).toBeGreaterThanOrEqual(1)
  expect(seconds).toBeLessThanOrEqual(60)
}

test('v1: valid keys and tokens work, used before or not', async () => {
  const { owner } = platform.fixtures
  const { integration } = await owner.use(connection => openIntegration(connection, 'Neighbor'))
  const issue = () =>
    owner.use(async connection => [
      (await issueKey(connection, peppers[0], { integration, mode: 'test', name: 'k' })).key,
      (await issueToken(connection, peppers[0], { integration })).token,
      (await issueToken(connection, peppers[0], { integration, kind: 'agent' })).token,
    ])
  const [used, unused] = [await issue(), await issue()]
  for (const as of used) expect(await statusOf(0, as)).toBe(200)
  const invented = [
    () => mintKey('test', randomBytes(32)),
    () => mintAccessToken('test', randomBytes(32)),
    () => 'guess',
  ]
  for (const index of both) {
    const bad = await sendBad(count => {
      const as = (invented[count % invented.length] as () => string)()
      return at(index).call('/v1/organization', { as, headers: address })
    })
    expectLimited(bad, 401)
    for (const as of [...used, ...unused]) expect(await statusOf(index, as)).toBe(200)
  }
}, 60_000)

describe('the token endpoint:', () => {
  const grant_type = 'client_credentials'

  test('a valid secret works after wrong ones', async () => {
    const { integration } = platform.fixtures.ada
    for (const index of both) {
      const bad = await sendBad(() => {
        const client_secret = mintClientSecret(randomBytes(32))
        return tokenFor(at(index), { grant_type, client_id: 'cli_no', client_secret }, address)
      })
      expectLimited(bad, 401)
      const { mint } = await issueCredentials(platform, integration)
      expect((await tokenFor(at(index), mint, address)).status).toBe(200)
    }
  }, 60_000)

  test('a valid code and refresh token work after made-up ones from the same client', async () => {
    for (const index of both) {
      const gateway = at(index)
      const { person } = await openMember(platform)
      const browser = await signedIn(platform, gateway, person)
      const client_id = await registerAgent(gateway)
      const bad = await sendBad(() => {
        const refresh_token = mintRefreshToken(randomBytes(32))
        return tokenFor(gateway, { grant_type: 'refresh_token', client_id, refresh_token }, address)
      })
      expectLimited(bad, 400)
      const code = exchangeOf(client_id, await codeFor(browser, client_id))
      const { status, body } = await tokenFor(gateway, code, address)
      expect(status).toBe(200)
      const refresh_token = body['refresh_token'] ?? ''
      const refresh = { grant_type: 'refresh_token', client_id, refresh_token }
      expect((await tokenFor(gateway, refresh, address)).status).toBe(200)
    }
  }, 60_000)
})
