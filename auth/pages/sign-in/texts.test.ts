// What the pages of signing in say, for each way in and each refusal.
import { describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { openAuthenticator, optionsIn } from '../../testing/authenticator.ts'
import type { BrowsedPage, TestBrowser } from '../../testing/browser.ts'
import { usePages } from '../../testing/pages.ts'
import type { TestPerson } from '../../testing/people.ts'
import { ageFactor, enterPassword, holdDelays, signIn } from '../../testing/sign-in.ts'

const { people, pages, newBrowser, openMember, moveToNewNetwork } = await usePages()

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

const lead = ({ text }: BrowsedPage) => /<p class="lead">([^<]*)</.exec(text)?.[1]
const title = ({ text }: BrowsedPage) => /<h1>([^<]*)</.exec(text)?.[1]
/** The paths of the forms, without that of signing out. */
const forms = ({ text }: BrowsedPage) =>
  [...text.matchAll(/<form method="post" action="([^"]+)"/g)]
    .map(([, path]) => path)
    .filter(path => path !== '/sign-out')

const account = 'Sign in to see your account, and which agents and devices act for you.'

describe('the page for the password', () => {
  test.each([
    ['/', account],
    ['/account', account],
    ['/consent/abcdefghij', 'An application asks for access. Sign in to see what it asks for.'],
    ['/device', 'Sign in to connect a device.'],
    ['/device?user_code=BCDF-GHJK', 'Sign in to connect a device.'],
    ['/handoff?to=portal', 'Sign in to open the portal.'],
    ['/handoff?browser=x&to=console', 'Sign in to open the console.'],
    ['/invitations/accept?token=x', 'Sign in to accept your invitation.'],
  ])('before %s says what signing in leads to', async (next, said) => {
    const page = await newBrowser().get(`/sign-in?${new URLSearchParams({ next })}`)
    expect([page.status, lead(page)]).toEqual([200, said])
    expect(page.text).not.toContain('class="alert"')
    expect(forms(page)).toEqual(['/sign-in', '/sign-in/passkey'])
  })

  test.each([
    ['no address', 'ada', 'x', ['email']],
    ['no password', 'ada@example.com', '', ['password']],
    ['neither', 'ada', '', ['email', 'password']],
    ['a password of 1,001 characters', 'ada@example.com', 'x'.repeat(1001), ['password']],
  ])('422: %s', async (_, email, given, faults) => {
    moveToNewNetwork()
    const browser = newBrowser()
    await browser.get('/sign-in')
    const page = await browser.submit('/sign-in', { email, password: given })
    expect(page.status).toBe(422)
    const found = [...page.text.matchAll(/<p class="fault" id="(\w+)-fault">/g)]
    expect(found.map(([, name]) => name)).toEqual(faults)
    const isLong = given.length > 1000
    expect(page.text.includes('Password must have at most 1000 characters.')).toBe(isLong)
  })

  test('403: a password of a thousand characters is compared', async () => {
    moveToNewNetwork()
    const browser = newBrowser()
    await browser.get('/sign-in')
    const given = { email: 'ada@example.com', password: 'x'.repeat(1000) }
    const page = await browser.submit('/sign-in', given)
    expect(page.status).toBe(403)
    expect(page.text).toContain(
      '<p class="alert" role="alert">The email or the password is not right. Check both and try again.</p>',
    )
  })
})

describe('the page for the code', () => {
  test('after the password asks for the code of the app alone, and offers recovery codes', async () => {
    const { person, browser } = await openMember()
    const page = await enterPassword(browser, person)
    expect([title(page), lead(page)]).toEqual(['Enter your code', undefined])
    expect(forms(page)).toEqual(['/sign-in/code'])
    expect(page.text).toContain('<a href="/sign-in/recovery-code">Use a recovery code</a>')
    expect(page.text).not.toContain('class="alert"')
    expect(page.text).not.toContain('Use a code of your app')
  })

  test('for a recovery code asks for that alone, and offers the app', async () => {
    const { person, browser } = await openMember()
    await enterPassword(browser, person)
    const page = await browser.get('/sign-in/recovery-code?next=%2Faccount')
    expect(forms(page)).toEqual(['/sign-in/recovery-code'])
    expect(page.text).toContain(
      '<a href="/sign-in/code?next=%2Faccount">Use a code of your app</a>',
    )
    expect(page.text).toContain('<a href="/recover">You have no codes left</a>')
    expect(page.text).not.toContain('>Use a recovery code<')
  })

  test('of a person with a passkey alone asks for it, and offers no code of an app', async () => {
    moveToNewNetwork()
    const person = await people.addPerson(false)
    const browser = newBrowser()
    await enterPassword(browser, person)
    await addPasskey(browser)
    const other = newBrowser()
    expect(forms(await enterPassword(other, person))).toEqual(['/sign-in/passkey'])
    const page = await other.get('/sign-in/recovery-code')
    expect(forms(page)).toEqual(['/sign-in/recovery-code', '/sign-in/passkey'])
    expect(page.text).not.toContain('Use a code of your app')
  })

  test('of a person with both asks for either, and says so when one is needed again', async () => {
    const { person, browser } = await openSignedIn()
    await addPasskey(browser)
    await ageFactor(people, person, 301)
    const page = await browser.get('/password')
    expect([title(page), lead(page)]).toEqual([
      'Confirm that it is you',
      'This step needs a second factor that is not older than five minutes.',
    ])
    expect(forms(page)).toEqual(['/sign-in/code', '/sign-in/passkey'])
  })

  test.each(['12345', '1234567', 'abcdef', '000-0000'])('422: %s is not six digits', async code => {
    const { person, browser } = await openMember()
    await enterPassword(browser, person)
    const page = await browser.submit('/sign-in/code', { code })
    expect(page.status).toBe(422)
    expect(page.text).toContain('Code must be six digits, such as 123456.')
  })
})

type Row = { sign_in: string; expires: string; revoked_reason: string | null }

const sessionsOf = ({ id }: TestPerson) =>
  people.run<Row>(sql`
    select sign_in, expires_at::text as expires, revoked_reason from auth.credentials
     where person = ${id} and kind = 'session' order by created_at`)

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

  test('403: is refused on the page that it was used on', async () => {
    const refused = 'This passkey does not sign in here. Try again, or use another way.'
    const { browser } = await openSignedIn()
    await addPasskey(browser)
    await browser.get('/sign-in/code')
    const again = await browser.submit('/sign-in/passkey', { answer: '{}' })
    const other = newBrowser()
    await other.get('/sign-in')
    const first = await other.submit('/sign-in/passkey', { answer: '{}' })
    for (const page of [again, first]) {
      expect(page.status).toBe(403)
      expect(page.text).toContain(`<p class="alert" role="alert">${refused}</p>`)
    }
    expect([title(again), title(first)]).toEqual(['Confirm that it is you', 'Sign in'])
  })
})

test('audit: attempts that came too early are refusals of their own', async () => {
  const { person, browser } = await openMember()
  await enterPassword(browser, person)
  for (let at = 0; at < 5; at++) await browser.submit('/sign-in/code', { code: '000000' })
  await holdDelays(people)
  await browser.submit('/sign-in/code', { code: '000000' })
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
