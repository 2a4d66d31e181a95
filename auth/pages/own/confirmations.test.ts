// Tests that the account page confirms each change, once.
import { expect, test } from 'bun:test'
import { codeAt } from '../../accounts/totp.ts'
import { openAuthenticator, optionsIn } from '../../testing/authenticator.ts'
import type { TestBrowser } from '../../testing/browser.ts'
import { usePages } from '../../testing/pages.ts'
import { password } from '../../testing/people.ts'
import { recoveriesOf } from '../../testing/recoveries.ts'
import { secretIn, signIn } from '../../testing/sign-in.ts'
import { toastIn } from '../../testing/toasts.ts'

const opened = await usePages()
const { newBrowser, openSignedIn, pages, people } = opened
const { begun } = recoveriesOf(opened)

/** Submits a page's form, and returns the account page's confirmation. */
async function confirmationOf(browser: TestBrowser, page: string, form: string, values = {}) {
  await browser.get(page)
  const shown = await browser.submit(form, values)
  expect(shown.url).toBe('/account')
  expect(toastIn(await browser.get('/account'))).toBeUndefined()
  return toastIn(shown)
}

test('a changed name or password, an ended session and a stopped recovery are confirmed', async () => {
  const { person, browser } = await openSignedIn()
  await signIn(newBrowser(), people, person)
  await begun(person)
  const given = { current: password, password: 'a river, a lamp, two geese' }
  const name = { name: 'Ada King' }
  expect([
    await confirmationOf(browser, '/account/name', '/account/name', name),
    await confirmationOf(browser, '/account', '/sessions/end'),
    await confirmationOf(browser, '/account', '/recover/stop'),
    await confirmationOf(browser, '/password', '/password', given),
  ]).toEqual(['Name changed', 'Session signed out', 'Recovery stopped', 'Password changed'])
})

test('an added, replaced or removed second factor is confirmed', async () => {
  const { browser } = await openSignedIn()
  const authenticator = openAuthenticator(pages.origin)
  const { text } = await browser.get('/passkeys')
  const answer = authenticator.create(optionsIn(text))
  const added = await browser.submit('/passkeys', { name: 'My phone', answer })
  expect(toastIn(added)).toBe('Passkey added')
  const [, removal = ''] = /href="(\/factors\/remove\?factor=[\w-]{40,})"/.exec(added.text) ?? []
  for (const confirmation of ['Authenticator app replaced', 'Authenticator app added']) {
    people.clock.now += 60_000
    const page = await browser.get('/second-factor?next=%2Faccount')
    const code = codeAt(secretIn(page.text), people.clock.now)
    expect(toastIn(await browser.submit('/second-factor', { code }))).toBe(confirmation)
    const totp = '/factors/remove?factor=totp'
    expect(await confirmationOf(browser, totp, '/factors/remove')).toBe('Authenticator app removed')
  }
  people.clock.now += 60_000
  const page = await browser.get('/second-factor?next=%2Faccount')
  await browser.submit('/second-factor', { code: codeAt(secretIn(page.text), people.clock.now) })
  expect(await confirmationOf(browser, removal, '/factors/remove')).toBe('Passkey removed')
})
