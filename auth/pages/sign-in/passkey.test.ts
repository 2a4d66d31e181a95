// A passkey in a browser that is signed in already, and attempts that come too early.
import { describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { openAuthenticator, optionsIn } from '../../testing/authenticator.ts'
import type { TestBrowser } from '../../testing/browser.ts'
import { usePages } from '../../testing/pages.ts'
import type { TestPerson } from '../../testing/people.ts'
import { enterPassword, holdDelays, signIn } from '../../testing/sign-in.ts'

const { people, pages, newBrowser, openMember } = await usePages()

async function openSignedIn() {
  const opened = await openMember()
  await signIn(opened.browser, people, opened.person)
  return opened
}

async function addPasskey(browser: TestBrowser) {
  const { text } = await browser.get('/passkeys')
  const authenticator = openAuthenticator(pages.origin)
  const answer = authenticator.create(optionsIn(text))
  await browser.submit('/passkeys', { name: 'My phone', answer })
  return authenticator
}

type Row = { sign_in: string; expires: string; revoked_reason: string | null }

const sessionsOf = ({ id }: TestPerson) =>
  people.run<Row>(sql`
    select sign_in, expires_at::text as expires, revoked_reason from auth.credentials
     where person = ${id} and kind = 'session' order by id`)

describe('a passkey', () => {
  test('in a session of its person renews it, with the end that it had', async () => {
    const { person, browser } = await openSignedIn()
    const authenticator = await addPasskey(browser)
    const before = (await sessionsOf(person)).at(-1)
    const { text } = await browser.get('/sign-in/code')
    await browser.submit('/sign-in/passkey', { answer: authenticator.get(optionsIn(text)) })
    const [former, renewed] = (await sessionsOf(person)).slice(-2)
    expect(former?.revoked_reason).toBe('renewed')
    expect(renewed).toEqual({
      sign_in: before?.sign_in ?? '',
      expires: before?.expires ?? '',
      revoked_reason: null,
    })
  })

  test('in a session of another person ends that, and begins one', async () => {
    const ada = await openSignedIn()
    const authenticator = await addPasskey(ada.browser)
    const ben = await openSignedIn()
    await addPasskey(ben.browser)
    const { text } = await ben.browser.get('/sign-in/code')
    await ben.browser.submit('/sign-in/passkey', { answer: authenticator.get(optionsIn(text)) })
    expect((await ben.browser.get('/account')).text).toContain(ada.person.email)
    expect((await sessionsOf(ben.person)).every(one => one.revoked_reason !== null)).toBe(true)
  })
})

test('audit: attempts that came too early are refusals of their own', async () => {
  const { person, browser } = await openMember()
  await enterPassword(browser, person)
  const code = people.clock.wrongCode(person)
  for (let at = 0; at < 5; at++) await browser.submit('/sign-in/code', { code })
  await holdDelays(people)
  await browser.submit('/sign-in/code', { code })
  const other = newBrowser()
  await other.get('/sign-in')
  const wrong = { email: person.email, password: 'wrong' }
  for (let at = 0; at < 5; at++) await other.submit('/sign-in', wrong)
  await holdDelays(people)
  await other.submit('/sign-in', wrong)
  const rows = await people.run<{ line: string }>(sql`
    select concat_ws(' ', action, outcome, status, code, person) as line from audit.entries
     where address = ${pages.caller.address} order by seq desc limit 7`)
  const lines = rows.map(({ line }) => line)
  expect([lines[0], lines[6]]).toEqual([
    'auth.sign_in refused 429 rate_limited',
    `auth.second_factor refused 429 rate_limited ${person.id}`,
  ])
})
