// Tests passkeys with a software authenticator.
import { describe, expect, test } from 'bun:test'
import { randomBytes } from '#database/clock.ts'
import { sql } from '#database/sql.ts'
import { removeFactor, setTotp } from '../../accounts/factors.ts'
import { newRecoveryCodes } from '../../accounts/recovery-codes.ts'
import { codeAt, newTotpSecret } from '../../accounts/totp.ts'
import { openAuthenticator, optionsIn } from '../../testing/authenticator.ts'
import type { TestBrowser } from '../../testing/browser.ts'
import { emailsTo } from '../../testing/emails.ts'
import { usePages } from '../../testing/pages.ts'
import { peppers, type TestPerson } from '../../testing/people.ts'
import { ageFactor, enterPassword, signIn } from '../../testing/sign-in.ts'

const { people, pages, newBrowser, openMember, moveToNewNetwork } = await usePages()

const act = { surface: 'oauth', request: 'req_of_own', address: null, agent: null } as const

type Authenticator = ReturnType<typeof openAuthenticator>

const add = async (browser: TestBrowser, authenticator: Authenticator, name = 'My phone') => {
  const { text } = await browser.get('/passkeys')
  return browser.submit('/passkeys', { name, answer: authenticator.create(optionsIn(text)) })
}

async function openWithPasskey() {
  const { person, browser } = await openMember()
  await signIn(browser, people, person)
  const authenticator = openAuthenticator(pages.origin)
  expect((await add(browser, authenticator)).url).toBe('/account')
  return { person, browser, authenticator }
}

const answerTo = (page: string, authenticator: Authenticator) => authenticator.get(optionsIn(page))

const use = async (browser: TestBrowser, authenticator: Authenticator) => {
  const { text } = await browser.get('/sign-in')
  return browser.submit('/sign-in/passkey', { answer: answerTo(text, authenticator) })
}

/** The page that removes the account's passkey. */
const removalOf = async (browser: TestBrowser) => {
  const { text } = await browser.get('/account')
  return /href="(\/factors\/remove\?factor=[\w-]{40,})"/.exec(text)?.[1] ?? ''
}

const emailOf = ({ text }: { text: string }, { email }: TestPerson) => text.includes(email)

describe('a passkey', () => {
  test('signs in without a password or code, and counts as a fresh second factor', async () => {
    const { person, authenticator } = await openWithPasskey()
    const other = newBrowser()
    const page = await use(other, authenticator)
    expect([page.url, emailOf(page, person)]).toEqual(['/', true])
    expect((await other.get('/password')).url).toBe('/password')
    const emails = await emailsTo(people, person.email)
    expect(emails).toMatchObject([
      { kind: 'factor_added', facts: { factor: 'the passkey My phone' } },
    ])
  })

  test('a new person adds a passkey instead of an app, and gets recovery codes', async () => {
    moveToNewNetwork()
    const person = await people.addPerson(false)
    const browser = newBrowser()
    await enterPassword(browser, person)
    const authenticator = openAuthenticator(pages.origin)
    const page = await add(browser, authenticator)
    expect(page.text.match(/<li class="code">/g)).toHaveLength(10)
    expect((await browser.get('/account')).url).toBe('/account')
    const other = newBrowser()
    await enterPassword(other, person)
    expect(other.page.url).toBe('/sign-in/code')
    expect(other.page.text).toContain('<h1>Use your passkey</h1>')
    expect(other.page.text).toContain('Continue with your fingerprint, face or PIN.')
    expect(other.page.text).toContain('off in this browser. Use a recovery code instead.')
    expect(other.page.text).toContain('or sign in on a device that has your passkey.')
    const answer = answerTo(other.page.text, authenticator)
    const another = await other.get('/sign-in/recovery-code')
    expect(another.text).toContain('<h1>Enter a recovery code</h1>')
    expect(another.text).not.toContain('Continue with your fingerprint, face or PIN.')
    await other.get('/sign-in/code')
    expect((await other.submit('/sign-in/passkey', { answer })).url).toBe('/')
  })

  test('counts as a fresh second factor in the same session', async () => {
    const { person, browser, authenticator } = await openWithPasskey()
    await ageFactor(people, person, 301)
    const asked = await browser.get('/password')
    expect(asked.url).toBe('/sign-in/code?next=%2Fpassword')
    const answer = answerTo(asked.text, authenticator)
    expect((await browser.submit('/sign-in/passkey', { answer })).url).toBe('/password')
  })

  test('renews its person’s session without extending it, and replaces anyone else’s', async () => {
    const { person, browser, authenticator } = await openWithPasskey()
    const sessionsOf = ({ id }: TestPerson) =>
      people.run<{ sign_in: string; expires: string; revoked_reason: string | null }>(sql`
        select sign_in, expires_at::text as expires, revoked_reason from auth.credentials
         where person = ${id} and kind = 'session' order by created_at, id`)
    const before = (await sessionsOf(person)).at(-1)
    const { text } = await browser.get('/sign-in/code')
    await browser.submit('/sign-in/passkey', { answer: answerTo(text, authenticator) })
    const [former, renewed] = (await sessionsOf(person)).slice(-2)
    expect(former?.revoked_reason).toBe('renewed')
    expect(renewed).toMatchObject({ ...before, revoked_reason: null })
    const ben = await openWithPasskey()
    const page = await ben.browser.get('/sign-in/code')
    await ben.browser.submit('/sign-in/passkey', { answer: answerTo(page.text, authenticator) })
    expect(emailOf(await ben.browser.get('/account'), person)).toBe(true)
    expect((await sessionsOf(ben.person)).every(one => one.revoked_reason !== null)).toBe(true)
  })

  test('can be removed if another factor is left, and then no longer signs in', async () => {
    const { person, browser, authenticator } = await openWithPasskey()
    await browser.get(await removalOf(browser))
    await browser.submit('/factors/remove')
    expect((await use(newBrowser(), authenticator)).status).toBe(403)
    expect((await emailsTo(people, person.email)).at(-1)?.kind).toBe('factor_removed')
  })

  test('is removed only on a page that names it, with a fresh second factor', async () => {
    const { person, browser, authenticator } = await openWithPasskey()
    const removal = await removalOf(browser)
    const isListed = async () => (await browser.get('/account')).text.includes(`href="${removal}"`)
    await ageFactor(people, person, 301)
    const asked = await browser.get(removal)
    expect(asked.url).toBe(`/sign-in/code?${new URLSearchParams({ next: removal })}`)
    const answer = answerTo(asked.text, authenticator)
    const page = await browser.submit('/sign-in/passkey', { answer })
    expect(page.url).toBe(removal)
    expect(page.text).toContain('Remove the passkey “My phone”?')
    expect(page.text).toContain('href="/account"')
    expect(await isListed()).toBe(true)

    // A form that was sent too late returns to its page, and removes nothing.
    await browser.get(removal)
    await ageFactor(people, person, 301)
    const late = await browser.submit('/factors/remove')
    expect(late.url).toBe(asked.url)
    const back = await browser.submit('/sign-in/passkey', {
      answer: answerTo(late.text, authenticator),
    })
    expect(back.url).toBe(removal)
    expect(await isListed()).toBe(true)
    await browser.get(removal)
    expect((await browser.submit('/factors/remove')).url).toBe('/account')
    expect(await isListed()).toBe(false)
  })

  test('404 for a removal of another person’s passkey, 409 for the last second factor', async () => {
    const { browser } = await openWithPasskey()
    const foreign = await removalOf((await openWithPasskey()).browser)
    expect((await browser.get(foreign)).status).toBe(404)
    const removal = await removalOf(browser)
    const totp = '/factors/remove?factor=totp'
    expect((await browser.get(totp)).text).toContain('Remove the authenticator app?')
    expect((await browser.submit('/factors/remove')).url).toBe('/account')
    expect((await browser.get(totp)).status).toBe(404)
    expect((await browser.get(removal)).status).toBe(409)
  })

  test('of two simultaneous first factors, only one comes with recovery codes', async () => {
    moveToNewNetwork()
    const person = await people.addPerson(false)
    const browser = newBrowser()
    await enterPassword(browser, person)
    await add(browser, openAuthenticator(pages.origin))
    const secret = newTotpSecret(randomBytes)
    const asked = {
      person: person.id,
      older: null,
      secret,
      code: codeAt(secret, people.clock.now),
      recoveryCodes: newRecoveryCodes(peppers, person.id, randomBytes),
    }
    const parts = { pool: people.pool, encryption: people.encryption, now: () => people.clock.now }
    expect(await setTotp(parts, asked, act)).toBe('changed_meanwhile')
    expect(await setTotp(parts, { ...asked, recoveryCodes: null }, act)).toBeNull()
    const codes = await people.run(sql`
      select from auth.recovery_codes where person = ${person.id} and used_at is null`)
    expect(codes).toHaveLength(10)
  })

  test('two simultaneous removals leave one factor', async () => {
    const { person } = await openWithPasskey()
    const [key] = await people.run<{ id: string }>(sql`
      select id from auth.passkeys where person = ${person.id}`)
    const remove = (passkey: string | null) =>
      removeFactor(people.pool, { person: person.id, passkey }, act)
    const answers = await Promise.all([remove(null), remove(key?.id ?? '')])
    expect(answers.toSorted()).toEqual(['last_factor', null])
  })
})

describe('403: responses that don’t sign in', () => {
  test('a used response, even sent eight times at once', async () => {
    const { authenticator } = await openWithPasskey()
    authenticator.state.counts = false
    expect((await use(newBrowser(), authenticator)).url).toBe('/')
    const browser = newBrowser()
    const { text } = await browser.get('/sign-in')
    const answer = answerTo(text, authenticator)
    const fields = /action="\/sign-in\/passkey".*?name="form" value="([^"]+)"/s.exec(text)
    const body = new URLSearchParams({ form: fields?.[1] ?? '', answer })
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        browser.send('/sign-in/passkey', { method: 'POST', body, headers: { cookie } }),
      ),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter(status => status === 303)).toHaveLength(1)
    expect(statuses.filter(status => status === 403)).toHaveLength(7)
  })

  test('a challenge from another browser or another time, or one that we didn’t create', async () => {
    const { authenticator } = await openWithPasskey()
    const [one, other] = [newBrowser(), newBrowser()]
    const { text } = await one.get('/sign-in')
    // A passkey that was never added isn't accepted either.
    expect((await use(other, openAuthenticator(pages.origin))).status).toBe(403)
    const foreign = answerTo(text, authenticator)
    expect((await other.submit('/sign-in/passkey', { answer: foreign })).status).toBe(403)
    const made = authenticator.get({ challenge: Buffer.alloc(36).toString('base64url') })
    expect((await other.submit('/sign-in/passkey', { answer: made })).status).toBe(403)
  })

  test('a response without user verification, or for another origin’s page', async () => {
    const { authenticator } = await openWithPasskey()
    authenticator.state.isVerified = false
    expect((await use(newBrowser(), authenticator)).status).toBe(403)
    authenticator.state.isVerified = true
    authenticator.state.origin = 'https://auth.evil.example'
    expect((await use(newBrowser(), authenticator)).status).toBe(403)
    authenticator.state.origin = pages.origin
    expect((await use(newBrowser(), authenticator)).url).toBe('/')
  })

  test('a count that doesn’t increase, which means a copied passkey', async () => {
    const { authenticator } = await openWithPasskey()
    expect((await use(newBrowser(), authenticator)).url).toBe('/')
    authenticator.state.count--
    expect((await use(newBrowser(), authenticator)).status).toBe(403)
  })

  test.each([
    '',
    '{',
    'null',
    '{"id":"x"}',
    '{"id":"x","rawId":"x","type":"public-key","response":{}}',
  ])('a malformed response: %p', async answer => {
    moveToNewNetwork()
    const browser = newBrowser()
    await browser.get('/sign-in')
    expect((await browser.submit('/sign-in/passkey', { answer })).status).toBe(403)
  })
})

describe('422: passkeys that can’t be added', () => {
  test('a passkey that is already on this or another account', async () => {
    const { browser, authenticator } = await openWithPasskey()
    expect((await add(browser, authenticator)).text).toContain('already on an account')
    const { person, browser: other } = await openMember()
    await signIn(other, people, person)
    expect((await add(other, authenticator)).status).toBe(422)
  })

  test('a passkey whose name isn’t a single line with 1 to 100 characters', async () => {
    const { person, browser } = await openMember()
    await signIn(browser, people, person)
    for (const name of ['', ' ', 'n'.repeat(101), 'My\nphone']) {
      const page = await add(browser, openAuthenticator(pages.origin), name)
      expect([name, page.status]).toEqual([name, 422])
      expect(page.text).toContain('id="name-fault"')
    }
    const longest = await add(browser, openAuthenticator(pages.origin), 'n'.repeat(100))
    expect(longest.url).toBe('/account')
  })

  test('a passkey without a valid response', async () => {
    const { person, browser } = await openMember()
    await signIn(browser, people, person)
    await browser.get('/passkeys')
    expect((await browser.submit('/passkeys', { name: 'x', answer: '{}' })).status).toBe(422)
    const authenticator = openAuthenticator(pages.origin)
    authenticator.state.isVerified = false
    expect((await add(browser, authenticator)).status).toBe(422)
  })
})
