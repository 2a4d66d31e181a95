// What the page of one's own account shows, and offers to change.
import { expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { openAuthenticator, optionsIn } from '../../testing/authenticator.ts'
import { hiddenFields, type TestBrowser } from '../../testing/browser.ts'
import { usePages } from '../../testing/pages.ts'
import { password, portalUrl, type TestPerson } from '../../testing/people.ts'
import { enterPassword, signIn } from '../../testing/sign-in.ts'

const { people, pages, newBrowser, openMember, moveToNewNetwork } = await usePages()

async function openSignedIn() {
  const opened = await openMember()
  await signIn(opened.browser, people, opened.person)
  return opened
}

async function addPasskey(browser: TestBrowser, name: string) {
  const { text } = await browser.get('/passkeys')
  const authenticator = openAuthenticator(pages.origin)
  const answer = authenticator.create(optionsIn(text))
  const page = await browser.submit('/passkeys', { name, answer })
  return { authenticator, page }
}

/** A person whose only second factor is a passkey, signed in with it. */
async function openWithPasskeyOnly() {
  moveToNewNetwork()
  const person = await people.addPerson(false)
  const browser = newBrowser()
  await enterPassword(browser, person)
  return { person, browser, ...(await addPasskey(browser, 'My phone')) }
}

const account = async (browser: TestBrowser) => (await browser.get('/account')).text

const removable = (text: string) =>
  [...text.matchAll(/aria-label="Remove ([^"]+)"/g)].map(([, name]) => name)

test('account: an authenticator app alone can be replaced, and not removed', async () => {
  const { person, browser } = await openSignedIn()
  const text = await account(browser)
  expect(text).toContain('<h3>Authenticator app</h3>')
  expect(text).toMatch(/href="\/second-factor\?next=%2Faccount">\s*Replace/)
  expect(text).not.toContain('Add an authenticator app')
  expect(removable(text)).toEqual([])
  expect(text).toContain(`Ada, <span class="address">${person.email}</span>`)
  expect(text).toContain(`<a class="button" href="${portalUrl}">Open the portal</a>`)
  expect(text).toContain('0 are left, each for one sign-in')
})

test('account: a passkey alone stays, and an authenticator app can be added', async () => {
  const { browser } = await openWithPasskeyOnly()
  const text = await account(browser)
  expect(text).toContain('<h3>My phone</h3>')
  expect(text).toContain('Not used yet.')
  expect(text).not.toContain('<h3>Authenticator app</h3>')
  expect(text).toMatch(/href="\/second-factor\?next=%2Faccount">\s*Add an authenticator app/)
  expect(removable(text)).toEqual([])
})

test('account: of two factors each can be removed, and the other one signs in', async () => {
  const { browser } = await openSignedIn()
  const { authenticator } = await addPasskey(browser, 'My phone')
  expect(removable(await account(browser))).toEqual([
    'the authenticator app',
    'the passkey My phone',
  ])
  const other = newBrowser()
  const { text } = await other.get('/sign-in')
  const answer = authenticator.get(optionsIn(text))
  await other.submit('/sign-in/passkey', { answer })
  expect(await account(other)).toMatch(/Passkey, added <time [^>]+>[^<]+<\/time>\. Last used <time/)
  await other.submit('/factors/remove', { factor: 'totp' })
  expect(other.page.url).toBe('/account')
  expect(removable(other.page.text)).toEqual([])
  expect(other.page.text).not.toContain('<h3>Authenticator app</h3>')
})

test('account: two passkeys can be removed without an authenticator app', async () => {
  const { browser } = await openWithPasskeyOnly()
  await addPasskey(browser, 'My laptop')
  expect(removable(await account(browser))).toEqual([
    'the passkey My phone',
    'the passkey My laptop',
  ])
})

test('account: a passkey alone is a second factor, which a password does not replace', async () => {
  const { person } = await openWithPasskeyOnly()
  const other = newBrowser()
  await enterPassword(other, person)
  for (const path of ['/second-factor', '/passkeys']) {
    expect((await other.get(path)).url).toStartWith('/sign-in/code')
  }
})

const keepCodes = ({ id }: TestPerson, left: number) =>
  people.run(sql`
    delete from auth.recovery_codes where hash in (
      select hash from auth.recovery_codes where person = ${id} offset ${left}::int)`)

test('account: says how many recovery codes are left', async () => {
  const { person, browser } = await openWithPasskeyOnly()
  for (const [left, said] of [
    [10, '10 are left,'],
    [2, '2 are left,'],
    [1, 'One is left,'],
    [0, '0 are left,'],
  ] as const) {
    await keepCodes(person, left)
    expect(await account(browser)).toContain(said)
  }
})

test('account: sessions are named by their browser, and this one has no button', async () => {
  const { person, browser } = await openSignedIn()
  const other = newBrowser()
  await signIn(other, people, person)
  await people.run(sql`
    update auth.credentials set name = 'Firefox on Linux' where person = ${person.id}`)
  const text = await account(browser)
  const titles = [...text.matchAll(/<h3>(Firefox[^<]*)</g)].map(([, title]) => title)
  expect(titles).toEqual(['Firefox on Linux, this one', 'Firefox on Linux'])
  expect(text.match(/aria-label="End the session of Firefox on Linux"/g)).toHaveLength(1)
  await browser.submit('/sessions/end')
  expect((await other.get('/account')).url).toStartWith('/sign-in')
  expect(await account(browser)).not.toContain('End the session of')
})

test('account: a new session has the name of the browser that signs in', async () => {
  moveToNewNetwork()
  const { id, email } = await people.addPerson()
  const browser = newBrowser()
  await browser.get('/sign-in')
  const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
  const fields = { ...hiddenFields(browser.page.text, '/sign-in'), email, password }
  await browser.send('/sign-in', {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { 'user-agent': agent },
  })
  const rows = await people.run(sql`select name from auth.credentials where person = ${id}`)
  expect([...rows]).toEqual([{ name: 'Firefox on Linux' }])
})

test('account: closing it says why an only owner has to stay', async () => {
  const { person, integration, browser } = await openSignedIn()
  await people.addMember(await people.addPerson(), 'developer', integration)
  const first = await browser.get('/account/close')
  expect(first.text).not.toContain('class="alert"')
  const page = await browser.submit('/account/close', { email: person.email })
  expect(page.status).toBe(422)
  expect(page.text).toContain(
    '<p class="alert" role="alert">You are the only owner of an integration that has other members. Make one of them an owner first.</p>',
  )
  const wrong = await browser.submit('/account/close', { email: 'other@example.com' })
  expect(wrong.text).toContain(
    `<p class="fault" id="email-fault">Email must be ${person.email}.</p>`,
  )
})

test('recovery codes: after the first factor they lead to the portal, and later to the account', async () => {
  const { browser, page } = await openWithPasskeyOnly()
  const next = (text: string) => /href="([^"]+)">\s*I have saved them/.exec(text)?.[1]
  expect(next(page.text)).toBe(portalUrl)
  await browser.get('/recovery-codes')
  expect(next((await browser.submit('/recovery-codes')).text)).toBe('/account')
})
