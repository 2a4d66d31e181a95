// What the consent of an agent and the approval of a device say of what can be given, and what they
// do with an answer that is neither yes nor no.
import { describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { beginAuthorization, beginDevice, everyScope, registerClient } from '../testing/clients.ts'
import { decideRequest, deviceFamilies, enterCode } from '../testing/devices.ts'
import { usePages } from '../testing/pages.ts'
import type { TestPerson } from '../testing/people.ts'
import { signIn } from '../testing/sign-in.ts'

const { people, pages, openMember } = await usePages()

async function openSignedIn(role?: string) {
  const opened = await openMember(role)
  await signIn(opened.browser, people, opened.person)
  return opened
}

const callback = 'http://127.0.0.1:33418/callback'

/** At the page that asks for the consent. */
async function askConsent(browser: TestBrowser, redirectUri = callback) {
  const client = await registerClient(pages.origin, { name: 'An agent', redirectUri })
  const begin = async () => browser.get((await beginAuthorization(client, { redirectUri })).url)
  return { page: await begin(), begin }
}

/** At the page that asks for the approval. */
async function askApproval(browser: TestBrowser, scopes?: readonly string[]) {
  const client = await registerClient(pages.origin, { name: 'svc' })
  const { mcp } = pages.resources
  const device = await beginDevice(client, { resource: mcp, ...(scopes && { scopes }) })
  return enterCode(browser, device.userCode)
}

const agentFamilies = (person: TestPerson) =>
  people.run(sql`select from auth.token_families where person = ${person.id} and kind = 'agent'`)

const nameOf = async (integration: string) => {
  const [row] = await people.run<{ name: string }>(
    sql`select name from auth.integrations where id = ${integration}`,
  )
  return row?.name ?? 'none'
}

const notGiven = '<strong> (not yours to give)</strong>'

describe('what is asked for', () => {
  test('can be given as a whole where nothing is lacked', async () => {
    const { browser } = await openSignedIn()
    const { page } = await askConsent(browser)
    for (const text of [page.text, (await askApproval(browser)).text]) {
      expect(text).toMatch(/name="decide" value="approve">(Allow|Approve)</)
      expect(text).toContain('<li><span>Read patients, consents and files')
      for (const obstacle of ['not yours to give', 'does not have', 'No clinic', 'id="off"']) {
        expect(text).not.toContain(obstacle)
      }
      expect(text).not.toContain('class="fault"')
    }
  })

  test('is marked where the only integration lacks it, with the role that does', async () => {
    const { browser } = await openSignedIn('billing')
    const { page } = await askConsent(browser)
    expect(page.text).toContain(
      `<li class="missing"><span>Read patients, consents and files, and export one patient${notGiven}</span> <code>patients:read</code>`,
    )
    expect(page.text).toContain(
      '<li><span>Read the organization and its medication catalog</span> <code>organization:read</code>',
    )
    expect(page.text).toContain('of which you are billing.')
    expect(page.text).toContain(
      '<p class="fault" id="off">It asks for more than you can give, so you can only deny it.</p>',
    )
  })

  test('is listed where a role lacks several of it', async () => {
    const { browser } = await openSignedIn('viewer')
    const { text } = await askApproval(browser, everyScope)
    expect(text).toContain(
      'Your role, viewer, does not have <code>patients:write</code>, <code>cases:write</code>, <code>webhooks:manage</code>, <code>realtime:subscribe</code>, <code>test:manage</code>, <code>visits:write</code>. An owner or a developer of the integration can approve this.',
    )
  })

  test('is not marked where there are several integrations: each says what it lacks', async () => {
    const { person, integration, browser } = await openSignedIn('billing')
    const fit = await people.addMember(person, 'developer')
    const { page } = await askConsent(browser)
    expect(page.text).not.toContain('not yours to give')
    expect(page.text).toContain('aria-describedby="integration-hint"')
    expect(page.text).not.toContain('id="off"')
    // What fits comes first.
    expect(page.text.indexOf(`value="${fit}"`)).toBeLessThan(
      page.text.indexOf(`value="${integration}"`),
    )
    const refused = await browser.submit(page.url, { decide: 'approve', integration })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain(
      'Integration must be one for which you can give everything that is asked for.',
    )
    expect(refused.text).toContain('aria-describedby="integration-hint integration-fault"')
  })
})

describe('a consent', () => {
  test.each([
    ['http://127.0.0.1:33418/callback', true],
    ['http://[::1]:33418/callback', true],
    ['http://localhost:33418/callback', true],
    ['https://agent.example.com/callback', false],
  ])('for %s says whether that is a program on this computer: %p', async (redirectUri, isHere) => {
    const { browser } = await openSignedIn()
    const { page } = await askConsent(browser, redirectUri)
    const said = 'a program on the computer that you are using'
    expect([page.status, page.text.includes(said)]).toEqual([200, isHere])
  })

  test('names the integration of the latest one to the same agent', async () => {
    const { person, integration, browser } = await openSignedIn()
    const second = await people.addMember(person)
    const { page, begin } = await askConsent(browser)
    const given = async (path: string, chosen: string) => {
      await browser.submit(path, { decide: 'approve', integration: chosen })
      return begin()
    }
    const [one, other] = [await nameOf(second), await nameOf(integration)]
    const first = await given(page.url, second)
    expect(first.text).toContain(`You gave “An agent” at this address access to ${one} on <time`)
    const next = await given(first.url, integration)
    expect(next.text).toContain(`access to ${other} on <time`)
    expect(next.text).toContain(`value="${integration}" required checked`)
  })

  test('an answer that is neither yes nor no gives nothing, and the page stays open', async () => {
    const { person, integration, browser } = await openSignedIn()
    const { page } = await askConsent(browser)
    for (const decide of ['', 'other', 'Approve']) {
      const again = await browser.submit(page.url, { decide, integration })
      expect([decide, again.status, again.url]).toEqual([decide, 200, page.url])
    }
    expect(await agentFamilies(person)).toHaveLength(0)
  })

  test('404: it was answered already, and stays as it was answered', async () => {
    const { person, integration, browser } = await openSignedIn()
    const { page } = await askConsent(browser)
    expect((await browser.post(page.url, { decide: 'deny' })).status).toBe(303)
    for (const decide of ['deny', 'approve']) {
      const late = await browser.post(page.url, { decide, integration })
      expect([decide, late.status]).toEqual([decide, 404])
      expect(await late.text()).toContain('<h1>This request has ended</h1>')
    }
    expect(await agentFamilies(person)).toHaveLength(0)
  })

  test('400: an unknown agent is named by a reference for the operator', async () => {
    const { browser } = await openSignedIn()
    const { url } = await beginAuthorization(await registerClient(pages.origin))
    const unknown = new URL(url)
    unknown.searchParams.set('client_id', 'unknown')
    const page = await browser.get(unknown.href)
    expect(page.status).toBe(400)
    expect(page.text).toContain('Reference <span class="code">invalid_client: ')
  })
})

describe('an approval', () => {
  test('an answer that is neither yes nor no gives nothing, and the page stays open', async () => {
    const { person, integration, browser } = await openSignedIn()
    await askApproval(browser)
    for (const decide of ['', 'other', 'Approve']) {
      const again = await decideRequest(browser, { decide, integration })
      expect([decide, again.status, again.url]).toEqual([decide, 200, '/device/request'])
    }
    expect(await deviceFamilies(people, person)).toEqual([])
    expect((await decideRequest(browser, { decide: 'approve' })).url).toBe('/device/approved')
  })

  test('422: says whether an integration is none of the own ones, or lacks something', async () => {
    const { person, integration, browser } = await openSignedIn('billing')
    await people.addMember(person, 'developer')
    const { integration: foreign } = await openMember()
    await askApproval(browser)
    for (const [chosen, fault] of [
      [integration, 'Integration must be one for which you can give everything that is asked for.'],
      [foreign, 'Integration must be one of yours.'],
      ['', 'Integration must be one of yours.'],
    ] as const) {
      const refused = await decideRequest(browser, { decide: 'approve', integration: chosen })
      expect(refused.status).toBe(422)
      expect(refused.text).toContain(fault)
    }
    expect(await deviceFamilies(people, person)).toEqual([])
  })

  test('of simultaneous answers one counts, and to the others the code has ended', async () => {
    const { integration, browser } = await openSignedIn()
    await askApproval(browser)
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        browser.post('/device/request', { decide: at % 2 ? 'deny' : 'approve', integration }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, ...Array(7).fill(404)])
  })
})
