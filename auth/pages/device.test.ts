import { describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { hiddenFields } from '../testing/browser.ts'
import { beginDevice, everyScope, registerClient } from '../testing/clients.ts'
import { decideRequest, deviceFamilies, enterCode } from '../testing/devices.ts'
import { usePages } from '../testing/pages.ts'
import { signIn } from '../testing/sign-in.ts'

const { people, pages, openMember } = await usePages()

const begin = async (given: { name?: string; scopes?: readonly string[] } = {}) => {
  const client = await registerClient(pages.origin, { name: given.name ?? 'svc' })
  const { mcp } = pages.resources
  return beginDevice(client, { resource: mcp, ...(given.scopes && { scopes: given.scopes }) })
}

describe('connecting a device', () => {
  test('code, request, Approve: the device gets its token, and the page says so', async () => {
    const { person, integration, browser } = await openMember()
    const device = await begin()
    expect(device.userCode).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
    expect((await device.poll()).error).toBe('authorization_pending')
    await signIn(browser, people, person, '/device')
    const lower = device.userCode.toLowerCase().replace('-', ' ')
    const request = await enterCode(browser, lower)
    expect(request.status).toBe(200)
    expect(request.url).toStartWith('/device/request?')
    const approved = await decideRequest(browser, { decide: 'approve' })
    expect(approved.url).toBe('/device/approved')
    expect((await device.poll()).access_token).toStartWith('svc_at_test_')
    expect(await deviceFamilies(people, person)).toEqual([
      {
        integration,
        scopes: ['organization:read', 'patients:read'],
        audience: ['mcp'],
        mode: 'test',
      },
    ])
    const account = await browser.get('/')
    expect(account.text).toContain('“svc”')
  })

  test('the request says who, when, from where and for what', async () => {
    const { person, browser } = await openMember()
    const here = pages.caller.address
    pages.caller.address = '192.0.2.55'
    const device = await begin({ name: 'Build <b>server</b>' })
    pages.caller.address = here
    await signIn(browser, people, person)
    const { text } = await enterCode(browser, device.userCode)
    for (const part of [
      '<h1>Connect “Build &lt;b>server&lt;/b>”?</h1>',
      `<p class="host-name code">${device.userCode}</p>`,
      'not verified by us',
      '<span class="code">192.0.2.55</span>, <strong>not the same as yours</strong>',
      '<dd class="program">svc/1.0 (a test)</dd>',
      'At the tool server. All of it or nothing.',
      '<code>patients:read</code>',
      'Test mode only',
    ]) {
      expect(text).toContain(part)
    }
    expect(text).toMatch(/<dt>When<\/dt><dd>Less than a minute ago, <time datetime="[^"]+">/)
  })

  test('Deny ends the code, and the device is refused', async () => {
    const { person, browser } = await openMember()
    const device = await begin()
    await signIn(browser, people, person)
    await enterCode(browser, device.userCode)
    expect((await decideRequest(browser, { decide: 'deny' })).url).toBe('/device/denied')
    expect((await device.poll()).error).toBe('access_denied')
    expect((await enterCode(browser, device.userCode)).status).toBe(404)
    const rows = await people.run(sql`
      select outcome, code, surface from audit.entries
       where action = 'oauth.device' and person = ${person.id}`)
    expect([...rows]).toEqual([{ outcome: 'refused', code: 'access_denied', surface: 'oauth' }])
  })

  test('a link with a code shows it, and does nothing before the person goes on', async () => {
    const { person, browser } = await openMember()
    const device = await begin()
    const page = await signIn(
      browser,
      people,
      person,
      new URL(device.link).pathname + new URL(device.link).search,
    )
    expect(page.url).toBe(`/device?user_code=${device.userCode}`)
    expect(page.text).toContain(`value="${device.userCode}"`)
    const other = await openMember()
    await signIn(other.browser, people, other.person)
    expect((await enterCode(other.browser, device.userCode)).url).toStartWith('/device/request?')
  })

  test('the first person who opens a code owns it', async () => {
    const [ada, ben] = [await openMember(), await openMember()]
    const device = await begin()
    await signIn(ada.browser, people, ada.person)
    await enterCode(ada.browser, device.userCode)
    await signIn(ben.browser, people, ben.person)
    const page = await enterCode(ben.browser, device.userCode)
    expect(page.status).toBe(404)
    expect(page.text).toContain('Code must be one that a device shows now.')
    expect(page.text).not.toContain('svc')
    const stolen = await ben.browser.get(ada.browser.page.url)
    expect(stolen.url).toBe('/device')
    expect((await decideRequest(ada.browser, { decide: 'approve' })).url).toBe('/device/approved')
  })

  test('an expired code is not found, also when it was open', async () => {
    const { person, browser } = await openMember()
    const device = await begin()
    await signIn(browser, people, person)
    await enterCode(browser, device.userCode)
    await people.run(
      sql`update auth.artifacts set expires_at = now() - interval '1 ms' where kind = 'device'`,
    )
    expect((await decideRequest(browser, { decide: 'approve' })).status).toBe(404)
    expect(await deviceFamilies(people, person)).toEqual([])
  })

  test('a code of a client that was revoked is not found', async () => {
    const { person, browser } = await openMember()
    const device = await begin({ name: 'revoked since' })
    await signIn(browser, people, person)
    await people.run(sql`update auth.clients set revoked_at = now() where name = 'revoked since'`)
    expect((await enterCode(browser, device.userCode)).status).toBe(404)
  })

  test('of simultaneous approvals one counts, and of simultaneous polls one gets the token', async () => {
    const { person, browser } = await openMember()
    const device = await begin()
    await signIn(browser, people, person)
    await enterCode(browser, device.userCode)
    const fields = hiddenFields(browser.page.text, '/device/request')
    const body = () => new URLSearchParams({ ...fields, decide: 'approve' })
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        browser.send('/device/request', { method: 'POST', body: body() }),
      ),
    )
    const approved = answers.filter(({ headers }) => headers.get('location') === '/device/approved')
    expect(approved).toHaveLength(1)
    expect(await deviceFamilies(people, person)).toHaveLength(1)
    const polls = await Promise.all(Array.from({ length: 8 }, () => device.poll()))
    expect(polls.filter(poll => poll.access_token !== undefined)).toHaveLength(1)
  })
})

describe('whole or nothing', () => {
  test('a role that lacks a scope: Approve is off with the reason, and the form cannot force it', async () => {
    const { person, integration, browser } = await openMember('viewer')
    const device = await begin({ scopes: everyScope })
    await signIn(browser, people, person)
    const { text } = await enterCode(browser, device.userCode)
    expect(text).toContain('Your role, viewer, does not have <code>patients:write</code>')
    expect(text).toContain('value="approve" disabled aria-describedby="off"')
    expect(text).toContain('It asks for more than you can give, so you can only deny it.')
    const forced = await decideRequest(browser, { decide: 'approve', integration })
    expect(forced.status).toBe(422)
    expect(await deviceFamilies(people, person)).toEqual([])
    expect((await decideRequest(browser, { decide: 'deny' })).url).toBe('/device/denied')
  })

  test('a grant that lacks a scope: the same', async () => {
    const { person, integration, browser } = await openMember()
    await people.run(sql`
      update auth.grants set scopes = '{organization:read}' where integration = ${integration}`)
    const device = await begin()
    await signIn(browser, people, person)
    const { text } = await enterCode(browser, device.userCode)
    expect(text).toContain('No clinic granted it <code>patients:read</code> in test mode.')
    expect((await decideRequest(browser, { decide: 'approve', integration })).status).toBe(422)
    expect(await deviceFamilies(people, person)).toEqual([])
  })

  test('of several integrations, one that fits can be chosen, and another not', async () => {
    const { person, integration, browser } = await openMember('billing')
    const fit = await people.addMember(person, 'developer')
    const device = await begin()
    await signIn(browser, people, person)
    const { text } = await enterCode(browser, device.userCode)
    expect(text).toContain(`value="${integration}" required disabled`)
    expect(text).toContain(`value="${fit}" required/>`)
    expect((await decideRequest(browser, { decide: 'approve', integration })).status).toBe(422)
    expect((await decideRequest(browser, { decide: 'approve', integration: fit })).status).toBe(200)
    expect(await deviceFamilies(people, person)).toMatchObject([{ integration: fit }])
  })
})

describe('what protects the pages of a device', () => {
  test('no form of another site enters or decides a code', async () => {
    const { person, integration, browser } = await openMember()
    const device = await begin()
    await signIn(browser, people, person)
    await enterCode(browser, device.userCode)
    const proof = new URL(browser.page.url, pages.origin).searchParams.get('proof') ?? ''
    const values = { user_code: device.userCode, proof, decide: 'approve', integration }
    for (const path of ['/device', '/device/request']) {
      for (const headers of [
        { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example.com' },
        { 'sec-fetch-site': 'same-origin' },
      ]) {
        const body = new URLSearchParams(values)
        const response = await browser.send(path, { method: 'POST', body, headers })
        expect(response.status).toBe(403)
      }
    }
    expect(await deviceFamilies(people, person)).toEqual([])
  })

  test('a request cannot be opened by its code alone, so that codes are not guessed there', async () => {
    const { person, browser } = await openMember()
    const device = await begin()
    await signIn(browser, people, person)
    for (const proof of ['', 'x'.repeat(43)]) {
      const query = new URLSearchParams({ user_code: device.userCode, proof })
      expect((await browser.get(`/device/request?${query}`)).url).toBe('/device')
    }
  })

  test('no page is framed, cached or runs a script', async () => {
    const { person, browser } = await openMember()
    const device = await begin()
    await signIn(browser, people, person)
    const { headers } = await enterCode(browser, device.userCode)
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('cache-control')).toBe('no-store')
  })
})
