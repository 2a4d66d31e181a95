// The authorization server's flows, as a client and a browser perform them. Returns every secret
// along the way, so tests can search for it afterward or reuse it.
import { createHash } from 'node:crypto'
import { createClient, createKey } from '#auth/administration.ts'
import { actOfOperator } from '#auth/operator.ts'
import { deviceGrant, oauthPaths as paths } from '#contract/oauth.ts'
import { openBrowser, type TestBrowser } from '#auth/testing/browser.ts'
import { peppers, type TestPerson } from '#auth/testing/people.ts'
import { enterPassword, signIn } from '#auth/testing/sign-in.ts'
import { randomBytes } from '#database/clock.ts'
import { type Platform, type PlatformGateway, resources } from './authorization.ts'

const redirectUri = 'http://127.0.0.1:33418/callback'

export type Answer = { status: number; headers: Headers; body: Record<string, string> }

export async function post(
  { issuer }: Pick<PlatformGateway, 'issuer'>,
  path: string,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const body = new URLSearchParams(form)
  const answer = await fetch(`${issuer}${path}`, { method: 'POST', body, headers })
  return { status: answer.status, headers: answer.headers, body: await answer.json() }
}

export const tokenFor = (gateway: Pick<PlatformGateway, 'issuer'>, form: Record<string, string>) =>
  post(gateway, paths.token, form)

export async function registerAgent({ issuer }: PlatformGateway): Promise<string> {
  const grant_types = ['authorization_code', 'refresh_token', deviceGrant]
  const answer = await fetch(`${issuer}${paths.registration}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [redirectUri], client_name: 'An agent', grant_types }),
  })
  return (await answer.json()).client_id
}

/** A key, and the form that gets a token for a confidential client. */
export async function issueCredentials({ fixtures: { owner } }: Platform, integration: string) {
  const asked = { integration, mode: 'test', name: 'A server' } as const
  const [pepper] = peppers
  const [key, client] = await owner.use(
    async connection =>
      [
        await createKey(connection, pepper, asked, actOfOperator()),
        await createClient(connection, pepper, asked, actOfOperator()),
      ] as const,
  )
  if (key.refusal !== null || client.refusal !== null) throw new Error('It was refused.')
  const { id: client_id, secret: client_secret } = client
  return { key: key.key, mint: { grant_type: 'client_credentials', client_id, client_secret } }
}

export async function openMember({ people }: Platform) {
  const person = await people.addPerson()
  return { person, integration: await people.addMember(person) }
}

/** A person signed in with a password and code. */
export async function signedIn(
  { people }: Platform,
  { issuer }: PlatformGateway,
  person: TestPerson,
): Promise<TestBrowser> {
  const browser = openBrowser(issuer)
  await signIn(browser, people, person)
  return browser
}

/** The code, with its verifier, that an agent gets after a person authorizes it. */
export async function codeFor(
  browser: TestBrowser,
  client: string,
  resource: string = resources.api,
) {
  const verifier = Buffer.from(randomBytes(32)).toString('base64url')
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: client,
    redirect_uri: redirectUri,
    state: 'a state',
    resource,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const asked = await browser.get(`${paths.authorization}?${query}`)
  const allowed = await browser.submit(asked.url, { decide: 'approve' })
  const code = new URL(allowed.url).searchParams.get('code') ?? ''
  return { code, verifier, page: asked.url }
}

export const exchangeOf = (client: string, { code, verifier }: Record<string, string>) => ({
  grant_type: 'authorization_code',
  client_id: client,
  redirect_uri: redirectUri,
  code: code ?? '',
  code_verifier: verifier ?? '',
})

/** A device's code, and its form for polling. */
export async function deviceCodeFor(gateway: PlatformGateway, client: string) {
  const asked = { client_id: client, scope: 'organization:read', resource: resources.api }
  const { body } = await post(gateway, paths.deviceAuthorization, asked)
  const device_code = body['device_code'] ?? ''
  const poll = { grant_type: deviceGrant, client_id: client, device_code }
  return { deviceCode: device_code, userCode: body['user_code'] ?? '', poll }
}

export async function approveDevice(browser: TestBrowser, userCode: string): Promise<void> {
  await browser.get('/device')
  await browser.submit('/device', { user_code: userCode })
  await browser.submit('/device/request', { decide: 'approve' })
}

/** A person's browser in the portal, after signing in with password and code at AUTH_URL. `back` is
 *  the URL that the sign-in returned to. */
export async function openPortalOf(
  { people }: Platform,
  { portalUrl, issuer }: PlatformGateway,
  person: TestPerson,
  path = '/',
) {
  const [portal, auth] = [openBrowser(portalUrl), openBrowser(issuer)]
  const asked = await portal.get(path)
  await enterPassword(auth, person, asked.url.replace(issuer, ''))
  const { url: back } = await auth.submit('/sign-in/code', { code: people.clock.nextCode(person) })
  await portal.get(back.replace(portalUrl, ''))
  return { portal, auth, back }
}
