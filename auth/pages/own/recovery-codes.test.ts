// Tests recovery codes, and the pages where a person adds their first second factor.
import { describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { codeAt } from '../../accounts/totp.ts'
import { openAuthenticator, optionsIn } from '../../testing/authenticator.ts'
import type { TestBrowser } from '../../testing/browser.ts'
import { emailsTo } from '../../testing/emails.ts'
import { usePages } from '../../testing/pages.ts'
import { password, type TestPerson } from '../../testing/people.ts'
import { ageFactor, codesIn, enterPassword, isSignedIn, secretIn } from '../../testing/sign-in.ts'

const { moveToNewNetwork, newBrowser, openSignedIn, pages, people } = await usePages()

async function newCodes(browser: TestBrowser): Promise<string[]> {
  await browser.get('/recovery-codes')
  const { text } = await browser.submit('/recovery-codes')
  expect(text).toMatch(/href="\/account">\s*I’ve saved them/)
  return codesIn(text)
}

const kindsTo = async (person: TestPerson) =>
  (await emailsTo(people, person.email)).map(({ kind }) => kind)

describe('recovery codes', () => {
  test('each works once for signing in, however it is typed', async () => {
    const { person, browser } = await openSignedIn()
    const codes = await newCodes(browser)
    expect(new Set(codes).size).toBe(10)
    const [code = ''] = codes
    const typed = code.toUpperCase().replaceAll('0', 'O').replaceAll('1', 'l')
    for (const status of [200, 403]) {
      const other = newBrowser()
      await enterPassword(other, person)
      await other.get('/sign-in/recovery-code')
      expect((await other.submit('/sign-in/recovery-code', { code: typed })).status).toBe(status)
    }
    const email = (await emailsTo(people, person.email)).at(-1)
    expect(email).toMatchObject({ kind: 'recovery_code_used', facts: { left: 9 } })
    expect((await browser.get('/account')).text).toContain('9 left.')
  })

  test('403 for another person’s code or a replaced one, 422 for an impossible one', async () => {
    const { browser } = await openSignedIn()
    const { person, browser: own } = await openSignedIn()
    const [foreign = ''] = await newCodes(browser)
    const [old = ''] = await newCodes(own)
    await newCodes(own)
    expect(await kindsTo(person)).toEqual(['recovery_codes_replaced', 'recovery_codes_replaced'])
    const other = newBrowser()
    await enterPassword(other, person)
    await other.get('/sign-in/recovery-code')
    for (const [code, status] of [
      [foreign, 403],
      [old, 403],
      ['123456', 422],
    ] as const) {
      expect((await other.submit('/sign-in/recovery-code', { code })).status).toBe(status)
    }
    expect(await isSignedIn(other)).toBe(false)
  })

  test('the new recovery codes lead where the person was going, also after another code', async () => {
    moveToNewNetwork()
    const person = await people.addPerson(false)
    const browser = newBrowser()
    const target = '/device?user_code=ABCD'
    await browser.get(`/sign-in?${new URLSearchParams({ next: target })}`)
    await browser.submit('/sign-in', { email: person.email, password })
    const secret = secretIn(browser.page.text)
    const code = codeAt(secret, people.clock.now)
    expect(codesIn(await (await browser.post('/second-factor', { code })).text())).toHaveLength(10)
    await browser.submit('/second-factor', { code })
    const again = /href="(\/second-factor[^"]*)"/.exec(browser.page.text)?.[1] ?? ''
    const page = await browser.get(again.replaceAll('&amp;', '&'))
    expect(page.url).toBe(`/recovery-codes?${new URLSearchParams({ next: target })}`)
    expect(page.text).toMatch(/href="\/device\?user_code=ABCD">\s*Skip/)
    await ageFactor(people, person, 301)
    await browser.submit('/recovery-codes')
    await browser.submit('/sign-in/code', { code: people.clock.nextCode({ ...person, secret }) })
    expect(browser.page.url).toBe(page.url)
    const { text } = await browser.submit('/recovery-codes')
    expect(codesIn(text)).toHaveLength(10)
    expect(text).toMatch(/href="\/device\?user_code=ABCD">\s*I’ve saved them/)
  })

  test.each(['twice', 'twice at once'])(
    'a first passkey that is sent %s is added once, and leads to new recovery codes',
    async times => {
      moveToNewNetwork()
      const person = await people.addPerson(false)
      const browser = newBrowser()
      await enterPassword(browser, person)
      const { text } = await browser.get('/passkeys?next=%2Fdevice')
      const answer = openAuthenticator(pages.origin).create(optionsIn(text))
      const send = async () => (await browser.post('/passkeys', { name: 'Phone', answer })).text()
      const sent = times === 'twice' ? [await send()] : await Promise.all([send(), send()])
      expect(sent.filter(shown => codesIn(shown).length === 10)).toHaveLength(1)
      const stale = await browser.submit('/passkeys', { name: 'Phone', answer })
      const [, again = ''] = /href="(\/passkeys[^"]*)"/.exec(stale.text) ?? []
      expect((await browser.get(again.replaceAll('&amp;', '&'))).url).toBe(
        '/recovery-codes?next=%2Fdevice',
      )
      const [row] = await people.run(sql`
        select count(*)::int as passkeys from auth.passkeys where person = ${person.id}`)
      expect(row).toEqual({ passkeys: 1 })
    },
  )

  test('the pages for a first second factor lead to each other; later ones can be canceled', async () => {
    moveToNewNetwork()
    const person = await people.addPerson(false)
    const browser = newBrowser()
    await enterPassword(browser, person)
    const query = '?next=%2Fdevice'
    for (const [path, other] of [
      ['/second-factor', '/passkeys'],
      ['/passkeys', '/second-factor'],
    ] as const) {
      const { text } = await browser.get(path + query)
      expect(text).toContain(`href="${other}${query}"`)
      expect(text).not.toContain('Cancel')
    }
    const { browser: second } = await openSignedIn()
    for (const [path, other] of [
      ['/second-factor', '/passkeys'],
      ['/passkeys', '/second-factor'],
    ] as const) {
      const { text } = await second.get(path)
      expect(text).toMatch(/href="\/account">\s*Cancel/)
      expect(text).not.toContain(`href="${other}`)
    }
  })

  test('new recovery codes never lead to another site', async () => {
    const { browser } = await openSignedIn()
    for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example']) {
      const shown = await browser.get(`/recovery-codes?${new URLSearchParams({ next })}`)
      const { text } = await browser.submit('/recovery-codes', { next })
      expect(codesIn(text)).toHaveLength(10)
      expect([shown.text, text].join()).not.toContain('evil.example')
    }
  })
})
