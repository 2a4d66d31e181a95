// Members in the portal, at two gateways that share only the database, from signing in at AUTH_URL
// to the end of the session.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openBrowser, type TestBrowser } from '#auth/testing/browser.ts'
import type { TestPerson } from '#auth/testing/people.ts'
import { ageFactor, enterPassword } from '#auth/testing/sign-in.ts'
import { sql } from '#database/sql.ts'
import {
  openPlatform,
  type Platform,
  type PlatformGateway,
} from '#gateway/testing/authorization.ts'
import { openMember, openPortalOf } from '#gateway/testing/authorizing.ts'

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

const openPortal = (person: TestPerson, path = '/', index = 0) =>
  openPortalOf(platform, at(index), person, path)

async function openOwner() {
  const { person, integration } = await openMember(platform)
  return { person, integration, ...(await openPortal(person)) }
}

const session = (browser: TestBrowser) => browser.cookies.get('portal_session') ?? ''
/** A page's status at each gateway, requested with the browser's session. */
const statuses = (browser: TestBrowser, path: string) =>
  Promise.all(
    gateways.map(async ({ portalUrl }) => {
      const headers = { cookie: `portal_session=${session(browser)}` }
      return (await fetch(portalUrl + path, { headers, redirect: 'manual' })).status
    }),
  )

describe('portal: signing in', () => {
  test('leads through AUTH_URL and back to the requested page', async () => {
    const { person, integration } = await openMember(platform)
    const { portal } = await openPortal(person, `/${integration}/test/keys`)
    expect(portal.page.url).toBe(`/${integration}/test/keys`)
    expect(portal.page.text).toContain('<h1>Keys</h1>')
    expect(portal.page.text).toContain(person.email)
    // For a person with one integration, / leads to that integration.
    expect((await portal.get('/')).url).toBe(`/${integration}/test`)
  })

  test('creates a new session each time, and ends the previous one', async () => {
    const { portal, auth, integration } = await openOwner()
    const former = session(portal)
    const asked = await portal.get('/sign-in?next=/')
    const back = await auth.get(asked.url.replace(at(0).issuer, ''))
    await portal.get(back.url.replace(at(0).portalUrl, ''))
    expect(session(portal)).not.toBe(former)
    portal.cookies.set('portal_session', former)
    expect(await statuses(portal, `/${integration}/test`)).toEqual([303, 303])
  })

  test('a session planted by another origin’s page is not used', async () => {
    const { person } = await openMember(platform)
    const planted = 'x'.repeat(43)
    const portal = openBrowser(at(0).portalUrl)
    portal.cookies.set('portal_session', planted)
    const asked = await portal.get('/')
    const auth = openBrowser(at(0).issuer)
    await enterPassword(auth, person, asked.url.replace(at(0).issuer, ''))
    const code = platform.people.clock.nextCode(person)
    const back = await auth.submit('/sign-in/code', { code })
    await portal.get(back.url.replace(at(0).portalUrl, ''))
    expect(session(portal)).not.toBe(planted)
    expect(session(portal)).toMatch(/^[\w-]{43}$/)
  })

  test('400: the link back opened in another browser, or twice', async () => {
    const { person } = await openMember(platform)
    const [portal, auth] = [openBrowser(at(0).portalUrl), openBrowser(at(0).issuer)]
    const asked = await portal.get('/')
    await enterPassword(auth, person, asked.url.replace(at(0).issuer, ''))
    const code = platform.people.clock.nextCode(person)
    const back = (await auth.submit('/sign-in/code', { code })).url
    const path = back.replace(at(0).portalUrl, '')
    const other = await openBrowser(at(0).portalUrl).get(path)
    expect(other.status).toBe(400)
    expect(other.text).toContain('You’re not signed in yet')
    expect((await portal.get(path)).status).toBe(200)
    // A second time, it starts no session: a signed-in browser continues, and another is refused.
    const session = portal.cookies.get('portal_session')
    expect((await portal.get(path)).status).toBe(200)
    expect(portal.cookies.get('portal_session')).toBe(session)
    portal.cookies.delete('portal_session')
    expect((await portal.get(path)).status).toBe(400)
  })

  test('cookies are for this host only, and out of reach of scripts', async () => {
    const answer = await openBrowser(at(0).portalUrl).send('/sign-in')
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^portal_sign_in=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
  })
})

describe('portal: a session’s end applies to the next request at every gateway', () => {
  test('signing out, at the portal or at AUTH_URL', async () => {
    const one = await openOwner()
    await one.portal.submit('/sign-out')
    expect(one.portal.page.url).toBe('/signed-out')
    expect((await one.auth.get('/')).url).toStartWith('/sign-in')
    const two = await openOwner()
    expect(await statuses(two.portal, `/${two.integration}/test`)).toEqual([200, 200])
    await two.auth.get('/sign-out')
    await two.auth.submit('/sign-out')
    expect(await statuses(two.portal, `/${two.integration}/test`)).toEqual([303, 303])
  })

  test('a removed member no longer sees the integration; a changed role applies', async () => {
    const { portal, person, integration } = await openOwner()
    const keys = `/${integration}/test/keys/new`
    expect(await statuses(portal, keys)).toEqual([200, 200])
    await platform.people.run(
      sql`update auth.members set role = 'viewer' where person = ${person.id}`,
    )
    expect(await statuses(portal, keys)).toEqual([403, 403])
    await platform.people.run(
      sql`update auth.members set removed_at = now() where person = ${person.id}`,
    )
    expect(await statuses(portal, keys)).toEqual([404, 404])
  })

  test('a disabled person is signed out', async () => {
    const { portal, person, integration } = await openOwner()
    await platform.people.run(
      sql`update auth.persons set disabled_at = now() where id = ${person.id}`,
    )
    expect(await statuses(portal, `/${integration}/test`)).toEqual([303, 303])
  })

  test('eight hours without use, and twelve in total', async () => {
    const { portal, person, integration } = await openOwner()
    await platform.people.run(sql`
      update auth.credentials
         set created_at = now() - interval '8 hours 1 second', last_used_at = null
       where person = ${person.id} and origin = 'portal'`)
    expect(await statuses(portal, `/${integration}/test`)).toEqual([303, 303])
    const again = await openPortal(person)
    await platform.people.run(sql`
      update auth.credentials set expires_at = now() - interval '1 ms' where person = ${person.id}`)
    expect(await statuses(again.portal, `/${integration}/test`)).toEqual([303, 303])
  })
})

describe('portal: a key', () => {
  test('is created, shown once, works at the API, and is refused once revoked', async () => {
    const { portal, integration } = await openOwner()
    await portal.get(`/${integration}/test/keys/new`)
    const made = await portal.submit(`/${integration}/test/keys/new`, {
      name: 'Checkout',
      scope: 'organization:read',
      days: '',
    })
    const key = /svc_sk_test_[0-9A-Za-z]{49}/.exec(made.text)?.[0] ?? ''
    expect(made.text).toContain('won’t see it again')
    expect((await at(1).call('/v1/organization', { as: key })).status).toBe(200)
    expect((await at(1).call('/v1/patients', { as: key })).status).toBe(403)
    const list = await portal.get(`/${integration}/test/keys`)
    expect(list.text).not.toContain(key)
    const href = /href="([^"]+\/keys\/key_[^"]+)"/.exec(list.text)?.[1] ?? ''
    const page = await portal.get(href)
    const path = /action="([^"]+\/revoke)"/.exec(page.text)?.[1] ?? ''
    await portal.submit(path)
    for (const gateway of gateways) {
      expect((await gateway.call('/v1/organization', { as: key })).status).toBe(401)
    }
    const rows = await platform.people.run(sql`
      select action, surface, outcome from audit.entries
       where integration = ${integration} and surface = 'portal' order by seq`)
    expect(rows).toContainEqual({ action: 'createKey', surface: 'portal', outcome: 'ok' })
    expect(rows).toContainEqual({ action: 'revokeKey', surface: 'portal', outcome: 'ok' })
  })

  test('for live mode requires a recent second factor', async () => {
    const { portal, auth, person, integration } = await openOwner()
    await ageFactor(platform.people, person, 301)
    const asked = await portal.get(`/${integration}/live/keys/new`)
    expect(asked.url).toStartWith(`${at(0).issuer}/handoff?`)
    await auth.get(asked.url.replace(at(0).issuer, ''))
    const code = platform.people.clock.nextCode(person)
    const back = await auth.submit('/sign-in/code', { code })
    const form = await portal.get(back.url.replace(at(0).portalUrl, ''))
    expect(form.url).toBe(`/${integration}/live/keys/new`)
    expect(form.status).toBe(200)
  })
})
