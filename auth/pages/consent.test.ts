import { describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { hiddenFields, type TestBrowser } from '../testing/browser.ts'
import { beginAuthorization, registerClient } from '../testing/clients.ts'
import { usePages } from '../testing/pages.ts'
import { password, type TestPerson } from '../testing/people.ts'
import { enterPassword, signIn } from '../testing/sign-in.ts'

const { people, pages, openMember, newBrowser } = await usePages()

/** An agent whose request the browser has followed to the first page of a person. */
async function asked(
  browser: TestBrowser,
  { name = 'An agent', redirectUri = 'http://127.0.0.1:33418/callback', scopes }: Asked = {},
) {
  const client = await registerClient(pages.origin, { name, redirectUri })
  const begun = await beginAuthorization(client, { redirectUri, ...(scopes && { scopes }) })
  await browser.get(begun.url)
  return { client, begun }
}
type Asked = { name?: string; redirectUri?: string; scopes?: readonly string[] }

const decide = async (browser: TestBrowser, values: Record<string, string>) => {
  const page = await browser.submit(browser.page.url, values)
  return { page, location: page.url }
}

async function consentPage(browser: TestBrowser, person: TestPerson, given: Asked = {}) {
  const { client, begun } = await asked(browser, given)
  await browser.submit('/sign-in', { email: person.email, password })
  await browser.submit('/sign-in/code', { code: people.clock.nextCode(person) })
  return { client, begun, page: browser.page }
}

const families = (person: TestPerson) =>
  people.run<{ integration: string; client: string; scopes: string[]; redirect_host: string }>(sql`
    select integration, client, scopes, redirect_host from auth.token_families
     where person = ${person.id} and kind = 'agent' and mode = 'test'`)

describe('the consent of an agent', () => {
  test('leads over sign-in to the page, and with Allow to tokens of the person', async () => {
    const { person, integration, browser } = await openMember()
    const { client, begun, page } = await consentPage(browser, person, { name: 'Claude Code' })
    expect(page.status).toBe(200)
    expect(page.url).toMatch(/^\/consent\/[\w-]+$/)
    const { location } = await decide(browser, { decide: 'approve' })
    expect(location).toStartWith('http://127.0.0.1:33418/callback?')
    const tokens = await begun.finish(location)
    expect(tokens.access_token).toStartWith('svc_at_test_')
    expect(tokens.scope).toBe('organization:read patients:read')
    expect(await families(person)).toEqual([
      {
        integration,
        client: client.id,
        scopes: ['organization:read', 'patients:read'],
        redirect_host: '127.0.0.1:33418',
      },
    ])
  })

  test('the page says who asks, that it is not verified, where the answer goes, and for what', async () => {
    const { person, browser } = await openMember()
    const { page } = await consentPage(browser, person, { name: 'Claude Code' })
    for (const text of [
      '<h1>“Claude Code” asks to act for you</h1>',
      '<p class="host-name">127.0.0.1:33418</p>',
      'registered itself at <time',
      'not verified by us',
      'Read the organization and its medication catalog</span> <code>organization:read</code>',
      'Test mode only',
      'At the tool server.',
    ]) {
      expect(page.text).toContain(text)
    }
    expect(page.text).not.toContain('patients:write')
  })

  test('of a client that is named by its document, the page and the account name its host', async () => {
    const { person, browser } = await openMember()
    const given = { name: 'Claude Code' }
    const { client, page, begun } = await consentPage(browser, person, given)
    await people.run(sql`
      update auth.clients set document_expires_at = now() + interval '1 hour',
             document_url = 'https://editor.example.com/client.json' where id = ${client.id}`)
    await browser.get(page.url)
    for (const text of ['<strong>editor.example.com</strong> describes', 'Anyone can choose']) {
      expect(browser.page.text).toContain(text)
    }
    expect(browser.page.text).not.toContain('registered itself')
    await begun.finish((await decide(browser, { decide: 'approve' })).location)
    await browser.get('/')
    expect(browser.page.text).toContain('Agent of editor.example.com at 127.0.0.1:33418')
  })

  test('what a client calls itself stays text', async () => {
    const { person, browser } = await openMember()
    const { page } = await consentPage(browser, person, { name: '</h1><script>alert(1)</script>' })
    expect(page.text).toContain('&lt;script>')
    expect(page.text).not.toContain('<script')
  })

  test('Deny sends the agent an error and nothing else', async () => {
    const { person, browser } = await openMember()
    const { client } = await consentPage(browser, person)
    const { location } = await decide(browser, { decide: 'deny' })
    const answer = new URL(location)
    expect(answer.searchParams.get('error')).toBe('access_denied')
    expect(answer.searchParams.get('iss')).toBe(pages.origin)
    expect(answer.searchParams.has('code')).toBe(false)
    expect(await families(person)).toEqual([])
    const [row] = await people.run(sql`
      select person, client, outcome, code from audit.entries
       where action = 'oauth.consent' and person = ${person.id}`)
    expect(row).toEqual({
      person: person.id,
      client: client.id,
      outcome: 'refused',
      code: 'access_denied',
    })
  })

  test('it is asked again, with the earlier answer shown and its integration chosen', async () => {
    const { person, browser } = await openMember()
    const chosen = await people.addMember(person)
    const { client } = await consentPage(browser, person)
    expect(browser.page.text).toContain('type="radio"')
    expect(browser.page.text).not.toContain(' checked')
    await decide(browser, { decide: 'approve', integration: chosen })
    await browser.get((await beginAuthorization(client)).url)
    expect(browser.page.text).toContain('You gave “An agent” at this address access')
    expect(browser.page.text).toContain(`value="${chosen}" required checked`)
    const elsewhere = await beginAuthorization(client, {
      redirectUri: 'http://127.0.0.1:9999/callback',
    })
    await browser.get(elsewhere.url)
    expect(browser.page.text).not.toContain('You gave')
  })

  test('an earlier answer to another client, of another person, or since ended is not shown', async () => {
    const { person, browser } = await openMember()
    const { client } = await consentPage(browser, person)
    const { id } = person
    await decide(browser, { decide: 'approve' })
    const given = async (who: TestBrowser, to = client) =>
      (await who.get((await beginAuthorization(to)).url)).text.includes('You gave “An agent”')
    expect(await given(browser)).toBe(true)
    expect(await given(browser, (await asked(browser)).client)).toBe(false)
    const other = await openMember()
    await signIn(other.browser, people, other.person)
    expect(await given(other.browser)).toBe(false)
    await people.run(sql`update auth.token_families set revoked_at = now() where person = ${id}`)
    expect(await given(browser)).toBe(false)
  })

  test('of several integrations one has to be chosen, and only of the own ones', async () => {
    const { person, browser } = await openMember()
    await people.addMember(person)
    const other = await openMember()
    await consentPage(browser, person)
    const { page } = await decide(browser, { decide: 'approve' })
    expect(page.status).toBe(422)
    expect(page.text).toContain('Integration must be one of yours.')
    const foreign = await decide(browser, { decide: 'approve', integration: other.integration })
    expect(foreign.page.status).toBe(422)
    expect(await families(person)).toEqual([])
  })

  test('a role without a scope can only deny, whatever the form says', async () => {
    const { person, integration, browser } = await openMember('billing')
    const { page } = await consentPage(browser, person)
    expect(page.text).toContain('Your role, billing, does not have <code>patients:read</code>')
    expect(page.text).toContain('value="approve" disabled aria-describedby="off"')
    const { page: refused } = await decide(browser, { decide: 'approve', integration })
    expect(refused.status).toBe(422)
    expect(await families(person)).toEqual([])
  })

  test('a grant without a scope can only be denied as well', async () => {
    const { person, integration, browser } = await openMember()
    await people.run(sql`
      update auth.grants set scopes = '{organization:read}' where integration = ${integration}`)
    const { page } = await consentPage(browser, person)
    expect(page.text).toContain('No clinic granted it <code>patients:read</code> in test mode.')
    const { page: refused } = await decide(browser, { decide: 'approve', integration })
    expect(refused.status).toBe(422)
    expect(await families(person)).toEqual([])
  })

  test('a person without a second factor, or without an integration, cannot give it', async () => {
    const plain = await people.addPerson(false)
    await people.addMember(plain)
    const one = newBrowser()
    await asked(one)
    const { url } = one.page
    await enterPassword(one, plain, url)
    expect(one.page.url).toStartWith('/second-factor?next=%2Fconsent%2F')
    const alone = await people.addPerson()
    const other = newBrowser()
    const { page } = await consentPage(other, alone)
    expect(page.text).toContain('You are a member of no integration')
    const { page: refused } = await decide(other, { decide: 'approve', integration: 'int_x' })
    expect(refused.status).toBe(422)
  })

  test('a member who is removed while the page is open gives nothing', async () => {
    const { person, integration, browser } = await openMember()
    await consentPage(browser, person)
    await people.run(sql`
      update auth.members set removed_at = now() where person = ${person.id}`)
    const { page } = await decide(browser, { decide: 'approve', integration })
    expect(page.status).toBe(422)
    expect(await families(person)).toEqual([])
  })

  test('simultaneous answers give it once', async () => {
    const { person, integration, browser } = await openMember()
    const { begun } = await consentPage(browser, person)
    const path = browser.page.url
    const fields = hiddenFields(browser.page.text, path)
    const body = () => new URLSearchParams({ ...fields, decide: 'approve', integration }).toString()
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        browser.send(path, {
          method: 'POST',
          body: body(),
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        }),
      ),
    )
    const resumed = answers.find(({ status }) => status === 303)
    const back = await browser.send(resumed?.headers.get('location') ?? '')
    const location = back.headers.get('location') ?? ''
    expect(location).toStartWith('http://127.0.0.1:33418/callback?')
    expect((await begun.finish(location)).access_token).toStartWith('svc_at_test_')
    const again = await browser.send(resumed?.headers.get('location') ?? '')
    expect(again.status).toBe(400)
    expect(await families(person)).toHaveLength(1)
  })
})

describe('what protects the consent', () => {
  test('its page belongs to the browser that the agent sent', async () => {
    const { person, browser } = await openMember()
    const { page } = await consentPage(browser, person)
    const other = await openMember()
    await signIn(other.browser, people, other.person)
    const stolen = await other.browser.get(page.url)
    expect(stolen.status).toBe(404)
    expect(stolen.text).toContain('This request has ended')
  })

  test('no form of another site decides, and no frame shows the page', async () => {
    const { person, integration, browser } = await openMember()
    const { page } = await consentPage(browser, person)
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    const body = new URLSearchParams({ decide: 'approve', integration })
    for (const headers of [
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example.com' },
      { 'sec-fetch-site': 'same-origin' },
    ]) {
      const response = await browser.send(page.url, { method: 'POST', body, headers })
      expect(response.status).toBe(403)
    }
    expect(await families(person)).toEqual([])
  })

  const targets = [
    ['http://127.0.0.1:33418/callback', "form-action 'self' http://127.0.0.1:33418;"],
    ['http://[::1]:33418/callback', "form-action 'self' http:;"],
    ['https://agent.example.com/callback', "form-action 'self' https://agent.example.com;"],
    ['com.example.agent:/callback', "form-action 'self' com.example.agent:;"],
  ] as const
  test.each(targets)('its form may lead back to %s only', async (redirectUri, policy) => {
    const { person, browser } = await openMember()
    const { page } = await consentPage(browser, person, { redirectUri })
    expect(page.headers.get('content-security-policy')).toContain(policy)
  })

  test('open redirect: an unknown client or address gets a page, and no redirect', async () => {
    const browser = newBrowser()
    const client = await registerClient(pages.origin)
    const { url } = await beginAuthorization(client)
    for (const [name, value] of [
      ['client_id', 'unknown'],
      ['redirect_uri', 'https://evil.example.com/'],
      ['redirect_uri', 'http://127.0.0.1:33418/callback/../evil'],
    ] as const) {
      const hostile = new URL(url)
      hostile.searchParams.set(name, value)
      const response = await browser.send(hostile.href)
      expect(response.status).toBe(400)
      expect(response.headers.get('location')).toBeNull()
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
      const text = await response.text()
      expect(text).toContain('This request cannot be answered')
      expect(text).not.toContain('href="https://evil')
    }
  })
})
