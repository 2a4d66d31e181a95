// What protects the pages from other sites: forms, headers, methods.
import { describe, expect, test } from 'bun:test'
import { hiddenFields } from '../testing/browser.ts'
import { usePages } from '../testing/pages.ts'
import { password } from '../testing/people.ts'

const { people, newBrowser } = await usePages()

describe('forms', () => {
  const foreign: [string, Record<string, string>][] = [
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example.com' }],
    ['another port of this host', { 'sec-fetch-site': 'same-site', origin: 'http://localhost:1' }],
    [
      'an old browser at another site',
      { 'sec-fetch-site': '', origin: 'https://evil.example.com' },
    ],
  ]
  test.each(foreign)('403: not accepted from %s', async (_, headers) => {
    const ada = await people.addPerson()
    const one = newBrowser()
    await one.get('/sign-in')
    const { form = '' } = hiddenFields(one.page.text, '/sign-in')
    const body = new URLSearchParams({ form, email: ada.email, password })
    const response = await one.send('/sign-in', { method: 'POST', body, headers })
    expect(response.status).toBe(403)
    expect(one.cookies.has('auth_session')).toBe(false)
  })

  test('403: without its token, with that of another browser, path or session', async () => {
    const ada = await people.addPerson()
    const [one, other] = [newBrowser(), newBrowser()]
    await other.get('/sign-in')
    const { form: ofOther = '' } = hiddenFields(other.page.text, '/sign-in')
    await one.get('/sign-in')
    const { form: early = '' } = hiddenFields(one.page.text, '/sign-in')
    for (const form of ['', ofOther, early.slice(0, -1)]) {
      const page = await one.submit('/sign-in', { form, email: ada.email, password })
      expect(page.status).toBe(403)
      expect(page.text).toContain('This form is out of date')
      await one.get('/sign-in')
    }
    await one.submit('/sign-in', { email: ada.email, password })
    await one.submit('/sign-in/code', { code: people.clock.nextCode(ada) })
    const out = await one.send('/sign-out', {
      method: 'POST',
      body: new URLSearchParams({ form: early }),
    })
    expect(out.status).toBe(403)
    expect((await one.get('/')).text).toContain(ada.email)
  })

  test('415: bodies that are no form, and those beyond every form', async () => {
    const one = newBrowser()
    const json = await one.send('/sign-in', {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    })
    expect(json.status).toBe(415)
    const body = new URLSearchParams({ email: 'x'.repeat(20_000) })
    expect((await one.send('/sign-in', { method: 'POST', body })).status).toBe(415)
  })

  test.each(['/sign-in', '/sign-up', '/recover', '/verify-email', '/sign-in/passkey'])(
    '415: a value with a NUL, which no text of the database may have: %s',
    async path => {
      const one = newBrowser()
      await one.get('/sign-in')
      const values = {
        email: 'a\0@example.com',
        name: 'a\0',
        password: 'a\0',
        token: '\0',
        answer: '\0',
      }
      const body = new URLSearchParams(values)
      expect((await one.send(path, { method: 'POST', body })).status).toBe(415)
    },
  )

  test('405: a method that the page does not have', async () => {
    const response = await newBrowser().send('/sign-in', { method: 'PUT', body: 'x' })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, HEAD, POST')
  })
})

describe('what a page says of itself', () => {
  test('no frame, no cache, no referrer, and no script but that of passkeys', async () => {
    for (const path of ['/sign-in', '/sign-up', '/recover', '/sign-out', '/no-such-page']) {
      const { headers } = await newBrowser().get(path)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toContain("form-action 'self'")
      expect(policy.match(/script-src [^;]+/)?.[0]).toBe(
        path === '/sign-in' ? "script-src 'self'" : undefined,
      )
      expect(policy).not.toContain('unsafe')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  test('the stylesheet, the fonts and the icon are there', async () => {
    const { text } = await newBrowser().get('/sign-in')
    const style = /href="(\/assets\/style\.[0-9a-f]+\.css)"/.exec(text)?.[1] ?? ''
    const css = await (await newBrowser().send(style)).text()
    const fonts = [...css.matchAll(/url\((\/assets\/[^)]+)\)/g)].map(([, path = '']) => path)
    expect(fonts).toHaveLength(3)
    for (const path of [...fonts, '/assets/favicon.svg']) {
      expect((await newBrowser().send(path)).status).toBe(200)
    }
  })
})
