// Credentials of people, agents, devices and servers survive a gateway restart, including a restart
// with a new pepper and encryption key alongside the old secrets, and a later restart without the
// old secrets.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { encryptionKeys, peppers, type TestPerson } from '#auth/testing/people.ts'
import { enterPassword } from '#auth/testing/sign-in.ts'
import { openBrowser, type TestBrowser } from '#auth/testing/browser.ts'
import { createEncryption } from '#database/encryption.ts'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import {
  openPlatform,
  type Platform,
  type PlatformGateway,
} from '#gateway/testing/authorization.ts'
import {
  approveDevice,
  codeFor,
  deviceCodeFor,
  exchangeOf,
  openMember,
  issueCredentials,
  registerAgent,
  signedIn,
  tokenFor,
} from '#gateway/testing/authorizing.ts'

let platform: Platform
let gateway: PlatformGateway
beforeAll(async () => {
  platform = await openPlatform()
  gateway = await platform.start()
})
afterAll(async () => {
  await gateway.stop()
  await platform.close()
})

const [old] = peppers
const newer = 'a newer pepper'
const [oldKey = ''] = encryptionKeys
const newerKey = 'a newer encryption key'

async function restart(given: Parameters<Platform['start']>[0] = {}): Promise<void> {
  await gateway.stop()
  gateway = await platform.start({ ...given, port: gateway.port })
}

const works = async (as: string | undefined) =>
  (await gateway.call('/v1/organization', { as: as ?? '' })).status

type Credentials = {
  person: TestPerson
  browser: TestBrowser
  key: string
  mint: Record<string, string>
  client: string
  tokens: string[]
  /** The last refresh token of each family. */
  refresh: string[]
}

/** Opens all kinds of credentials for one person, and uses each once. */
async function openHeld(): Promise<Credentials> {
  const { person, integration } = await openMember(platform)
  const { key, mint } = await issueCredentials(platform, integration)
  const browser = await signedIn(platform, gateway, person)
  const client = await registerAgent(gateway)
  const agent = await tokenFor(gateway, exchangeOf(client, await codeFor(browser, client)))
  const device = await deviceCodeFor(gateway, client)
  await approveDevice(browser, device.userCode)
  const all = [await tokenFor(gateway, mint), agent, await tokenFor(gateway, device.poll)]
  const tokens = all.map(({ body }) => body['access_token'] ?? '')
  const refresh = all.slice(1).map(({ body }) => body['refresh_token'] ?? '')
  return { person, browser, key, mint, client, tokens, refresh }
}

const refreshed = async ({ client }: Credentials, refresh_token: string) =>
  (await tokenFor(gateway, { grant_type: 'refresh_token', client_id: client, refresh_token })).body[
    'refresh_token'
  ] ?? ''

/** Expects all credentials to work. Replaces refresh tokens with their successors. */
async function expectAllToWork(held: Credentials): Promise<void> {
  for (const as of [held.key, ...held.tokens]) expect(await works(as)).toBe(200)
  const minted = await tokenFor(gateway, held.mint)
  expect([minted.status, await works(minted.body['access_token'])]).toEqual([200, 200])
  const next = await Promise.all(held.refresh.map(token => refreshed(held, token)))
  for (const token of next) expect(token).toStartWith('svc_rt_')
  held.refresh = next
  const account = await held.browser.get('/')
  expect([account.url, account.status]).toEqual(['/', 200])
  expect(account.text).toContain('“An agent”')
}

async function signsIn(person: TestPerson): Promise<string> {
  const browser = openBrowser(gateway.issuer)
  await enterPassword(browser, person)
  const code = platform.people.clock.nextCode(person)
  return (await browser.submit('/sign-in/code', { code })).url
}

test('a restart: everything continues, including half-finished flows', async () => {
  const held = await openHeld()
  const begun = await codeFor(held.browser, held.client)
  const device = await deviceCodeFor(gateway, held.client)
  await restart()
  await expectAllToWork(held)
  expect((await tokenFor(gateway, exchangeOf(held.client, begun))).status).toBe(200)
  await approveDevice(held.browser, device.userCode)
  expect((await tokenFor(gateway, device.poll)).status).toBe(200)
}, 60_000)

test('a pepper and an encryption key are replaced: everything continues', async () => {
  const held = await openHeld()
  const begun = await codeFor(held.browser, held.client)
  const device = await deviceCodeFor(gateway, held.client)
  const both = { peppers: [old, newer], encryptionKeys: [oldKey, newerKey] } as const
  await restart(both)
  await expectAllToWork(held)
  await restart({ peppers: [newer, old], encryptionKeys: [newerKey, oldKey] })
  await expectAllToWork(held)
  expect((await tokenFor(gateway, exchangeOf(held.client, begun))).status).toBe(200)
  await approveDevice(held.browser, device.userCode)
  expect((await tokenFor(gateway, device.poll)).status).toBe(200)
  // Secrets used since the restart are encrypted under the new key. The rest move without being
  // used.
  const never = await platform.people.addPerson()
  await restart({ peppers: [newer, old], encryptionKeys: [newerKey, oldKey] })
  await until(async () => (await factorsUnder(oldKey)) === 0)
  const browser = await signedIn(platform, gateway, held.person)
  await restart({ peppers: [newer], encryptionKeys: [newerKey] })
  await expectAllToWork({ ...held, browser })
  expect(await signsIn(held.person)).toBe('/')
  expect(await signsIn(never)).toBe('/')
}, 60_000)

test('during a replacement, a gateway in the next step repeats a lost response', async () => {
  const both = { peppers: [old, newer] } as const
  await restart(both)
  const { client, refresh } = await openHeld()
  const [refresh_token = ''] = refresh
  const form = { grant_type: 'refresh_token', client_id: client, refresh_token }
  const next = await platform.start({ peppers: [newer, old] })
  try {
    const lost = await tokenFor(gateway, form)
    const repeated = await tokenFor(next, form)
    expect(repeated.status).toBe(200)
    expect(repeated.body['refresh_token']).toBe(lost.body['refresh_token'] ?? '')
    expect(await works(repeated.body['access_token'])).toBe(200)
  } finally {
    await next.stop()
  }
}, 60_000)

/** Counts authenticator apps whose secret is encrypted under this key. */
async function factorsUnder(key: string): Promise<number> {
  const name = createEncryption([key]).keys[0] ?? ''
  const [row] = await platform.people.run<{ count: number }>(sql`
    select count(*)::int as count from auth.person_factors
     where totp_secret like ${`sealed.${name}.%`}`)
  return row?.count ?? 0
}
