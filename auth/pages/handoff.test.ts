// Tests the handoff from AUTH_URL to the portal or the console, with a session there.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { type HandoffOrigin, openHandoffs } from '../accounts/handoffs.ts'
import { openSessions } from '../accounts/sessions.ts'
import { openBrowser } from '../testing/browser.ts'
import {
  handoffUrls,
  openPeople,
  openTestPages,
  peppers,
  type TestPages,
  type TestPeople,
} from '../testing/people.ts'
import { ageFactor, enterPassword, signIn } from '../testing/sign-in.ts'

let people: TestPeople
let pages: TestPages
beforeAll(async () => {
  people = await openPeople()
  pages = await openTestPages(people)
})
afterAll(async () => {
  await pages.close()
  await people.close()
})

const digestOf = (value: string) => new Bun.CryptoHasher('sha256').update(value).digest()
const pathOf = (
  { browser = digestOf('its value').toString('base64url'), ...more } = {} as Record<string, string>,
) => `/handoff?${new URLSearchParams({ to: 'portal', browser, ...more })}`

async function signedIn() {
  const person = await people.addPerson()
  const browser = openBrowser(pages.origin)
  await signIn(browser, people, person)
  const goTo = async (more?: Record<string, string>) =>
    new URL((await browser.send(pathOf(more))).headers.get('location') ?? '', pages.origin)
  const codeFor = async () => (await goTo()).searchParams.get('code') ?? ''
  return { person, browser, goTo, codeFor }
}

const sessionsAt = (origin: 'auth' | HandoffOrigin) => openSessions(people.pool, peppers, origin)
const call = { requestId: 'req_1', address: '203.0.113.7', agent: null }
const redeem = (code: string, { value = 'its value', to = 'portal' as HandoffOrigin } = {}) =>
  openHandoffs(people.pool, peppers).redeem(code, to, {
    browser: digestOf(value),
    former: null,
    call,
  })

describe('handoff', () => {
  test('a signed-out person signs in first, and continues to the portal', async () => {
    const person = await people.addPerson()
    const browser = openBrowser(pages.origin)
    const page = await enterPassword(browser, person, pathOf({ next: '/keys?mode=test' }))
    // A form may redirect to another origin only if its page allows that.
    const policy = page.headers.get('content-security-policy')
    expect(policy).toContain(`form-action 'self' ${handoffUrls.portal} ${handoffUrls.console};`)
    const { url } = await browser.submit('/sign-in/code', { code: people.clock.nextCode(person) })
    const { origin, pathname, searchParams } = new URL(url)
    expect([origin, pathname, searchParams.get('next')]).toEqual([
      handoffUrls.portal,
      '/signed-in',
      '/keys?mode=test',
    ])
    const session = await redeem(searchParams.get('code') ?? '')
    expect(session?.person).toBe(person.id)
    const token = session?.token ?? ''
    expect((await sessionsAt('portal').find(token))?.secondFactorSeconds).toBeLessThan(60)
    // The session is valid only at the portal.
    expect(await sessionsAt('auth').find(token)).toBeNull()
    expect(await sessionsAt('console').find(token)).toBeNull()
  })

  test('the sign-in page says what it opens; for pages here, its form can’t leave this origin', async () => {
    const browser = openBrowser(pages.origin)
    for (const to of ['portal', 'console']) {
      const { text } = await browser.get(
        `/sign-in?${new URLSearchParams({ next: pathOf({ to }) })}`,
      )
      expect(text).toContain(`Sign in to open the ${to}.`)
    }
    const { headers } = await browser.get('/sign-in?next=%2Faccount')
    expect(headers.get('content-security-policy')).toContain("form-action 'self';")
  })

  test('each known origin gets only its own codes, and other origins get none', async () => {
    const { goTo, browser } = await signedIn()
    for (const [to, url] of Object.entries(handoffUrls)) {
      const { origin, searchParams } = await goTo({ to })
      expect([origin, /^[\w-]{43}$/.test(searchParams.get('code') ?? '')]).toEqual([url, true])
    }
    for (const to of ['auth', 'other', '']) {
      expect((await browser.get(pathOf({ to }))).status).toBe(400)
    }
  })

  test('signing out at one origin ends the sessions of all', async () => {
    const one = await signedIn()
    await sessionsAt('portal').end((await redeem(await one.codeFor()))?.token ?? '')
    expect((await one.browser.get('/')).url).toStartWith('/sign-in')
    const other = await signedIn()
    const session = await redeem(await other.codeFor())
    const pending = await other.codeFor()
    await other.browser.get('/sign-out')
    await other.browser.submit('/sign-out')
    expect(await sessionsAt('portal').find(session?.token ?? '')).toBeNull()
    expect(await redeem(pending)).toBeNull()
  })

  test('a second factor that is no longer fresh is requested again if required', async () => {
    const { person, browser, goTo } = await signedIn()
    await ageFactor(people, person, 301)
    expect((await goTo()).origin).toBe(handoffUrls.portal)
    expect((await browser.get(pathOf({ fresh: '1' }))).url).toStartWith('/sign-in/code')
    const asked = await browser.submit('/sign-in/code', { code: people.clock.nextCode(person) })
    expect(asked.url).toStartWith(`${handoffUrls.portal}/signed-in?code=`)
  })

  test('a code works once, even simultaneously, in its browser, for its origin, for a minute', async () => {
    const { person, codeFor } = await signedIn()
    const code = await codeFor()
    expect(await redeem(code, { value: 'that of another browser' })).toBeNull()
    expect(await redeem(code, { to: 'console' })).toBeNull()
    expect(await redeem("' or true --")).toBeNull()
    const all = await Promise.all(Array.from({ length: 10 }, () => redeem(code)))
    expect(all.filter(one => one !== null)).toHaveLength(1)
    const late = await codeFor()
    await people.run(sql`update auth.handoffs set expires_at = expires_at - interval '61 seconds'`)
    expect(await redeem(late)).toBeNull()
    // Only the successful handoff is audited.
    const { id } = person
    const rows = await people.run(sql`
      select action, actor, person, outcome from audit.entries
       where person = ${id} and surface = 'portal'`)
    expect([...rows]).toEqual([{ action: 'portal.sign_in', actor: id, person: id, outcome: 'ok' }])
  })

  test('400: a truncated link leads back to the requesting origin', async () => {
    const { browser } = await signedIn()
    for (const [to, url] of Object.entries(handoffUrls)) {
      for (const length of [0, 31, 33]) {
        const cut = Buffer.alloc(length).toString('base64url')
        const { status, text } = await browser.get(pathOf({ to, browser: cut }))
        expect([to, length, status]).toEqual([to, length, 400])
        expect(text).toContain(`<a class="button" href="${url}">Open the ${to}</a>`)
      }
    }
  })

  test.each(['//evil.example', 'https://evil.example/', '/\\evil.example', '/..//evil.example'])(
    'never continues to another address: %p',
    async next => {
      const { goTo } = await signedIn()
      expect((await goTo({ next })).searchParams.get('next')).toBe('/')
    },
  )
})

test('only the console may request passkeys for this host', async () => {
  const answer = await fetch(`${pages.origin}/.well-known/webauthn`)
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(await answer.json()).toEqual({ origins: [handoffUrls.console] })
})
