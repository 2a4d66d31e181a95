// A person at AUTH_URL on a phone, in dark mode and without a mouse, signs in, gives an agent
// access, connects a device, and revokes both. The agent and the device use a third-party library
// over HTTP.
import { spawn } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { expect, test } from '@playwright/test'
import * as oauth from 'oauth4webapi'
import { Secret, TOTP } from 'otpauth'
import { guides } from './guides/run.ts'
import { blockedOn, judge, press } from './keyboard.ts'
import { dataDir, root } from './servers.ts'

type Access = {
  url: string
  auth_url: string
  owner: { email: string; password: string; totp_secret: string }
}

const options = { [oauth.allowInsecureRequests]: true }
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
const scope = 'organization:read patients:read'

let access: Access
let server: oauth.AuthorizationServer
let agent: Server
const returned: string[] = []
const appUrl = 'com.example.agent://done'
test.beforeAll(async () => {
  access = JSON.parse(readFileSync(path.join(dataDir, 'dev.json'), 'utf8')) as Access
  const issuer = new URL(access.auth_url)
  const discovered = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...options })
  server = await oauth.processDiscoveryResponse(issuer, discovered)
  agent = createServer(({ url = '' }, response) => {
    const { port } = agent.address() as AddressInfo
    const [path = ''] = url.split('?')
    // Redirects twice to another origin, and to an app's custom scheme.
    const onward: Record<string, string> = {
      '/callback': `http://localhost:${port}/on`,
      '/on': `http://127.0.0.1:${port}/done`,
      '/app': appUrl,
    }
    if (path === '/callback' || path === '/app') returned.push(url)
    const location = onward[path]
    if (location === undefined) response.end('You can close this page.')
    else response.writeHead(307, { location }).end()
  })
  await new Promise<void>(resolve => void agent.listen(0, '127.0.0.1', resolve))
})
test.afterAll(() => void agent.close())

async function register(name: string, redirectUri: string): Promise<oauth.Client> {
  const metadata = {
    client_name: name,
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token', deviceGrant],
    token_endpoint_auth_method: 'none',
  }
  const response = await oauth.dynamicClientRegistrationRequest(server, metadata, options)
  return oauth.processDynamicClientRegistrationResponse(response)
}

async function authorizeUrl({ client_id }: oauth.Client, redirect_uri: string, verifier: string) {
  const url = new URL(server.authorization_endpoint ?? '')
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri,
    scope,
    resource: access.url,
    state: 'a state',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString()
  return url
}

const organization = (token: string) =>
  fetch(`${access.url}/v1/organization`, { headers: { authorization: `Bearer ${token}` } })

// The tests run in sequence, because a second-factor code works once.
test.describe.configure({ mode: 'default' })
test.use({ viewport: { width: 390, height: 844 }, colorScheme: 'dark', hasTouch: true })

test('a person signs in, gives an agent and a device access, and revokes it', async ({ page }) => {
  const blocked = blockedOn(page)
  const { owner } = access
  const redirectUri = `http://127.0.0.1:${(agent.address() as AddressInfo).port}/callback`
  const client = await register('An agent', redirectUri)
  const verifier = oauth.generateRandomCodeVerifier()
  const url = await authorizeUrl(client, redirectUri, verifier)

  await test.step('sign in', async () => {
    await page.goto(url.href)
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await judge(page, blocked)
    await page.keyboard.type('not an address')
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByLabel('Email')).toBeFocused()
    await judge(page, blocked)
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type(owner.email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(owner.password)
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Code')).toBeFocused()
    await judge(page, blocked)
    await page.keyboard.type(new TOTP({ secret: Secret.fromBase32(owner.totp_secret) }).generate())
    await page.keyboard.press('Enter')
  })

  const token = await test.step('give an agent access', async () => {
    await expect(page.getByRole('heading', { name: 'Let “An agent” act for you?' })).toBeVisible()
    await judge(page, blocked)
    await press(page, 'button[value=approve]')
    await expect(page.getByText('You can close this page.')).toBeVisible()
    const answer = new URL(returned.at(-1) ?? '', redirectUri)
    const params = oauth.validateAuthResponse(server, client, answer, 'a state')
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      params,
      redirectUri,
      verifier,
      options,
    )
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response)
    expect((await organization(tokens.access_token)).status).toBe(200)
    return tokens.access_token
  })

  await test.step('return to an application', async () => {
    const address = new URL('/app', redirectUri).href
    const app = await register('An application', address)
    const opened = page.waitForEvent('requestfailed', each => each.url().startsWith(appUrl))
    await page.goto((await authorizeUrl(app, address, verifier)).href)
    await press(page, 'button[value=deny]')
    await opened
    const { searchParams } = new URL(returned.at(-1) ?? '', address)
    expect(searchParams.get('error')).toBe('access_denied')
    blocked.length = 0
  })

  await test.step('connect a device', async () => {
    const asked = new URLSearchParams({ scope, resource: access.url })
    const begun = await oauth.processDeviceAuthorizationResponse(
      server,
      client,
      await oauth.deviceAuthorizationRequest(server, client, oauth.None(), asked, options),
    )
    await page.goto(new URL('/device', access.auth_url).href)
    await expect(page.getByLabel('Code')).toBeFocused()
    await judge(page, blocked)
    await page.keyboard.type('BCDF-GHJK')
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Code')).toHaveAttribute('aria-invalid', 'true')
    await judge(page, blocked)
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type(begun.user_code.toLowerCase().replace('-', ''))
    await page.keyboard.press('Enter')
    await expect(page.getByText(begun.user_code)).toBeVisible()
    await judge(page, blocked)
    await press(page, 'button[value=approve]')
    await expect(page.getByRole('heading', { name: 'Device connected' })).toBeVisible()
    await judge(page, blocked)
    const response = await oauth.deviceCodeGrantRequest(
      server,
      client,
      oauth.None(),
      begun.device_code,
      options,
    )
    const tokens = await oauth.processDeviceCodeResponse(server, client, response)
    expect((await organization(tokens.access_token)).status).toBe(200)
  })

  await test.step('revoke the agents’ access, and sign out', async () => {
    await page.goto(access.auth_url)
    await expect(page.getByText('“An agent”')).toHaveCount(2)
    await judge(page, blocked)
    for (const left of [1, 0]) {
      await press(page, '.card:first-child button')
      await expect(page.getByText('“An agent”')).toHaveCount(left)
    }
    expect((await organization(token)).status).toBe(401)
    await press(page, '.who button')
    await expect(page.getByRole('heading', { name: 'You’re signed out' })).toBeVisible()
    await judge(page, blocked)
  })
})

// The guide's agent, exactly as printed there.
test('guide oauth: its agent gets a token once a member agrees', async ({ page }) => {
  const program = guides()
    .find(({ slug }) => slug === 'oauth')
    ?.files.find(({ language }) => language === 'agent.ts')
  const folder = mkdtempSync(path.join(tmpdir(), 'agent-'))
  writeFileSync(path.join(folder, 'agent.ts'), program?.text ?? '')
  const agent = spawn(path.join(root, 'node_modules/.bin/bun'), ['agent.ts'], {
    cwd: folder,
    env: { ...process.env, API: access.url },
  })
  try {
    let printed = ''
    agent.stdout.on('data', bytes => (printed += String(bytes)))
    const failed = textOf(agent.stderr)
    const ended = new Promise<number | null>(resolve => agent.on('close', resolve))
    await expect.poll(() => printed).toMatch(/^Open http\S+\n/)
    await page.goto(/^Open (\S+)/.exec(printed)?.[1] ?? '')

    const { owner } = access
    await page.getByLabel('Email').fill(owner.email)
    await page.getByLabel('Password', { exact: true }).fill(owner.password)
    await page.getByRole('button', { name: 'Continue' }).click()
    const codes = new TOTP({ secret: Secret.fromBase32(owner.totp_secret) })
    // A code works once, and the test above may have used the current code.
    await expect(async () => {
      await page.getByLabel('Code').fill(codes.generate())
      await page.getByRole('button', { name: 'Continue' }).click()
      await expect(page.getByText('Let “My agent” act for you?')).toBeVisible({ timeout: 1000 })
    }).toPass({ intervals: [5_000], timeout: 60_000 })
    await page.getByRole('button', { name: 'Allow' }).click()
    await expect(page.getByText('You may close this page.')).toBeVisible()

    expect([await ended, await failed]).toEqual([0, ''])
    expect(printed).toContain('Harbor Telehealth Clinic (sandbox), organization:read cases:read\n')
  } finally {
    agent.kill()
    rmSync(folder, { recursive: true })
  }
})
