// Tests connecting a device: its code, its request, and the two buttons.
import { describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { hiddenFields } from '../testing/browser.ts'
import { beginDevice, everyScope, registerClient } from '../testing/clients.ts'
import { decideRequest, deviceFamilies, enterCode } from '../testing/devices.ts'
import { usePages } from '../testing/pages.ts'
import { ageFactor, signIn } from '../testing/sign-in.ts'

const { people, pages, openMember, newBrowser } = await usePages()

const begin = async ({
  name = 'svc',
  scopes,
}: { name?: string; scopes?: readonly string[] } = {}) =>
  beginDevice(await registerClient(pages.origin, { name }), {
    resource: pages.resources.mcp,
    ...(scopes && { scopes }),
  })

async function openSignedIn(role?: string) {
  const opened = await openMember(role)
  await signIn(opened.browser, people, opened.person)
  return opened
}

const wrong = 'BCDF-GHJK'

describe('connecting a device', () => {
  test('code, request, Approve: the device gets its token, and the account lists it', async () => {
    const { person, integration, browser } = await openMember()
    const device = await begin()
    expect(device.userCode).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
    expect((await device.poll()).error).toBe('authorization_pending')
    await signIn(browser, people, person, '/device')
    const request = await enterCode(browser, device.userCode.toLowerCase().replace('-', ' '))
    expect([request.status, request.url.startsWith('/device/request?')]).toEqual([200, true])
    expect((await decideRequest(browser, { decide: 'approve' })).url).toBe('/device/approved')
    expect((await device.poll()).access_token).toStartWith('svc_at_test_')
    const scopes = ['organization:read', 'patients:read']
    expect(await deviceFamilies(people, person)).toEqual([
      { integration, scopes, audience: ['mcp'], mode: 'test' },
    ])
    expect((await browser.get('/')).text).toContain('“svc”')
  })

  test('the request shows the device, its address and program, the time, and the scopes', async () => {
    const { browser } = await openSignedIn()
    const here = pages.caller.address
    pages.caller.address = '192.0.2.55'
    const device = await begin({ name: 'Build <b>server</b>' })
    pages.caller.address = here
    const { text } = await enterCode(browser, device.userCode)
    for (const part of [
      '<h1>Connect “Build &lt;b>server&lt;/b>”?</h1>',
      `<p class="host-name code">${device.userCode}</p>`,
      'We haven’t verified it.',
      '<span class="code">192.0.2.55</span>, <strong>different from yours</strong>',
      '<dd class="program">svc/1.0 (a test)</dd>',
      'For the tool server. You can’t approve only some of them.',
      '<code>patients:read</code>',
      'Test mode only',
    ]) {
      expect(text).toContain(part)
    }
    expect(text).toMatch(/<dt>When<\/dt><dd>Just now, <time datetime="[^"]+">/)
  })

  test('Deny ends the code, and the device is refused', async () => {
    const { person, browser } = await openSignedIn()
    const device = await begin()
    await enterCode(browser, device.userCode)
    expect((await decideRequest(browser, { decide: 'deny' })).url).toBe('/device/denied')
    expect((await device.poll()).error).toBe('access_denied')
    expect((await enterCode(browser, device.userCode)).status).toBe(404)
    const rows = await people.run(sql`
      select outcome, code, surface from audit.entries
       where action = 'oauth.device' and person = ${person.id}`)
    expect([...rows]).toEqual([{ outcome: 'refused', code: 'access_denied', surface: 'oauth' }])
  })

  test('a link with a code shows the code, and does nothing before the person continues', async () => {
    const { person, browser } = await openMember()
    const device = await begin()
    const { pathname, search } = new URL(device.link)
    const page = await signIn(browser, people, person, pathname + search)
    expect(page.url).toBe(`/device?user_code=${device.userCode}`)
    expect(page.text).toContain(`value="${device.userCode}"`)
    const other = await openSignedIn()
    expect((await enterCode(other.browser, device.userCode)).url).toStartWith('/device/request?')
  })

  test('if the factor isn’t fresh, the person confirms it and returns to the request', async () => {
    const { person, browser } = await openSignedIn()
    const { url: request } = await enterCode(browser, (await begin()).userCode)
    await ageFactor(people, person, 301)
    await decideRequest(browser, { decide: 'approve' })
    expect(browser.page.text).toContain('Confirm it’s you')
    expect(await deviceFamilies(people, person)).toEqual([])
    const back = await browser.submit('/sign-in/code', { code: people.clock.nextCode(person) })
    expect(back.url).toBe(request)
    expect((await decideRequest(browser, { decide: 'approve' })).url).toBe('/device/approved')
  })
})

describe('404: a code', () => {
  test('a code another person opened first can be decided only by them', async () => {
    const [ada, ben] = [await openSignedIn(), await openSignedIn()]
    const device = await begin()
    await enterCode(ada.browser, device.userCode)
    const page = await enterCode(ben.browser, device.userCode)
    expect([page.status, page.text.includes('svc')]).toEqual([404, false])
    // Neither the request's URL nor its code is enough on its own.
    const alone = `/device/request?user_code=${device.userCode}`
    for (const path of [ada.browser.page.url, alone, `${alone}&proof=${'x'.repeat(43)}`]) {
      expect((await ben.browser.get(path)).url).toBe('/device')
    }
    expect((await decideRequest(ada.browser, { decide: 'approve' })).url).toBe('/device/approved')
  })

  test('a code that expired while open, or whose client was revoked, is unknown', async () => {
    const { person, browser } = await openSignedIn()
    await enterCode(browser, (await begin()).userCode)
    await people.run(
      sql`update auth.artifacts set expires_at = now() - interval '1 ms' where kind = 'device'`,
    )
    expect((await decideRequest(browser, { decide: 'approve' })).status).toBe(404)
    const device = await begin({ name: 'revoked since' })
    await people.run(sql`update auth.clients set revoked_at = now() where name = 'revoked since'`)
    expect((await enterCode(browser, device.userCode)).status).toBe(404)
    expect(await deviceFamilies(people, person)).toEqual([])
  })

  test('one of several simultaneous decisions counts, and one poll gets the token', async () => {
    const { person, browser } = await openSignedIn()
    const device = await begin()
    await enterCode(browser, device.userCode)
    const fields = hiddenFields(browser.page.text, '/device/request')
    const body = () => new URLSearchParams({ ...fields, decide: 'approve' })
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        browser.send('/device/request', { method: 'POST', body: body() }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, ...Array(7).fill(404)])
    expect(await deviceFamilies(people, person)).toHaveLength(1)
    const polls = await Promise.all(Array.from({ length: 8 }, () => device.poll()))
    expect(polls.filter(poll => poll.access_token !== undefined)).toHaveLength(1)
  })
})

describe('all or nothing', () => {
  test.each([
    [
      'role',
      'viewer',
      everyScope,
      'Your role, Viewer, doesn’t include <code>patients:write</code>',
    ],
    ['grant', 'owner', undefined, 'No clinic has granted <code>patients:read</code> in test mode.'],
  ] as const)('a %s without a scope: only Deny is possible', async (_, role, scopes, says) => {
    const { person, integration, browser } = await openSignedIn(role)
    await people.run(sql`
      update auth.grants set scopes = '{organization:read}'
       where integration = ${integration} and ${role === 'owner'}`)
    const { text } = await enterCode(browser, (await begin(scopes && { scopes })).userCode)
    expect(text).toContain(says)
    expect(text).toContain('value="approve" disabled aria-describedby="off"')
    const forced = await decideRequest(browser, { decide: 'approve', integration })
    expect([forced.status, await deviceFamilies(people, person)]).toEqual([422, []])
    expect((await decideRequest(browser, { decide: 'deny' })).url).toBe('/device/denied')
  })

  test('only a matching integration can be chosen', async () => {
    const { person, integration, browser } = await openSignedIn('billing')
    const fit = await people.addMember(person, 'developer')
    const { text } = await enterCode(browser, (await begin()).userCode)
    expect(text).toContain(`value="${integration}" required disabled`)
    expect(text).toContain(`value="${fit}" required/>`)
    const { integration: foreign } = await openMember()
    for (const chosen of [integration, foreign, '']) {
      const refused = await decideRequest(browser, { decide: 'approve', integration: chosen })
      expect(refused.status).toBe(422)
    }
    expect((await decideRequest(browser, { decide: 'neither' })).status).toBe(200)
    expect((await decideRequest(browser, { decide: 'approve', integration: fit })).status).toBe(200)
    expect(await deviceFamilies(people, person)).toMatchObject([{ integration: fit }])
  })
})

describe('wrong codes', () => {
  test('422: an impossible code is not counted', async () => {
    const { browser } = await openSignedIn()
    for (let count = 0; count < 7; count++) {
      expect((await enterCode(browser, 'AEIOU-123')).status).toBe(422)
    }
  })

  test('after five in a session, even simultaneous, the second factor is requested again', async () => {
    const { person, browser } = await openSignedIn()
    const device = await begin()
    await browser.get('/device')
    const { form = '' } = hiddenFields(browser.page.text, '/device')
    const body = () => new URLSearchParams({ form, user_code: wrong })
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => browser.send('/device', { method: 'POST', body: body() })),
    )
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(5)
    expect((await browser.get('/device')).url).toBe('/sign-in/code?next=%2Fdevice')
    await browser.submit('/sign-in/code', { code: people.clock.nextCode(person) })
    expect((await enterCode(browser, device.userCode)).url).toStartWith('/device/request?')
  })

  test('429: after thirty from a person in an hour, across sessions; others can connect', async () => {
    const { person, browser } = await openSignedIn()
    const device = await begin()
    for (let count = 0; count < 30;) {
      if ((await browser.get('/device')).url !== '/device') {
        await browser.submit('/sign-in/code', { code: people.clock.nextCode(person) })
      } else if ((await browser.submit('/device', { user_code: wrong })).status === 404) count++
    }
    const fresh = newBrowser()
    await signIn(fresh, people, person)
    const refused = await enterCode(fresh, device.userCode)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000)
    const other = await people.addPerson()
    await people.addMember(other)
    const neighbor = newBrowser()
    await signIn(neighbor, people, other)
    expect((await enterCode(neighbor, device.userCode)).url).toStartWith('/device/request?')
  })
})
