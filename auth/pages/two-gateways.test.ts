// Two gateways on one database: what is used at one is used up at the other.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { codeAt } from '../accounts/totp.ts'
import { openBrowser, type TestBrowser } from '../testing/browser.ts'
import { linkTo } from '../testing/emails.ts'
import {
  openPeople,
  openTestPages,
  password,
  type TestPages,
  type TestPeople,
} from '../testing/people.ts'
import { enterPassword, holdDelays, signIn } from '../testing/sign-in.ts'

let people: TestPeople
let gateways: [TestPages, TestPages]
beforeAll(async () => {
  people = await openPeople()
  gateways = [await openTestPages(people), await openTestPages(people)]
})
afterAll(async () => {
  const failures = gateways.flatMap(gateway => gateway.failures)
  await Promise.all(gateways.map(gateway => gateway.close()))
  await people.close()
  expect(failures).toEqual([])
})

/** A browser at each gateway. */
const browsers = (): [TestBrowser, TestBrowser] => [
  openBrowser(gateways[0].origin),
  openBrowser(gateways[1].origin),
]
const both = <T>(all: readonly TestBrowser[], work: (browser: TestBrowser) => Promise<T>) =>
  Promise.all(all.map(work))

test('a session of one is a session of the other, and ends at both', async () => {
  const person = await people.addPerson()
  const [one, other] = browsers()
  await signIn(one, people, person)
  for (const [name, value] of one.cookies) other.cookies.set(name, value)
  expect((await other.get('/account')).url).toBe('/account')
  await one.get('/sign-out')
  await one.submit('/sign-out')
  expect((await other.get('/account')).url).toStartWith('/sign-in')
})

test('one code of an app signs in at one of them', async () => {
  const person = await people.addPerson()
  const pair = browsers()
  await both(pair, browser => enterPassword(browser, person))
  const code = people.clock.nextCode(person)
  const answers = await both(pair, browser => browser.submit('/sign-in/code', { code }))
  expect(answers.map(({ url, status }) => [url, status]).toSorted()).toEqual([
    ['/', 200],
    ['/sign-in/code', 403],
  ])
})

test('one recovery code signs in at one of them', async () => {
  const person = await people.addPerson()
  const [first] = browsers()
  await signIn(first, people, person)
  await first.get('/recovery-codes')
  const { text } = await first.submit('/recovery-codes')
  const code = /<li class="code">([0-9a-z-]{19})</.exec(text)?.[1] ?? ''
  const pair = browsers()
  await both(pair, browser => enterPassword(browser, person))
  await both(pair, browser => browser.get('/sign-in/recovery-code'))
  const answers = await both(pair, browser => browser.submit('/sign-in/recovery-code', { code }))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403])
})

test('one link makes one person', async () => {
  const email = 'newcomer@example.com'
  const [first] = browsers()
  await first.get('/sign-up')
  await first.submit('/sign-up', { email, name: 'Ada' })
  const link = await linkTo(people, email, 'sign_up')
  const pair = browsers()
  await both(pair, browser => browser.get(link))
  const answers = await both(pair, browser => browser.submit('/verify-email', { password }))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404])
  const [row] = await people.run<{ count: number }>(sql`
    select count(*)::int as count from auth.persons where email = ${email}`)
  expect(row?.count).toBe(1)
})

test('an app that is shown by one is confirmed at the other', async () => {
  const person = await people.addPerson(false)
  const [one, other] = browsers()
  await enterPassword(one, person)
  for (const [name, value] of one.cookies) other.cookies.set(name, value)
  await other.get('/second-factor')
  const shown = /<p class="code secret">([A-Z2-7 ]+)</.exec(one.page.text)?.[1] ?? ''
  const sealed = /name="secret" value="([^"]+)"/.exec(one.page.text)?.[1] ?? ''
  const code = codeAt(shown.replaceAll(' ', ''), people.clock.now)
  const page = await other.submit('/second-factor', { code, secret: sealed })
  expect(page.text).toContain('Save your recovery codes')
})

test('wrong passwords at both are counted together', async () => {
  const person = await people.addPerson()
  const pair = browsers()
  await both(pair, browser => browser.get('/sign-in'))
  const wrong = { email: person.email, password: 'wrong' }
  const statuses: number[] = []
  for (let at = 0; at < 6; at++) {
    await holdDelays(people)
    statuses.push(((await pair[at % 2]?.submit('/sign-in', wrong)) ?? { status: 0 }).status)
  }
  expect(statuses).toEqual([403, 403, 403, 403, 403, 429])
})
