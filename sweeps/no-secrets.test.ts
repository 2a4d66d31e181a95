// After every flow, no secret that was used appears in the database's tables, files or statements,
// in a log line or in an email, in any encoding. Secrets are keys, client secrets, tokens, codes,
// verifiers, cookies, passwords and factors.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { codeAt } from '#auth/accounts/totp.ts'
import { openBrowser } from '#auth/testing/browser.ts'
import { linkTo } from '#auth/testing/emails.ts'
import { password, peppers } from '#auth/testing/people.ts'
import { hashToken } from '#auth/tokens.ts'
import { oauthPaths as paths } from '#contract/oauth.ts'
import { openPlatform } from '#gateway/testing/authorization.ts'
import type { Platform, PlatformGateway } from '#gateway/testing/authorization.ts'
import { approveDevice, codeFor, deviceCodeFor, exchangeOf } from '#gateway/testing/authorizing.ts'
import { openMember, openPortalOf, issueCredentials, post } from '#gateway/testing/authorizing.ts'
import { registerAgent, signedIn, tokenFor } from '#gateway/testing/authorizing.ts'
import { everyFile, everyRow, formsOf, logEveryStatement } from './testing/search-for-secrets.ts'

let platform: Platform
let gateway: PlatformGateway
let statements: () => string
beforeAll(async () => {
  platform = await openPlatform()
  const { database, run } = platform.people
  statements = await logEveryStatement(database.url, run)
  gateway = await platform.start()
})
afterAll(() => platform.close())

/** Secrets by kind. Failures print only the kind. */
const secrets = new Map<string, string>()
const keep = (what: string, value: string | undefined): string => {
  if (value === undefined || value.length < 8) throw new Error(`There is no ${what}.`)
  secrets.set(what, value)
  return value
}

async function useKeysAndClients(integration: string): Promise<void> {
  const server = await issueCredentials(platform, integration)
  const key = keep('key', server.key)
  expect((await gateway.call('/v1/organization', { as: key })).status).toBe(200)
  await useSecretsOfCalls(key)
  const { client_secret, ...form } = server.mint
  keep('secret of a client', client_secret)
  const { body } = await tokenFor(gateway, { ...form, client_secret })
  const token = keep('token of a client', body['access_token'])
  expect((await gateway.call('/v1/organization', { as: token })).status).toBe(200)
  // Sends secrets where they don't belong, such as in a URL.
  await gateway.call(`/v1/organization?access_token=${token}&${key}`, { as: null })
  await gateway.call(`/v1/patients/${token}`, { as: key })
  await fetch(`${gateway.issuer}/${token}?${client_secret}=1`)
  await fetch(`${gateway.issuer}/api/auth/oauth2/token?client_secret=${client_secret}`)
  await tokenFor(gateway, { ...form, client_secret: key, client_id: client_secret })
  await tokenFor(gateway, { ...form, client_secret, scope: token })
  const { client_id = '' } = form
  for (const presented of [token, key, client_secret]) {
    const asked = { client_id, client_secret, token: presented, token_type_hint: presented }
    expect((await post(gateway, paths.introspection, asked)).status).toBe(200)
    expect(
      (await post(gateway, paths.introspection, { ...asked, client_secret: key })).status,
    ).toBe(401)
  }
  await revoke({ client_id, client_secret, token })
  await fetch(`${gateway.issuer}${paths.introspection}?token=${token}`)
  const reported = await fetch(`${gateway.issuer}${paths.keyReport}?key=${key}`, {
    method: 'POST',
    body: `found in a log: ${key} ${token} ${client_secret}`,
  })
  expect(reported.status).toBe(202)
  expect((await gateway.call('/v1/organization', { as: key })).status).toBe(401)
}

/** Uses secrets that requests return, both the first time and when repeated. */
async function useSecretsOfCalls(key: string): Promise<void> {
  const secretOf = async (path: string, body?: object) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': path }
    const call = { method: 'POST', as: key, headers, body: JSON.stringify(body) }
    await gateway.call(path, call)
    const { id, secret, token } = await (await gateway.call(path, call)).json()
    keep(`secret of ${path}`, (secret ?? token)?.replace('whsec_', ''))
    return `${path}/${id}`
  }
  const asked = { url: 'https://hooks.brand.example/', event_types: ['patient.created.v1'] }
  await secretOf(`${await secretOf('/v1/webhook_endpoints', asked)}/rotate_secret`)
  await secretOf('/v1/realtime/tokens')
}

const revoke = async (form: Record<string, string>) => {
  const body = new URLSearchParams(form)
  const answer = await fetch(`${gateway.issuer}${paths.revocation}`, { method: 'POST', body })
  expect(answer.status).toBe(200)
}

/** Uses secrets that portal pages show once, and the code for signing in to the portal. */
async function useCredentialPages(): Promise<void> {
  const { person, integration } = await openMember(platform)
  const { portal, auth, back } = await openPortalOf(platform, gateway, person)
  keep('code of a handoff', new URL(back).searchParams.get('code') ?? undefined)
  const shown = (kind: string) => new RegExp(`svc_${kind}_\\w{49}`).exec(portal.page.text)?.[0]
  const home = `/${integration}/test`
  const idIn = (kind: string) => new RegExp(`${kind}_[0-9a-z]{26}`).exec(portal.page.text)?.[0]
  const scope = 'organization:read'
  await portal.get(`${home}/keys/new`)
  await portal.submit(`${home}/keys/new`, { name: 'A server', scope })
  keep('key of a page', shown('sk_test'))
  await portal.get(`${home}/keys`)
  const rotation = `${home}/keys/${idIn('key')}/rotate`
  await portal.get(rotation)
  await portal.submit(rotation, { overlap: '604800', scope })
  keep('key of a rotation', shown('sk_test'))
  await portal.get(`${home}/clients/new`)
  await portal.submit(`${home}/clients/new`, { name: 'A server', scope })
  keep('secret of a page', shown('cs'))
  await portal.get(`${home}/clients`)
  const second = `${home}/clients/${idIn('cli')}/secrets/new`
  await portal.get(second)
  await portal.submit(second)
  keep('second secret of a page', shown('cs'))
  for (const [name, value] of portal.cookies) keep(`cookie ${name} of the portal`, value)
  for (const [name, value] of auth.cookies) keep(`cookie ${name} on the way`, value)
}

async function useAgentsAndDevices(): Promise<string> {
  const { person, integration } = await openMember(platform)
  keep('secret of an authenticator app', person.secret ?? undefined)
  const browser = await signedIn(platform, gateway, person)
  const client = await registerAgent(gateway)
  const { code, verifier, page } = await codeFor(browser, client)
  keep('code', code)
  keep('verifier', verifier)
  keep('interaction', page.split('/').at(-1))
  const form = exchangeOf(client, { code, verifier })
  const { body } = await tokenFor(gateway, form)
  const access = keep('token of an agent', body['access_token'])
  const refresh_token = keep('refresh token', body['refresh_token'])
  expect((await gateway.call('/v1/organization', { as: access })).status).toBe(200)
  const again = { grant_type: 'refresh_token', client_id: client, refresh_token }
  const next = await tokenFor(gateway, again)
  keep('second refresh token', next.body['refresh_token'])
  keep('second token of an agent', next.body['access_token'])
  const { deviceCode, userCode, poll } = await deviceCodeFor(gateway, client)
  keep('device code', deviceCode)
  keep('user code', userCode)
  keep('user code without its dash', userCode.replace('-', ''))
  await fetch(`${gateway.issuer}/device?user_code=${userCode}`)
  await approveDevice(browser, userCode)
  const polled = await tokenFor(gateway, poll)
  keep('token of a device', polled.body['access_token'])
  keep('refresh token of a device', polled.body['refresh_token'])
  for (const [name, value] of browser.cookies) keep(`cookie ${name}`, value)
  // Requests that fail, and a second use of a code.
  await tokenFor(gateway, { ...form, code_verifier: refresh_token })
  await tokenFor(gateway, { ...form, code: verifier })
  await tokenFor(gateway, form)
  const polledRefresh = polled.body['refresh_token'] ?? ''
  await revoke({ client_id: client, token: polledRefresh, token_type_hint: 'refresh_token' })
  await revoke({ client_id: client, token: polledRefresh })
  const wrong = openBrowser(gateway.issuer)
  await wrong.get('/sign-in')
  await wrong.submit('/sign-in', { email: person.email, password: keep('guess', 'a wrong guess') })
  await wrong.submit('/sign-in', { email: 'unknown@example.com', password })
  return integration
}

const tokenOf = (link: string) => new URLSearchParams(link.split('?')[1]).get('token') ?? undefined

/** Signs up, uses a recovery code, changes the password, and recovers the account. */
async function useAccounts(): Promise<void> {
  const { people } = platform
  const email = 'newcomer@example.com'
  const browser = openBrowser(gateway.issuer)
  await browser.get('/sign-up')
  await browser.submit('/sign-up', { email, name: 'Ada', company: 'Ada Health' })
  const link = await linkTo(people, email, 'sign_up')
  keep('link of a sign-up', tokenOf(link))
  await browser.get(link)
  const chosen = keep('chosen password', 'four geese by the water')
  const { text } = await browser.submit('/verify-email', { password: chosen })
  const shown = /<p class="code secret">([A-Z2-7 ]+)</.exec(text)?.[1]
  keep('secret of an app as it is shown', shown)
  const secret = keep('secret of an app', shown?.replaceAll(' ', ''))
  const code = codeAt(secret, people.clock.now)
  const { text: page } = await browser.submit('/second-factor', { code })
  const codes = [...page.matchAll(/<li class="code">([0-9a-z-]{19})</g)].map(([, one = '']) => one)
  codes.forEach((one, at) => {
    keep(`recovery code ${at}`, one)
    keep(`recovery code ${at} without its dashes`, one.replaceAll('-', ''))
  })
  const other = openBrowser(gateway.issuer)
  await other.get('/sign-in')
  await other.submit('/sign-in', { email, password: chosen })
  await other.get('/sign-in/recovery-code')
  await other.submit('/sign-in/recovery-code', { code: codes[0] ?? '' })
  expect(other.page.url).toBe('/')
  await other.get('/password')
  const changed = keep('changed password', 'six chairs under the oak')
  await other.submit('/password', { current: chosen, password: changed })
  await other.get('/recover')
  await other.submit('/recover', { email })
  const recovery = await linkTo(people, email, 'recovery')
  keep('link of a recovery', tokenOf(recovery))
  keep('link that stops a recovery', tokenOf(await linkTo(people, email, 'cancel_recovery')))
  await other.get(recovery)
  await other.submit('/recover/account', { decide: 'wait' })
  await other.get(`/recover/account?token=${codes[1]}&${chosen}`)
  for (const [name, value] of other.cookies) keep(`other cookie ${name}`, value)
}

/**
 * One secret of each kind that is stored as a hash. The search must find each hash, which proves
 * that the search works.
 */
const storedAsHash = [
  'key',
  'key of a page',
  'key of a rotation',
  'secret of a client',
  'second secret of a page',
  'second token of an agent',
  'token of a device',
  'second refresh token',
  'refresh token of a device',
  'cookie portal_session of the portal',
]

test('no secret is stored, sent to the database or logged, in any encoding', async () => {
  keep('password', password)
  await useKeysAndClients(await useAgentsAndDevices())
  await useAccounts()
  await useCredentialPages()
  await gateway.stop()
  const { run } = platform.people
  const places = {
    rows: (await everyRow(run)).toLowerCase(),
    files: (await everyFile(run)).toLowerCase(),
    log: platform.logged().toLowerCase(),
    statements: statements().toLowerCase(),
  }
  expect(places.rows).toContain('oauth.token')
  expect(places.rows).toContain('recovery_begun')
  for (const path of Object.values(paths)) {
    if (path === paths.metadata) continue
    expect([path, places.log.includes(`"path":"${path}`)]).toEqual([path, true])
  }
  expect(places.log).toContain('"path":"/recover/account"')
  for (const what of storedAsHash) {
    const hash = Buffer.from(hashToken(peppers[0], secrets.get(what) ?? ''))
    const [hex, raw] = [hash.toString('hex'), hash.toString('latin1').toLowerCase()]
    const { rows, files } = places
    expect([what, rows.includes(hex), files.includes(raw)]).toEqual([what, true, true])
    expect([what, places.statements.includes(hex)]).toEqual([what, true])
  }
  const found = [...secrets].flatMap(([what, value]) =>
    formsOf(value).flatMap((form, at) =>
      Object.entries(places)
        .filter(([, text]) => text.includes(form))
        .map(([place]) => `${what} in ${place}, form ${at}`),
    ),
  )
  expect(found).toEqual([])
  expect(secrets.size).toBeGreaterThanOrEqual(58)
}, 120_000)

test('the database’s files contain deleted data, and its log every parameter', async () => {
  const { database, run } = platform.people
  const sample = keep('deleted sample', `sample-${crypto.randomUUID()}`)
  await using session = new SQL(database.url, { max: 1 })
  await session`insert into auth.persons (id, email, name)
                values ('per_deleted', 'deleted@example.com', ${sample})`
  await session`delete from auth.persons where id = 'per_deleted'`
  expect(await everyRow(run)).not.toContain(sample)
  expect(await everyFile(run)).toContain(sample)
  expect(statements()).toContain(sample)
})

test('a secret in any encoding is found', () => {
  const value = keep('sample', 'svc_sk_test_Ab+/c d')
  const written = [
    value,
    Buffer.from(`x${value}yz`).toString('base64'),
    Buffer.from(`xy${value}`).toString('base64url'),
    Buffer.from(`user:${value}`).toString('base64'),
    Buffer.from(value).toString('hex').toUpperCase(),
    encodeURIComponent(value),
    new URLSearchParams({ value }).toString(),
  ]
  for (const text of written) {
    const found = formsOf(value).some(form => text.toLowerCase().includes(form))
    expect([text, found]).toEqual([text, true])
  }
})
