// The mailer is woken by each form that queues an email, so that it is sent at once, and by no
// other.
import { expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { codeAt } from '../accounts/totp.ts'
import { openAuthenticator, optionsIn } from '../testing/authenticator.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { linkTo } from '../testing/emails.ts'
import { usePages } from '../testing/pages.ts'
import { password } from '../testing/people.ts'
import { recoveriesOf } from '../testing/recoveries.ts'
import { enterPassword, signIn } from '../testing/sign-in.ts'

const setup = await usePages()
const { people, pages, newBrowser, openMember, moveToNewNetwork } = setup
const { openRecovery } = recoveriesOf(setup)

const newPassword = 'a river, a lamp, two geese'

/** How often the form of a path wakes the mailer. */
async function wokenBy(browser: TestBrowser, path: string, values: Record<string, string> = {}) {
  const before = pages.mailer.emailed
  await browser.submit(path, values)
  return pages.mailer.emailed - before
}

/** The same for the page of the path, which is opened first. */
async function wokenAt(browser: TestBrowser, path: string, values: Record<string, string> = {}) {
  await browser.get(path)
  return wokenBy(browser, path, values)
}

async function openSignedIn() {
  const { person, browser } = await openMember()
  await signIn(browser, people, person)
  return { person, browser }
}

test('mailer: a sign-up and a request to recover wake it, and those with a fault do not', async () => {
  moveToNewNetwork()
  const browser = newBrowser()
  const [email, name] = ['newcomer@example.com', 'Ada']
  expect(await wokenAt(browser, '/sign-up', { email, name: '' })).toBe(0)
  expect(await wokenAt(browser, '/sign-up', { email, name })).toBe(1)
  expect(await wokenAt(browser, '/recover', { email: 'newcomer' })).toBe(0)
  expect(await wokenAt(browser, '/recover', { email })).toBe(1)
})

test('mailer: each step of a recovery wakes it, and a wrong code does not', async () => {
  const person = await people.addPerson()
  const { browser } = await openRecovery(person)
  const path = '/recover/account'
  expect(await wokenBy(browser, path, { decide: 'wait' })).toBe(1)
  const cancel = await linkTo(people, person.email, 'cancel_recovery')
  const other = newBrowser()
  await other.get(cancel)
  expect(await wokenBy(other, '/recover/cancel')).toBe(1)
  await other.get(cancel)
  expect(await wokenBy(other, '/recover/cancel')).toBe(0)

  const again = await openRecovery(person)
  const given = { decide: 'code', password: newPassword }
  expect(await wokenBy(again.browser, path, { ...given, code: '000000' })).toBe(0)
  const code = people.clock.nextCode(person)
  expect(await wokenBy(again.browser, path, { ...given, code })).toBe(1)
})

test('mailer: stopping a recovery at the account wakes it', async () => {
  const { person, browser } = await openSignedIn()
  const recovery = await openRecovery(person)
  await recovery.browser.submit('/recover/account', { decide: 'wait' })
  await browser.get('/account')
  expect(await wokenBy(browser, '/recover/stop')).toBe(1)
})

test('mailer: a factor that is added or removed wakes it, and one that is refused does not', async () => {
  moveToNewNetwork()
  const person = await people.addPerson(false)
  const browser = newBrowser()
  await enterPassword(browser, person)
  expect(await wokenBy(browser, '/second-factor', { code: '000000' })).toBe(0)
  const shown = /<p class="code secret">([A-Z2-7 ]+)</.exec(browser.page.text)?.[1] ?? ''
  const code = codeAt(shown.replaceAll(' ', ''), people.clock.now)
  expect(await wokenBy(browser, '/second-factor', { code })).toBe(1)

  await browser.get('/passkeys')
  const name = 'A phone'
  expect(await wokenBy(browser, '/passkeys', { name, answer: '{}' })).toBe(0)
  const answer = openAuthenticator(pages.origin).create(optionsIn(browser.page.text))
  expect(await wokenBy(browser, '/passkeys', { name, answer })).toBe(1)

  await browser.get('/account')
  await people.run(sql`delete from auth.passkeys where person = ${person.id}`)
  // It is the last one by now.
  expect(await wokenBy(browser, '/factors/remove', { factor: 'totp' })).toBe(0)
})

test('mailer: a factor that is removed wakes it', async () => {
  const { browser } = await openSignedIn()
  const { text } = await browser.get('/passkeys')
  const answer = openAuthenticator(pages.origin).create(optionsIn(text))
  await browser.submit('/passkeys', { name: 'A phone', answer })
  await browser.get('/account')
  expect(await wokenBy(browser, '/factors/remove', { factor: 'totp' })).toBe(1)
})

test('mailer: a new password and new recovery codes wake it, and a wrong password does not', async () => {
  const { browser } = await openSignedIn()
  const given = { current: password, password: newPassword }
  expect(await wokenAt(browser, '/password', { ...given, current: 'wrong' })).toBe(0)
  expect(await wokenAt(browser, '/password', given)).toBe(1)
  expect(await wokenAt(browser, '/recovery-codes')).toBe(1)
})

test('mailer: a recovery code at sign-in wakes it, and a code of the app does not', async () => {
  const { person, browser } = await openSignedIn()
  await browser.get('/recovery-codes')
  const { text } = await browser.submit('/recovery-codes')
  const code = /<li class="code">([0-9a-z-]{19})</.exec(text)?.[1] ?? ''
  const other = newBrowser()
  await enterPassword(other, person)
  const ofApp = people.clock.nextCode(person)
  expect(await wokenBy(other, '/sign-in/code', { code: ofApp })).toBe(0)
  const third = newBrowser()
  await enterPassword(third, person)
  expect(await wokenAt(third, '/sign-in/recovery-code', { code })).toBe(1)
})

test('mailer: closing an account wakes it, and another email does not', async () => {
  const { person, browser } = await openSignedIn()
  expect(await wokenAt(browser, '/account/close', { email: 'other@example.com' })).toBe(0)
  expect(await wokenAt(browser, '/account/close', { email: person.email })).toBe(1)
})
