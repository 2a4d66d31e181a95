// Tests two gateways on one database. A session or code from one gateway also works at the other.
// Once the session has ended or the code was used at either gateway, it works at neither.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { codeAt } from '../accounts/totp.ts'
import { openBrowser, type TestBrowser } from '../testing/browser.ts'
import { openPeople, openTestPages, type TestPages, type TestPeople } from '../testing/people.ts'
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

test('a session at one is a session at the other, and ends at both', async () => {
  const person = await people.addPerson()
  const [one, other] = browsers()
  await signIn(one, people, person)
  for (const [name, value] of one.cookies) other.cookies.set(name, value)
  expect((await other.get('/account')).url).toBe('/account')
  await one.get('/sign-out')
  await one.submit('/sign-out')
  expect((await other.get('/account')).url).toStartWith('/sign-in')
})

test('an app code or a recovery code signs in at only one of the two', async () => {
  const person = await people.addPerson()
  const [first] = browsers()
  await signIn(first, people, person)
  await first.get('/recovery-codes')
  const { text } = await first.submit('/recovery-codes')
  const recovery = /<li class="code">([0-9a-z-]{19})</.exec(text)?.[1] ?? ''
  for (const [path, code] of [
    ['/sign-in/code', people.clock.nextCode(person)],
    ['/sign-in/recovery-code', recovery],
  ] as const) {
    const pair = browsers()
    for (const browser of pair) {
      await enterPassword(browser, person)
      await browser.get(path)
    }
    const answers = await Promise.all(pair.map(browser => browser.submit(path, { code })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403])
  }
})

test('an app added at one is confirmed at the other', async () => {
  const person = await people.addPerson(false)
  const [one, other] = browsers()
  await enterPassword(one, person)
  for (const [name, value] of one.cookies) other.cookies.set(name, value)
  await other.get('/second-factor')
  const shown = /<p class="code secret">([A-Z2-7 ]+)</.exec(one.page.text)?.[1] ?? ''
  const secret = /name="secret" value="([^"]+)"/.exec(one.page.text)?.[1] ?? ''
  const code = codeAt(shown.replaceAll(' ', ''), people.clock.now)
  expect((await other.submit('/second-factor', { code, secret })).text).toContain('Save your')
})

test('wrong passwords at both are counted together', async () => {
  const person = await people.addPerson()
  const pair = browsers()
  for (const browser of pair) await browser.get('/sign-in')
  const wrong = { email: person.email, password: 'wrong' }
  const statuses: number[] = []
  for (let at = 0; at < 6; at++) {
    await holdDelays(people)
    statuses.push((await (pair[at % 2] ?? pair[0]).submit('/sign-in', wrong)).status)
  }
  expect(statuses).toEqual([403, 403, 403, 403, 403, 429])
})
