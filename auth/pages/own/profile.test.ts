// Tests changing a person's own name and email, and signing out everywhere.
import { describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import type { TestBrowser } from '../../testing/browser.ts'
import { emailsTo, linkTo } from '../../testing/emails.ts'
import { usePages } from '../../testing/pages.ts'
import { password } from '../../testing/people.ts'
import { enterPassword, isSignedIn, signIn } from '../../testing/sign-in.ts'

const { moveToNewNetwork, newBrowser, openSignedIn, people } = await usePages()

let count = 0
const newAddress = () => `moved${++count}@example.com`

async function askFor(browser: TestBrowser, email: string) {
  await browser.get('/account/email')
  return browser.submit('/account/email', { email })
}

test('the name is changed, and an empty one is refused', async () => {
  const { browser } = await openSignedIn()
  await browser.get('/account/name')
  expect((await browser.submit('/account/name', { name: ' ' })).status).toBe(422)
  const { url, text } = await browser.submit('/account/name', { name: 'Ada King' })
  expect([url, text.includes('Ada King')]).toEqual(['/account', true])
})

describe('the email', () => {
  test('changes when the link sent to the new address is opened, and the old address is notified', async () => {
    const { person, browser } = await openSignedIn()
    const email = newAddress()
    expect((await askFor(browser, email)).text).toContain('Check your email')
    expect((await browser.get('/account')).text).toContain(person.email)
    const reader = newBrowser()
    await reader.get(await linkTo(people, email, 'sign_up'))
    expect((await reader.submit('/verify-email')).text).toContain('Email changed')
    expect((await browser.get('/account')).text).toContain(email)
    expect((await emailsTo(people, person.email)).at(-1)).toMatchObject({
      kind: 'email_changed',
      facts: { new_email: email },
    })
    for (const [typed, url] of [
      [person.email, '/sign-in'],
      [email, '/sign-in/code'],
    ] as const) {
      moveToNewNetwork()
      const other = newBrowser()
      await enterPassword(other, { ...person, email: typed })
      expect(other.page.url).toBe(url)
    }
    // The link works once.
    expect((await reader.get(await linkTo(people, email, 'sign_up'))).status).toBe(404)
  })

  test('a recovery link to the old address no longer works', async () => {
    const { person, browser } = await openSignedIn()
    await browser.get('/recover')
    await browser.submit('/recover', { email: person.email })
    const recovery = await linkTo(people, person.email, 'recovery')
    const email = newAddress()
    await askFor(browser, email)
    await browser.get(await linkTo(people, email, 'sign_up'))
    await browser.submit('/verify-email')
    expect((await newBrowser().get(recovery)).status).toBe(404)
  })

  test('the response is the same for an address with an account, which keeps it', async () => {
    const { person, browser } = await openSignedIn()
    const other = await people.addPerson()
    expect((await askFor(browser, other.email)).text).toContain('Check your email')
    expect(await emailsTo(people, other.email)).toMatchObject([{ kind: 'already_registered' }])
    expect((await newBrowser().get(await linkTo(people, other.email, 'sign_up'))).status).toBe(404)
    expect((await browser.get('/account')).text).toContain(person.email)
  })

  test('of two people with links for one address, the first to open theirs gets it', async () => {
    const email = newAddress()
    const links: string[] = []
    for (let at = 0; at < 2; at++) {
      const { browser } = await openSignedIn()
      await askFor(browser, email)
      links.push(await linkTo(people, email, 'sign_up'))
    }
    const browsers = [newBrowser(), newBrowser()]
    for (const [at, browser] of browsers.entries()) await browser.get(links[at] ?? '')
    const pages = await Promise.all(browsers.map(browser => browser.submit('/verify-email')))
    expect(pages.map(({ status }) => status).toSorted()).toEqual([200, 404])
    const owners = await people.run(sql`select from auth.persons where email = ${email}`)
    expect(owners).toHaveLength(1)
  })

  test('a new address link does not create an account with a password', async () => {
    const { browser } = await openSignedIn()
    const email = newAddress()
    await askFor(browser, email)
    const reader = newBrowser()
    await reader.get(await linkTo(people, email, 'sign_up'))
    await reader.submit('/verify-email', { password })
    expect(await isSignedIn(reader)).toBe(false)
  })
})

test('signing out everywhere ends every session, including those at the portal', async () => {
  const { person, browser } = await openSignedIn()
  const other = newBrowser()
  await signIn(other, people, person)
  await browser.get('/account')
  expect((await browser.submit('/sessions/end-all')).url).toBe('/sign-out')
  expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([false, false])
})

test('a session’s last use is its sign-in’s last use at any origin', async () => {
  const { person, browser } = await openSignedIn()
  await people.run(sql`
    insert into auth.credentials (id, kind, origin, sign_in, person, name, scopes, hash, pepper,
                                  last4, expires_at, last_used_at)
    select 'tok_portal', 'session', 'portal', sign_in, person, name, '{}', sha256('portal'), pepper,
           last4, expires_at, '2031-05-06T07:08:00Z'
      from auth.credentials
     where person = ${person.id} and origin = 'auth' and revoked_at is null`)
  expect((await browser.get('/account')).text).toContain('2031-05-06T07:08:00')
})
