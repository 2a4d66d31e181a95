import { describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { hiddenFields, withoutChance } from '../../testing/browser.ts'
import { enterPassword, holdDelays, signIn } from '../../testing/sign-in.ts'
import { usePages } from '../../testing/pages.ts'
import { password } from '../../testing/people.ts'

const { people, pages, newBrowser } = await usePages()

describe('signing in', () => {
  test('password and code lead to the page that was asked for, and nowhere without both', async () => {
    const ada = await people.addPerson()
    const one = newBrowser()
    expect((await one.get('/')).url).toBe('/sign-in')
    const code = await enterPassword(one, ada)
    expect(code).toMatchObject({ status: 200, url: '/sign-in/code' })
    expect(code.text).toContain('autocomplete="one-time-code"')
    expect((await one.get('/')).url).toBe('/sign-in/code')
    await one.get('/sign-in/code')
    const page = await one.submit('/sign-in/code', { code: people.clock.nextCode(ada) })
    expect(page).toMatchObject({ status: 200, url: '/' })
    expect(page.text).toContain(ada.email)
    expect((await one.get('/sign-in')).url).toBe('/')
  })

  test('a wrong password and an unknown address have one answer', async () => {
    const ada = await people.addPerson()
    const answers = []
    for (const email of [ada.email, 'unknown@example.com']) {
      const one = newBrowser()
      await one.get('/sign-in')
      const { status, text } = await one.submit('/sign-in', { email, password: 'wrong' })
      answers.push({ status, text: withoutChance(text).replaceAll(email, 'EMAIL') })
    }
    expect(answers[0]).toEqual(answers[1] as never)
    expect(answers[0]?.status).toBe(403)
    expect(answers[0]?.text).toContain('role="alert"')
  })

  test('faults stand at their fields, and the password is not repeated', async () => {
    const one = newBrowser()
    await one.get('/sign-in')
    const page = await one.submit('/sign-in', { email: '"><b>ada', password: '' })
    expect(page.status).toBe(422)
    expect(page.text).toContain('aria-describedby="email-fault" aria-invalid="true"')
    expect(page.text).toContain(
      '<p class="fault" id="password-fault">Password must not be empty.</p>',
    )
    expect(page.text).not.toContain('<b>ada')
    const again = await one.submit('/sign-in', { email: 'ada@example.com', password: 'hunter2' })
    expect(again.text).not.toContain('hunter2')
  })

  test('a code works once, in whichever session', async () => {
    const ada = await people.addPerson()
    const one = newBrowser()
    await enterPassword(one, ada)
    const code = people.clock.nextCode(ada)
    expect((await one.submit('/sign-in/code', { code })).url).toBe('/')
    const other = newBrowser()
    await enterPassword(other, ada)
    const refused = await other.submit('/sign-in/code', { code })
    expect(refused.status).toBe(403)
    expect(refused.text).toContain('Each code works once')
    expect((await other.get('/')).url).toBe('/sign-in/code')
    await other.get('/sign-in/code')
    const spaced = people.clock.nextCode(ada).replace(/^(\d{3})/, '$1 ')
    expect((await other.submit('/sign-in/code', { code: spaced })).url).toBe('/')
  })

  test('a person without a second factor adds one first', async () => {
    const ada = await people.addPerson(false)
    const one = newBrowser()
    expect((await enterPassword(one, ada)).url).toBe('/second-factor')
    for (const path of ['/', '/account', '/sign-in/code']) {
      expect((await one.get(path)).url).toStartWith('/second-factor')
    }
  })

  test('it answers once the attempts of its network and of its address are set back', async () => {
    const ada = await people.addPerson()
    pages.caller.address = '198.51.100.7'
    const one = newBrowser()
    await one.get('/sign-in')
    await one.submit('/sign-in', { email: ada.email, password: 'wrong' })
    await people.run(sql`
      create function auth.linger() returns trigger language plpgsql
      as 'begin perform pg_sleep(1); return new; end'`)
    await people.run(sql`
      create trigger linger before update on auth.failed_attempts for each row
      when (new.count < old.count) execute function auth.linger()`)
    const newest = sql`
      select kind, count from auth.failed_attempts
       where last_at > clock_timestamp() - interval '1 minute' order by last_at desc, subject limit 2`
    const before = await people.run(newest)
    try {
      expect(before.map(({ count }) => count)).toEqual([1, 1])
      expect((await one.submit('/sign-in', { email: ada.email, password })).status).toBe(200)
      expect((await people.run(newest))[0]).toEqual({ kind: 'sign_in_network', count: 1 })
    } finally {
      await people.run(sql`drop trigger linger on auth.failed_attempts`)
      await people.run(sql`drop function auth.linger()`)
    }
  })

  test('429: after five failures the same address waits, from this network only', async () => {
    const ada = await people.addPerson()
    pages.caller.address = '198.51.100.1'
    const one = newBrowser()
    await one.get('/sign-in')
    const wrong = { email: ada.email, password: 'wrong' }
    for (let count = 0; count < 5; count++) {
      expect((await one.submit('/sign-in', wrong)).status).toBe(403)
    }
    await holdDelays(people)
    const refused = await one.submit('/sign-in', { email: ada.email, password })
    expect(refused.status).toBe(429)
    const seconds = refused.headers.get('retry-after') ?? ''
    expect(Number(seconds)).toBeGreaterThan(30)
    expect(refused.text).toContain(`Try again in ${seconds} seconds.`)
    pages.caller.address = '198.51.100.2'
    const other = newBrowser()
    expect((await enterPassword(other, ada)).url).toBe('/sign-in/code')
    pages.caller.address = '203.0.113.7'
  })

  test('429: wrong codes wait as wrong passwords do', async () => {
    const ada = await people.addPerson()
    const one = newBrowser()
    await enterPassword(one, ada)
    const code = people.clock.wrongCode(ada)
    for (let count = 0; count < 5; count++) {
      expect((await one.submit('/sign-in/code', { code })).status).toBe(403)
    }
    await holdDelays(people)
    const refused = await one.submit('/sign-in/code', { code: people.clock.nextCode(ada) })
    expect(refused.status).toBe(429)
  })

  test('signing out ends the session for every holder of its cookie', async () => {
    const ada = await people.addPerson()
    const one = newBrowser()
    await signIn(one, people, ada)
    const stolen = [...one.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    await one.get('/sign-out')
    const out = await one.submit('/sign-out')
    expect(out.text).toContain('You are signed out')
    expect([...one.cookies.keys()]).toEqual(['auth_form'])
    const response = await one.send('/', { headers: { cookie: stolen } })
    expect(response.headers.get('location')).toBe('/sign-in')
  })
})

describe('sessions of the pages', () => {
  test('fixation: signing in and the second factor each give a new id', async () => {
    const ada = await people.addPerson()
    const one = newBrowser()
    one.cookies.set('auth_session', 'A'.repeat(43))
    await enterPassword(one, ada)
    const first = one.cookies.get('auth_session')
    expect(first).not.toBe('A'.repeat(43))
    await one.submit('/sign-in/code', { code: people.clock.nextCode(ada) })
    const second = one.cookies.get('auth_session')
    expect(second).not.toBe(first)
    one.cookies.set('auth_session', first ?? '')
    expect((await one.get('/')).url).toBe('/sign-in')
  })

  test('the cookie is for this host, out of reach of scripts and of forms elsewhere', async () => {
    const ada = await people.addPerson()
    const one = newBrowser()
    await one.get('/sign-in')
    const { form = '' } = hiddenFields(one.page.text, '/sign-in')
    const body = new URLSearchParams({ form, email: ada.email, password })
    const response = await one.send('/sign-in', { method: 'POST', body })
    expect(response.status).toBe(303)
    const [cookie] = response.headers.getSetCookie()
    expect(cookie).toMatch(/^auth_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
  })
})

describe('where signing in leads', () => {
  const hostile = [
    'https://evil.example.com/',
    '//evil.example.com',
    '/\\evil.example.com',
    '\\\\evil.example.com',
    '/%0d%0aLocation:evil',
    'javascript:alert(1)',
    '/ //evil.example.com',
    ' https://evil.example.com',
    '/..//evil.example.com',
  ]
  test.each(hostile)('stays here with next=%s', async given => {
    const ada = await people.addPerson()
    const one = newBrowser()
    await one.get('/sign-in')
    await one.submit('/sign-in', { email: ada.email, password, next: given })
    const { headers } = await one.send('/sign-in/code', {
      method: 'POST',
      body: new URLSearchParams({
        ...hiddenFields(one.page.text, '/sign-in/code'),
        code: people.clock.nextCode(ada),
        next: given,
      }),
    })
    const location = new URL(headers.get('location') ?? '', pages.origin)
    expect(location.origin).toBe(pages.origin)
    expect(headers.get('location')).toStartWith('/')
    expect(headers.get('location')).not.toStartWith('//')
  })

  test('goes to a path of this origin', async () => {
    const ada = await people.addPerson()
    const one = newBrowser()
    const page = await signIn(
      one,
      people,
      ada,
      `/sign-in?next=${encodeURIComponent('/sign-out?a=b')}`,
    )
    expect(page.url).toBe('/sign-out?a=b')
  })
})

describe('audit', () => {
  test('sign-ins and their refusals are recorded, without an address of email or a code', async () => {
    const ada = await people.addPerson()
    const one = newBrowser()
    await one.get('/sign-in')
    await one.submit('/sign-in', { email: ada.email, password: 'wrong' })
    await one.submit('/sign-in', { email: ada.email, password })
    const wrong = people.clock.wrongCode(ada)
    await one.submit('/sign-in/code', { code: wrong })
    await one.submit('/sign-in/code', { code: people.clock.nextCode(ada) })
    await one.get('/sign-out')
    await one.submit('/sign-out')
    const rows = await people.run<{ line: string; row: string }>(sql`
      select concat_ws(' ', action, outcome, status, code, surface) as line, to_jsonb(e)::text as row
        from audit.entries e where actor = ${ada.id} order by seq`)
    expect(rows.map(({ line }) => line)).toEqual([
      'auth.sign_in ok 303 oauth',
      'auth.second_factor refused 403 wrong_code oauth',
      'auth.second_factor ok 303 oauth',
      'auth.sign_out ok 303 oauth',
    ])
    const refused = await people.run<{ status: number }>(sql`
      select distinct status from audit.entries
       where action = 'auth.sign_in' and code = 'wrong_password' and actor is null`)
    expect(refused).toEqual([{ status: 403 }])
    for (const { row } of rows) {
      expect(row).not.toContain('@')
      expect(row).not.toContain(wrong)
    }
  })
})
