// Tests signing in and out, and who has to wait after failures.
import { describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { withoutChance } from '../../testing/browser.ts'
import { enterPassword, holdDelays, signIn } from '../../testing/sign-in.ts'
import { usePages } from '../../testing/pages.ts'
import { password, type TestPerson } from '../../testing/people.ts'

const { people, pages, newBrowser, openMember, moveToNewNetwork } = await usePages()

async function openPerson() {
  moveToNewNetwork()
  return { ada: await people.addPerson(), one: newBrowser() }
}

const session = 'auth_session'

describe('signing in', () => {
  test('a password and a code lead to the requested page, and both are required', async () => {
    const { ada, one } = await openPerson()
    one.cookies.set(session, 'A'.repeat(43))
    expect((await one.get('/')).url).toBe('/sign-in')
    const code = await enterPassword(one, ada)
    expect(code).toMatchObject({ status: 200, url: '/sign-in/code' })
    expect(code.text).toContain('autocomplete="one-time-code"')
    // Each step gives the session a new ID, and the former one stops working.
    const first = one.cookies.get(session) ?? ''
    expect(first).not.toBe('A'.repeat(43))
    expect((await one.get('/')).url).toBe('/sign-in/code')
    const spaced = people.clock.nextCode(ada).replace(/^(\d{3})/, '$1 ')
    const page = await one.submit('/sign-in/code', { code: spaced })
    expect(page).toMatchObject({ status: 200, url: '/' })
    expect(page.text).toContain(ada.email)
    expect((await one.get('/sign-in')).url).toBe('/')
    expect(one.cookies.get(session)).not.toBe(first)
    one.cookies.set(session, first)
    expect((await one.get('/')).url).toBe('/sign-in')
  })

  test('the cookie is only for this host, and is unavailable to scripts and cross-site forms', async () => {
    const { ada, one } = await openPerson()
    await one.get('/sign-in')
    const { headers } = await one.post('/sign-in', { email: ada.email, password })
    const [cookie] = headers.getSetCookie()
    expect(cookie).toMatch(/^auth_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
  })

  test('a wrong password and an unknown address get the same response', async () => {
    const { ada } = await openPerson()
    const answerTo = async (email: string) => {
      const one = newBrowser()
      await one.get('/sign-in')
      const { status, text } = await one.submit('/sign-in', { email, password: 'hunter2' })
      expect(text).toContain('role="alert"')
      expect(text).not.toContain('hunter2')
      return { status, text: withoutChance(text).replaceAll(email, 'EMAIL') }
    }
    const answer = await answerTo(ada.email)
    expect(answer.status).toBe(403)
    expect(await answerTo('unknown@example.com')).toEqual(answer)
  })

  test('422: errors appear next to their fields', async () => {
    const { ada, one } = await openPerson()
    await one.get('/sign-in')
    const page = await one.submit('/sign-in', { email: '"><b>ada', password: '' })
    expect(page.status).toBe(422)
    for (const name of ['email', 'password']) expect(page.text).toContain(`id="${name}-fault"`)
    expect(page.text).not.toContain('<b>ada')
    await enterPassword(one, ada)
    for (const code of ['12345', '1234567', 'abcdef', '000-0000']) {
      expect((await one.submit('/sign-in/code', { code })).status).toBe(422)
    }
  })

  test('a code works only once, in any session', async () => {
    const { ada, one } = await openPerson()
    await enterPassword(one, ada)
    const code = people.clock.nextCode(ada)
    expect((await one.submit('/sign-in/code', { code })).url).toBe('/')
    const other = newBrowser()
    await enterPassword(other, ada)
    expect((await other.submit('/sign-in/code', { code })).status).toBe(403)
    expect((await other.get('/')).url).toBe('/sign-in/code')
  })

  test('a person without a second factor adds one first', async () => {
    const one = newBrowser()
    expect((await enterPassword(one, await people.addPerson(false))).url).toBe('/second-factor')
    expect((await one.get('/sign-in/code')).url).toStartWith('/second-factor')
    expect(one.page.text).toContain('Prefer no codes?')
  })

  test('signing out ends the session for everyone with its cookie', async () => {
    const { ada, one } = await openPerson()
    await signIn(one, people, ada)
    const stolen = [...one.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    await one.get('/sign-out')
    const { text } = await one.submit('/sign-out')
    expect(text).toContain('You’re signed out')
    expect(text).toContain('href="/account"')
    expect([...one.cookies.keys()]).toEqual(['auth_form', 'auth_known'])
    const response = await one.send('/', { headers: { cookie: stolen } })
    expect(response.headers.get('location')).toBe('/sign-in')
  })

  test('signing out continues only to a page here', async () => {
    const { ada, one } = await openPerson()
    await signIn(one, people, ada)
    await one.get('/sign-out')
    const { headers } = await one.post('/sign-out', { next: 'https://evil.example/' })
    expect(headers.get('location')).toBe('/')
  })
})

describe('429', () => {
  test('after five failures, the address has to wait, but only on the same network', async () => {
    const { ada, one } = await openPerson()
    await one.get('/sign-in')
    const wrong = { email: ada.email, password: 'wrong' }
    for (let count = 0; count < 5; count++) {
      expect((await one.submit('/sign-in', wrong)).status).toBe(403)
    }
    await holdDelays(people)
    const refused = await one.submit('/sign-in', { email: ada.email, password })
    const seconds = refused.headers.get('retry-after') ?? ''
    expect([refused.status, Number(seconds) > 30]).toEqual([429, true])
    expect(refused.text).toContain(`Try again in ${seconds} seconds.`)
    moveToNewNetwork()
    expect((await enterPassword(newBrowser(), ada)).url).toBe('/sign-in/code')
  })

  test('after wrong app codes, the next app code or recovery code has to wait too', async () => {
    const { person, browser } = await openMember()
    await enterPassword(browser, person)
    for (let count = 0; count < 5; count++) {
      expect((await browser.submit('/sign-in/code', { code: '000000' })).status).toBe(403)
    }
    await holdDelays(people)
    const code = people.clock.nextCode(person)
    expect((await browser.submit('/sign-in/code', { code })).status).toBe(429)
    await browser.get('/sign-in/recovery-code')
    const recovery = { code: '0000-0000-0000-0000' }
    expect((await browser.submit('/sign-in/recovery-code', recovery)).status).toBe(429)
  })

  test('a correct password clears the failures for the address, but not for the network', async () => {
    const { ada, one } = await openPerson()
    await people.run(sql`delete from auth.failed_attempts`)
    await one.get('/sign-in')
    for (const given of ['wrong', 'wrong', password]) {
      await one.post('/sign-in', { email: ada.email, password: given })
    }
    const kinds = sql`select kind, count from auth.failed_attempts order by kind`
    expect([...(await people.run(kinds))]).toEqual([
      { kind: 'sign_in_account', count: 2 },
      { kind: 'sign_in_network', count: 2 },
    ])
    await one.get('/sign-in/code')
    for (const code of ['000000', people.clock.nextCode(ada)]) {
      await one.post('/sign-in/code', { code })
    }
    expect(await people.run(kinds)).toHaveLength(2)
  })

  test.each(['sign_in_network', 'sign_in_account'])(
    'a full %s: only accounts that failed wait',
    async kind => {
      const { ada, one } = await openPerson()
      const ben = await people.addPerson()
      const wrong = (email: string) => one.submit('/sign-in', { email, password: 'wrong' })
      await one.get('/sign-in')
      expect((await wrong(ada.email)).status).toBe(403)
      await people.run(sql`update auth.failed_attempts set count = 30 where kind = ${kind}`)
      expect((await wrong(ada.email)).status).toBe(403)
      await holdDelays(people)
      expect((await enterPassword(newBrowser(), ada)).status).toBe(429)
      expect((await enterPassword(newBrowser(), ben)).url).toBe('/sign-in/code')
    },
  )

  test('a browser that has signed in is delayed only by its own failures', async () => {
    const { person: ada, browser } = await openMember()
    await signIn(browser, people, ada)
    const known = browser.cookies.get('auth_known') ?? ''
    const ben = await people.addPerson()
    browser.cookies.delete(session)
    await signIn(browser, people, ben)
    const fail = async (one: typeof browser, email: string) => {
      await one.get('/sign-in')
      for (let count = 0; count < 6; count++) {
        await one.post('/sign-in', { email, password: 'wrong' })
      }
      await holdDelays(people)
    }
    const guesser = newBrowser()
    await fail(guesser, ada.email)
    expect((await enterPassword(guesser, ada)).status).toBe(429)
    // Another account's or another browser's mark is worthless.
    guesser.cookies.set('auth_known', `${known.split('.')[0]}.${'A'.repeat(43)}`)
    expect((await enterPassword(guesser, ada)).status).toBe(429)
    browser.cookies.delete(session)
    expect((await enterPassword(browser, ada)).url).toBe('/sign-in/code')
    browser.cookies.delete(session)
    await fail(browser, ada.email)
    expect((await enterPassword(browser, ada)).status).toBe(429)
    expect((await enterPassword(browser, ben)).url).toBe('/sign-in/code')
  })
})

describe('the page after signing in', () => {
  test.each([
    'https://evil.example.com/',
    '//evil.example.com',
    '/\\evil.example.com',
    '\\\\evil.example.com',
    '/%0d%0aLocation:evil',
    'javascript:alert(1)',
    '/ //evil.example.com',
    ' https://evil.example.com',
    '/..//evil.example.com',
  ])('stays here with next=%s', async next => {
    const { ada, one } = await openPerson()
    await one.get('/sign-in')
    await one.submit('/sign-in', { email: ada.email, password, next })
    const code = people.clock.nextCode(ada)
    const { headers } = await one.post('/sign-in/code', { code, next })
    const location = headers.get('location') ?? ''
    expect(location).toMatch(/^\/(?!\/)/)
    expect(new URL(location, pages.origin).origin).toBe(pages.origin)
  })

  test('goes to a path on this origin', async () => {
    const { ada, one } = await openPerson()
    const path = `/sign-in?${new URLSearchParams({ next: '/sign-out?a=b' })}`
    expect((await signIn(one, people, ada, path)).url).toBe('/sign-out?a=b')
  })
})

test('audit: sign-ins and their refusals, without an email address or a code', async () => {
  const { ada, one } = await openPerson()
  await one.get('/sign-in')
  const send = (given: string) => one.submit('/sign-in', { email: ada.email, password: given })
  await send('wrong')
  await send(password)
  await one.submit('/sign-in/code', { code: '000000' })
  await one.submit('/sign-in/code', { code: people.clock.nextCode(ada) })
  await one.get('/sign-out')
  await one.submit('/sign-out')
  await one.get('/sign-in')
  for (let at = 0; at < 5; at++) await send('wrong')
  await holdDelays(people)
  await send('wrong')
  const rows = await people.run<{ line: string; row: string; actor: string | null }>(sql`
    select concat_ws(' ', action, outcome, status, code) as line, actor, to_jsonb(e)::text as row
      from audit.entries e where address = ${pages.caller.address} order by seq`)
  const linesOf = (person: TestPerson | null) =>
    rows.filter(({ actor }) => actor === (person?.id ?? null)).map(({ line }) => line)
  expect(linesOf(ada)).toEqual([
    'auth.sign_in ok 303',
    'auth.second_factor refused 403 wrong_code',
    'auth.second_factor ok 303',
    'auth.sign_out ok 303',
  ])
  expect(linesOf(null)).toEqual([
    ...Array(6).fill('auth.sign_in refused 403 wrong_password'),
    'auth.sign_in refused 429 rate_limited',
  ])
  for (const { row } of rows) expect(row).not.toMatch(/@|000000/)
})
