// Neighbors at one address make two hundred failed attempts of each kind. Right afterward, everyone
// with a valid key, token, session, password or passkey still has access on every surface.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { issueToken } from '#auth/testing/tokens.ts'
import { mintAccessToken, mintClientSecret, mintKey, mintRefreshToken } from '#auth/tokens.ts'
import { oauthPaths } from '#contract/oauth.ts'
import { openAuthenticator, optionsIn } from '#auth/testing/authenticator.ts'
import { openBrowser, type TestBrowser } from '#auth/testing/browser.ts'
import { beginDevice, registerClient } from '#auth/testing/clients.ts'
import { enterCode } from '#auth/testing/devices.ts'
import { usePages } from '#auth/testing/pages.ts'
import { enterPassword, signIn } from '#auth/testing/sign-in.ts'
import { useConsolePages } from '#console/testing/console.ts'
import { randomBytes } from '#database/clock.ts'
import { sql } from '#database/sql.ts'
import { openTestGateway } from '#gateway/testing/gateway.ts'
import { openGateway, subscribe, tokenFor } from '#gateway/testing/subscribers.ts'
import { addMember, openTestPortal } from '#portal/testing/portal.ts'
import { openClinicalTools } from './testing/clinical-tools.ts'

const attempts = 200
const address = '203.0.113.9'
const headers = { 'x-forwarded-for': address }

/** Sends two hundred requests, ten at a time, and returns the distinct statuses. */
async function twoHundred(send: (at: number) => Promise<{ status: number }>): Promise<number[]> {
  const statuses = new Set<number>()
  for (let sent = 0; sent < attempts; sent += 10) {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => send(sent + at)))
    for (const { status } of answers) statuses.add(status)
  }
  return [...statuses].toSorted((a, b) => a - b)
}

const invented = {
  key: () => mintKey('test', randomBytes(32)),
  'live key': () => mintKey('live', randomBytes(32)),
  token: () => mintAccessToken('test', randomBytes(32)),
  'malformed key': () => 'guess',
  'no credential': () => null,
}

describe('neighbors of programs and signed-in people', () => {
  const consolePages = useConsolePages()
  const { fixtures } = consolePages
  let opened: Awaited<ReturnType<typeof open>>
  const open = async () => ({
    api: await openTestGateway({ beside: fixtures }),
    tools: await openClinicalTools({ beside: fixtures }),
    realtime: await openGateway(fixtures),
    portal: openTestPortal(fixtures),
  })
  beforeAll(async () => void (opened = await open()))
  afterAll(async () => void (await Promise.all(Object.values(opened).map(one => one.close()))))

  test('v1, preview, tools, realtime, portal and console admit everyone with a valid credential', async () => {
    const { api, tools, realtime, portal } = opened
    const paths = ['/v1/organization', '/preview/requests', '/preview/fhir/Patient']
    for (const [kind, credential] of Object.entries(invented)) {
      const statuses = await twoHundred(async at => {
        const as = credential()
        if (at % 4 === 3) return tools.ask('tools/list', {}, { as, headers })
        return api.call(paths[at % 4] ?? '', { as, headers })
      })
      expect([kind, ...statuses.filter(status => status !== 401)]).toEqual([kind, 429])
    }
    await twoHundred(() => fetch(realtime.http, { headers: { ...headers, upgrade: 'websocket' } }))
    for (const [origin, cookie] of [
      [portal.origin, 'portal_session'],
      [consolePages.origin, 'console_session'],
    ] as const) {
      const statuses = await twoHundred(() => {
        const session = mintRefreshToken(randomBytes(32)).slice(-43)
        const sent = { cookie: `${cookie}=${session}` }
        return fetch(`${origin}/`, { headers: sent, redirect: 'manual' })
      })
      expect([cookie, ...statuses]).toEqual([cookie, 303])
    }

    fixtures.context.credentialCache.clear()
    const { ada, ben, owner } = fixtures
    const { token } = await owner.use(connection =>
      issueToken(connection, fixtures.context.pepper, { integration: ada.integration }),
    )
    for (const as of [ada.test, ben.test, ada.live, token]) {
      expect((await api.call('/v1/organization', { as, headers })).status).toBe(200)
    }
    for (const path of ['/preview/requests', '/preview/fhir/Patient'])
      expect([path, (await api.call(path, { headers })).status]).toEqual([path, 200])
    expect((await tools.ask('tools/list', {}, { as: ben.test, headers })).status).toBe(200)
    const { hello, socket } = await subscribe(realtime, await tokenFor(fixtures, ada.test))
    expect(hello).not.toBeNull()
    socket.close()
    const { browser, home } = await consolePages.signIn()
    for (const path of ['', '/orders', '/visits']) {
      expect([path, (await browser.get(home + path)).status]).toEqual([path, 200])
    }
    const member = openBrowser(portal.origin)
    member.cookies.set('portal_session', (await addMember(fixtures, {})).token)
    for (const path of ['', '/keys', '/requests']) {
      const page = await member.get(`/${ada.integration}/test${path}`)
      expect([path, page.status]).toEqual([path, 200])
    }
  }, 60_000)
})

describe('neighbors of people who sign in', async () => {
  const { people, pages, newBrowser, openMember, moveToNewNetwork } = await usePages()
  const submit = async (path: string, values: Record<string, string>) => {
    const browser = newBrowser()
    await browser.get(path.replace('/passkey', ''))
    return browser.submit(path, values)
  }
  const form = (values: Record<string, string>) =>
    fetch(pages.origin + oauthPaths.token, { method: 'POST', body: new URLSearchParams(values) })
  const usePasskey = async (browser: TestBrowser, key: ReturnType<typeof openAuthenticator>) => {
    const { text } = await browser.get('/sign-in')
    return browser.submit('/sign-in/passkey', { answer: key.get(optionsIn(text)) })
  }

  test('a password with a code, a passkey, a device code and a recovery work', async () => {
    const [ada, ben, cleo, guesser] = [
      await openMember(),
      await openMember(),
      await openMember(),
      await openMember(),
    ]
    const passkey = openAuthenticator(pages.origin)
    await signIn(ben.browser, people, ben.person)
    const { text } = await ben.browser.get('/passkeys')
    const added = { name: 'A phone', answer: passkey.create(optionsIn(text)) }
    expect((await ben.browser.submit('/passkeys', added)).url).toBe('/account')
    // Cleo has signed in from this browser before; the person guessing her password hasn't.
    await signIn(cleo.browser, people, cleo.person)
    await signIn(guesser.browser, people, guesser.person)
    const client = await registerClient(pages.origin, { name: 'svc' })
    const device = await beginDevice(client, { resource: pages.resources.mcp })
    moveToNewNetwork()

    const wrong = { password: 'not the password' }
    let guessing = Promise.resolve({ status: 0 })
    const guessDeviceCode = async () => {
      if ((await guesser.browser.get('/device')).url !== '/device') {
        const code = people.clock.nextCode(guesser.person)
        await guesser.browser.submit('/sign-in/code', { code })
      }
      return enterCode(guesser.browser, 'BCDF-GHJK')
    }
    const refused: Record<string, number[]> = {
      'a password': [403],
      'the password of Cleo': [403, 429],
      'a passkey': [403],
      'a sign-up': [200, 429],
      'a client secret': [401, 429],
      'a device code': [200, 404, 429],
    }
    const kinds: Record<string, (at: number) => Promise<{ status: number }>> = {
      'a password': at => submit('/sign-in', { ...wrong, email: `unknown${at}@example.com` }),
      'the password of Cleo': () => submit('/sign-in', { ...wrong, email: cleo.person.email }),
      'a passkey': () => submit('/sign-in/passkey', { answer: '{}' }),
      'a recovery': at => submit('/recover', { email: `unknown${at}@example.com` }),
      'a sign-up': at =>
        submit('/sign-up', {
          email: `unknown${at}@example.com`,
          name: 'No One',
          company: 'No One',
        }),
      'a client secret': () => {
        const client_secret = mintClientSecret(randomBytes(32))
        return form({ grant_type: 'client_credentials', client_id: 'cli_no', client_secret })
      },
      // Attempts run one by one, because they share a browser.
      'a device code': () => (guessing = guessing.then(guessDeviceCode)),
    }
    for (const [kind, send] of Object.entries(kinds)) {
      const statuses = await twoHundred(send)
      expect([kind, statuses]).toEqual([kind, refused[kind] ?? [200]])
    }

    const fresh = newBrowser()
    expect((await enterPassword(fresh, ada.person)).url).toBe('/sign-in/code')
    const code = people.clock.nextCode(ada.person)
    expect((await fresh.submit('/sign-in/code', { code })).url).toBe('/')
    expect((await usePasskey(newBrowser(), passkey)).url).toBe('/')
    expect((await enterCode(fresh, device.userCode)).url).toStartWith('/device/request?')
    cleo.browser.cookies.delete('auth_session')
    expect((await signIn(cleo.browser, people, cleo.person)).url).toBe('/')
    expect((await submit('/recover', { email: ada.person.email })).status).toBe(200)
    const asked = sql`select from auth.recoveries where person = ${ada.person.id}`
    expect(await people.run(asked)).toHaveLength(1)
  }, 120_000)
})
