// Tests a person's consent to an agent, from the agent's request to its tokens.
import { describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { hiddenFields, type TestBrowser } from '../testing/browser.ts'
import { beginAuthorization, registerClient } from '../testing/clients.ts'
import { usePages } from '../testing/pages.ts'
import { password, type TestPerson } from '../testing/people.ts'
import { signIn } from '../testing/sign-in.ts'

const { people, pages, openMember, newBrowser } = await usePages()

type ConsentOptions = { name?: string; redirectUri?: string }

/** Follows an agent's request in the browser, through sign-in to the consent page. */
async function consentPage(
  browser: TestBrowser,
  person: TestPerson,
  { name = 'An agent', redirectUri = 'http://127.0.0.1:33418/callback' }: ConsentOptions = {},
) {
  const client = await registerClient(pages.origin, { name, redirectUri })
  const begun = await beginAuthorization(client, { redirectUri })
  await browser.get(begun.url)
  await browser.submit('/sign-in', { email: person.email, password })
  await browser.submit('/sign-in/code', { code: people.clock.nextCode(person) })
  return { client, begun, page: browser.page }
}

const decide = (browser: TestBrowser, values: Record<string, string>) =>
  browser.submit(browser.page.url, values)

const families = async (person: TestPerson) => [
  ...(await people.run(sql`
    select integration, client, scopes, redirect_host from auth.token_families
     where person = ${person.id} and kind = 'agent' and mode = 'test'`)),
]

describe('an agent’s consent', () => {
  test('goes through sign-in to the page, and Allow gets tokens for the person', async () => {
    const { person, integration, browser } = await openMember()
    const { client, begun, page } = await consentPage(browser, person, { name: 'Claude <b>' })
    expect([page.status, /^\/consent\/[\w-]+$/.test(page.url)]).toEqual([200, true])
    // The page shows who asks for what, and where the response goes. A client's name is plain text.
    for (const text of [
      '<h1>Let “Claude &lt;b>” act for you?</h1>',
      '<p class="host-name">127.0.0.1:33418</p>',
      'registered itself on <time',
      'We haven’t verified it.',
      '<code>organization:read</code>',
      'Test mode only',
      'For the tool server.',
    ]) {
      expect(page.text).toContain(text)
    }
    expect(page.text).not.toContain('patients:write')
    const { url } = await decide(browser, { decide: 'approve' })
    expect(url).toStartWith('http://127.0.0.1:33418/callback?')
    const tokens = await begun.finish(url)
    expect(tokens.access_token).toStartWith('svc_at_test_')
    const scopes = ['organization:read', 'patients:read']
    expect(tokens.scope).toBe(scopes.join(' '))
    expect(await families(person)).toEqual([
      { integration, client: client.id, scopes, redirect_host: '127.0.0.1:33418' },
    ])
  })

  test('the page and the account show the host of a client named by its document', async () => {
    const { person, browser } = await openMember()
    const { client, page, begun } = await consentPage(browser, person)
    await people.run(sql`
      update auth.clients set document_expires_at = now() + interval '1 hour',
             document_url = 'https://editor.example.com/client.json' where id = ${client.id}`)
    await browser.get(page.url)
    expect(browser.page.text).toContain('<strong>editor.example.com</strong> publishes')
    expect(browser.page.text).not.toContain('registered itself')
    await begun.finish((await decide(browser, { decide: 'approve' })).url)
    await browser.get('/')
    expect(browser.page.text).toContain('Agent from editor.example.com at 127.0.0.1:33418')
  })

  test('Deny sends the agent an error and nothing else', async () => {
    const { person, browser } = await openMember()
    const { client } = await consentPage(browser, person)
    const { searchParams } = new URL((await decide(browser, { decide: 'deny' })).url)
    expect([searchParams.get('error'), searchParams.get('iss')]).toEqual([
      'access_denied',
      pages.origin,
    ])
    expect(searchParams.has('code')).toBe(false)
    expect(await families(person)).toEqual([])
    const [row] = await people.run(sql`
      select client, outcome, code from audit.entries
       where action = 'oauth.consent' and person = ${person.id}`)
    expect(row).toEqual({ client: client.id, outcome: 'refused', code: 'access_denied' })
  })

  test('each request prompts again, and shows a previous, still valid approval for the same address', async () => {
    const { person, browser } = await openMember()
    const chosen = await people.addMember(person)
    const { client } = await consentPage(browser, person)
    expect(browser.page.text).not.toContain(' checked')
    await decide(browser, { decide: 'approve', integration: chosen })
    const again = async (who = browser, redirectUri?: string) => {
      const begun = await beginAuthorization(client, { ...(redirectUri && { redirectUri }) })
      return (await who.get(begun.url)).text
    }
    expect(await again()).toContain('You already gave “An agent” access')
    expect(browser.page.text).toContain(`value="${chosen}" required checked`)
    expect(await again(browser, 'http://127.0.0.1:9999/callback')).not.toContain('You gave')
    const other = await openMember()
    await signIn(other.browser, people, other.person)
    expect(await again(other.browser)).not.toContain('You gave')
    await people.run(sql`
      update auth.token_families set revoked_at = now() where person = ${person.id}`)
    expect(await again()).not.toContain('You gave')
  })

  test('simultaneous answers give consent only once, and later ones are refused', async () => {
    const { person, integration, browser } = await openMember()
    const { begun, page } = await consentPage(browser, person)
    const values = { ...hiddenFields(page.text, page.url), integration }
    const send = (decision: string) => {
      const body = new URLSearchParams({ ...values, decide: decision })
      return browser.send(page.url, { method: 'POST', body })
    }
    const answers = await Promise.all(Array.from({ length: 6 }, () => send('approve')))
    const resumed = answers.find(({ status }) => status === 303)?.headers.get('location') ?? ''
    const location = (await browser.send(resumed)).headers.get('location') ?? ''
    expect((await begun.finish(location)).access_token).toStartWith('svc_at_test_')
    expect((await browser.send(resumed)).status).toBe(400)
    for (const decision of ['approve', 'deny']) expect((await send(decision)).status).toBe(404)
    expect(await families(person)).toHaveLength(1)
  })
})

describe('consent that can’t be given', () => {
  const off = 'value="approve" disabled aria-describedby="off"'
  test.each([
    [
      'a scope that the role lacks',
      'billing',
      null,
      'Your role, Billing, doesn’t include <code>patients:read</code>',
    ],
    [
      'a scope that no clinic granted',
      'owner',
      sql`update auth.grants set scopes = '{organization:read}' where integration = `,
      'No clinic has granted <code>patients:read</code> in test mode.',
    ],
    [
      'access to an integration that the person has left',
      'owner',
      sql`update auth.members set removed_at = now() where integration = `,
      'You aren’t on any team yet',
    ],
  ])(
    '%s: the page shows the reason, and a forged form is refused',
    async (_, role, change, says) => {
      const { person, integration, browser } = await openMember(role)
      const { page } = await consentPage(browser, person)
      if (change !== null) {
        await people.run(sql`${change}${integration}`)
        await browser.get(page.url)
      }
      expect(browser.page.text).toContain(says)
      expect(browser.page.text).toContain(off)
      expect((await decide(browser, { decide: 'approve', integration })).status).toBe(422)
      expect(await families(person)).toEqual([])
    },
  )

  test('a person with several integrations must choose one of their own', async () => {
    const { person, browser } = await openMember()
    await people.addMember(person)
    const { integration } = await openMember()
    await consentPage(browser, person)
    for (const values of [{}, { integration }]) {
      expect((await decide(browser, { decide: 'approve', ...values })).status).toBe(422)
    }
    expect((await decide(browser, { decide: 'neither' })).status).toBe(200)
    expect(await families(person)).toEqual([])
  })
})

describe('consent protections', () => {
  test('only the browser that the agent sent can open the page', async () => {
    const { person, browser } = await openMember()
    const { page } = await consentPage(browser, person)
    const other = await openMember()
    await signIn(other.browser, people, other.person)
    const stolen = await other.browser.get(page.url)
    expect(stolen.status).toBe(404)
    expect(stolen.text).toContain('This request has expired')
  })

  test('the form may lead to a callback that redirects elsewhere', async () => {
    const { person, browser } = await openMember()
    const { page } = await consentPage(browser, person)
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('form-action')
  })

  test('open redirect: an unknown client or address gets a page, not a redirect', async () => {
    const { url } = await beginAuthorization(await registerClient(pages.origin))
    for (const [name, value] of [
      ['client_id', 'unknown'],
      ['redirect_uri', 'https://evil.example.com/'],
      ['redirect_uri', 'http://127.0.0.1:33418/callback/../evil'],
    ] as const) {
      const hostile = new URL(url)
      hostile.searchParams.set(name, value)
      const { status, headers, text } = await newBrowser().get(hostile.href)
      expect([status, headers.get('location')]).toEqual([400, null])
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(text).toContain('We can’t handle this request')
      expect(text).toContain('Reference <span class="code">invalid_')
      expect(text).not.toContain('href="https://evil')
    }
  })
})
