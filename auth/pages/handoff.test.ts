// Going from AUTH_URL to the portal with a session there.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { openHandoffs } from '../accounts/handoffs.ts'
import { openSessions } from '../accounts/sessions.ts'
import { openBrowser } from '../testing/browser.ts'
import {
  openPeople,
  openTestPages,
  peppers,
  portalUrl,
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

const valueOfBrowser = 'what only this browser has'
const browserOf = (value: string) => new Bun.CryptoHasher('sha256').update(value).digest()
const browser = browserOf(valueOfBrowser)
const pathOf = (more: Record<string, string> = {}) =>
  `/handoff?${new URLSearchParams({ to: 'portal', browser: browser.toString('base64url'), ...more })}`

/** The code in an answer that leads to the portal. */
function codeIn(location: string | null): string {
  const url = new URL(location ?? 'none:')
  expect(url.origin).toBe(portalUrl)
  expect(url.pathname).toBe('/signed-in')
  return url.searchParams.get('code') ?? ''
}

async function signedIn() {
  const person = await people.addPerson()
  const opened = openBrowser(pages.origin)
  await signIn(opened, people, person)
  const codeFor = async (more?: Record<string, string>) =>
    codeIn((await opened.send(pathOf(more))).headers.get('location'))
  return { person, opened, codeFor }
}

const handoffs = () => openHandoffs(people.pool, peppers)
const portal = () => openSessions(people.pool, peppers, 'portal')
const call = { requestId: 'req_1', address: '203.0.113.7', agent: null }
const redeem = (code: string, value = valueOfBrowser, former: string | null = null) =>
  handoffs().redeem(code, 'portal', { browser: browserOf(value), former, call })

describe('handoff', () => {
  test('a person who is not signed in signs in first, and goes on to the portal', async () => {
    const person = await people.addPerson()
    const opened = openBrowser(pages.origin)
    const page = await enterPassword(opened, person, pathOf({ next: '/keys?mode=test' }))
    // A form may redirect to the portal only if its page allows that.
    expect(page.headers.get('content-security-policy')).toContain(`form-action 'self' ${portalUrl}`)
    const asked = await opened.submit('/sign-in/code', { code: people.clock.nextCode(person) })
    const url = new URL(asked.url)
    const session = await redeem(codeIn(url.href))
    expect(session?.person).toBe(person.id)
    expect(url.searchParams.get('next')).toBe('/keys?mode=test')
    const found = await portal().find(session?.token ?? '')
    expect(found?.person.email).toBe(person.email)
    expect(found?.secondFactorSeconds).toBeLessThan(60)
  })

  test('the sign-in says what it opens', async () => {
    const opened = openBrowser(pages.origin)
    for (const to of ['portal', 'console']) {
      const next = encodeURIComponent(pathOf({ to }))
      const { text } = await opened.get(`/sign-in?next=${next}`)
      expect(text).toContain(`Sign in to open the ${to}.`)
    }
  })

  test('a session counts at its own origin only', async () => {
    const { codeFor } = await signedIn()
    const session = await redeem(await codeFor())
    expect(await openSessions(people.pool, peppers).find(session?.token ?? '')).toBeNull()
    expect(
      await openSessions(people.pool, peppers, 'console').find(session?.token ?? ''),
    ).toBeNull()
    expect(await portal().find(session?.token ?? '')).not.toBeNull()
  })

  test('the former session of the browser ends', async () => {
    const { codeFor } = await signedIn()
    const first = await redeem(await codeFor())
    const second = await redeem(await codeFor(), valueOfBrowser, first?.token ?? null)
    expect(await portal().find(first?.token ?? '')).toBeNull()
    expect(await portal().find(second?.token ?? '')).not.toBeNull()
  })

  test('signing out at one origin ends the sessions of all', async () => {
    const { opened, codeFor } = await signedIn()
    const session = await redeem(await codeFor())
    await portal().end(session?.token ?? '')
    expect((await opened.get('/')).url).toStartWith('/sign-in')
    const again = await signedIn()
    const other = await redeem(await again.codeFor())
    await again.opened.get('/sign-out')
    await again.opened.submit('/sign-out')
    expect(await portal().find(other?.token ?? '')).toBeNull()
  })

  test('a second factor that is not fresh is asked for again where it has to be', async () => {
    const { person, opened, codeFor } = await signedIn()
    await codeFor({ fresh: '1' })
    await ageFactor(people, person, 301)
    await codeFor()
    const page = await opened.get(pathOf({ fresh: '1' }))
    expect(page.url).toStartWith('/sign-in/code')
    const asked = await opened.submit('/sign-in/code', { code: people.clock.nextCode(person) })
    const session = await redeem(codeIn(asked.url))
    expect((await portal().find(session?.token ?? ''))?.secondFactorSeconds).toBeLessThan(60)
  })
})

test('handoff: leaves an audit row with the person, and none where it is refused', async () => {
  const { person, codeFor } = await signedIn()
  const code = await codeFor()
  const rows = () =>
    people.run(sql`
      select action, surface, actor, person, outcome from audit.entries
       where person = ${person.id} and surface = 'portal'`)
  expect(await redeem(code, 'what another browser has')).toBeNull()
  expect(await rows()).toEqual([])
  await redeem(code)
  const { id } = person
  expect(await rows()).toEqual([
    { action: 'portal.sign_in', surface: 'portal', actor: id, person: id, outcome: 'ok' },
  ])
})

describe('handoff: refused', () => {
  test('a code works once, also when it comes ten times at once', async () => {
    const { codeFor } = await signedIn()
    const code = await codeFor()
    const all = await Promise.all(Array.from({ length: 10 }, () => redeem(code)))
    expect(all.filter(one => one !== null)).toHaveLength(1)
    expect(await redeem(code)).toBeNull()
  })

  test('a code of another browser, and what is no code', async () => {
    const { codeFor } = await signedIn()
    const code = await codeFor()
    expect(await redeem(code, 'what another browser has')).toBeNull()
    expect(await handoffs().redeem(code, 'console', { browser, former: null, call })).toBeNull()
    expect(await redeem("' or true --")).toBeNull()
    expect(await redeem(code)).not.toBeNull()
  })

  test('a code that is older than a minute, or whose session has ended', async () => {
    const { codeFor } = await signedIn()
    const late = await codeFor()
    await people.run(sql`update auth.handoffs set expires_at = expires_at - interval '61 seconds'`)
    expect(await redeem(late)).toBeNull()
    const { opened, codeFor: other } = await signedIn()
    const code = await other()
    await opened.get('/sign-out')
    await opened.submit('/sign-out')
    expect(await redeem(code)).toBeNull()
  })

  test.each(['', 'to=portal', 'to=auth', 'to=console', 'to=portal&browser=short'])(
    '400 with a link to the portal: %p',
    async query => {
      const { opened } = await signedIn()
      const page = await opened.get(`/handoff?${query}`)
      expect(page.status).toBe(400)
      expect(page.text).toContain(`href="${portalUrl}"`)
    },
  )

  test.each(['//evil.example', 'https://evil.example/', '/\\evil.example', '/..//evil.example'])(
    'no other address is gone on to: %p',
    async next => {
      const { opened } = await signedIn()
      const { headers } = await opened.send(pathOf({ next }))
      expect(new URL(headers.get('location') ?? '').searchParams.get('next')).toBe('/')
    },
  )
})
