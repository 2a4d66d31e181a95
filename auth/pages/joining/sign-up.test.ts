// Signing up, from the form to a person with an integration and a second factor.
import { describe, expect, test } from 'bun:test'
import { openPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { closeAccount } from '../../accounts/own-account.ts'
import { completeSignUp } from '../../accounts/sign-ups.ts'
import { codeAt } from '../../accounts/totp.ts'
import { withoutChance } from '../../testing/browser.ts'
import { emailsTo, linkTo } from '../../testing/emails.ts'
import { usePages } from '../../testing/pages.ts'
import { password } from '../../testing/people.ts'

const { people, newBrowser, moveToNewNetwork } = await usePages()

let count = 0
const newAddress = () => `newcomer${++count}@example.com`

async function askFor(email: string, name = 'Ada Lovelace') {
  moveToNewNetwork()
  const browser = newBrowser()
  await browser.get('/sign-up')
  await browser.submit('/sign-up', { email, name })
  return browser
}

const personOf = async (email: string) => {
  const [row] = await people.run<{ id: string; name: string }>(sql`
    select id, name from auth.persons
     where lower(email) = lower(${email})`)
  return row
}

const secretIn = (text: string): string =>
  (/<p class="code secret">([A-Z2-7 ]+)</.exec(text)?.[1] ?? '').replaceAll(' ', '')

describe('signing up', () => {
  test('a link, a password and an authenticator app make a person with an integration', async () => {
    const email = newAddress()
    const browser = await askFor(email)
    expect(browser.page.text).toContain('Look into your mail')
    expect(browser.page.text).not.toContain('/dev/mail')
    expect(await personOf(email)).toBeUndefined()
    const link = await linkTo(people, email, 'sign_up')
    await browser.get(link)
    expect(browser.page.text).toContain(email)
    const chosen = await browser.submit('/verify-email', { password })
    expect(chosen.url).toBe('/second-factor')
    const person = await personOf(email)
    expect(person).toMatchObject({ name: 'Ada Lovelace' })

    const secret = secretIn(chosen.text)
    expect(chosen.text).toContain('<svg')
    const wrongCode = people.clock.wrongCode({ secret })
    const wrong = await browser.submit('/second-factor', { code: wrongCode })
    expect(wrong.status).toBe(422)
    expect(secretIn(wrong.text)).toBe(secret)
    const before = browser.cookies.get('auth_session')
    const code = codeAt(secret, people.clock.now)
    const codes = await browser.submit('/second-factor', { code })
    expect(codes.text.match(/<li class="code">[0-9a-z-]{19}</g)).toHaveLength(10)
    // The session goes on under another id once it has proved the second factor.
    expect(browser.cookies.get('auth_session')).not.toBe(before)
    expect((await browser.get('/')).text).toContain('Your agents and devices')
    expect((await emailsTo(people, email)).map(({ kind }) => kind)).toEqual([
      'verify_email',
      'factor_added',
    ])

    const [integration] = await people.run(sql`
      select i.name, m.role, o.sandbox_of is not null as sandbox from auth.members m
        join auth.integrations i on i.id = m.integration
        join auth.organizations o on o.sandbox_of = i.id where m.person = ${person?.id ?? ''}`)
    expect(integration).toEqual({ name: 'Your first integration', role: 'owner', sandbox: true })
    // That code was the first of the app, and is used up.
    const other = newBrowser()
    await other.get('/sign-in')
    await other.submit('/sign-in', { email, password })
    expect((await other.submit('/sign-in/code', { code })).status).toBe(403)
  })

  test('the answer is the same for a known address, byte by byte; the email says which', async () => {
    const ada = await people.addPerson()
    const unknown = newAddress()
    const [known, other] = [await askFor(ada.email), await askFor(unknown)]
    const answerOf = ({ page }: typeof known, email: string) => ({
      status: page.status,
      text: withoutChance(page.text).replaceAll(email, 'EMAIL'),
    })
    expect(answerOf(known, ada.email)).toEqual(answerOf(other, unknown))
    expect(await emailsTo(people, ada.email)).toMatchObject([{ kind: 'already_registered' }])
    expect(await emailsTo(people, unknown)).toMatchObject([{ kind: 'verify_email' }])
  })

  test('a link for a known address, were it ever sent, makes nothing', async () => {
    const ada = await people.addPerson()
    await askFor(ada.email)
    const browser = newBrowser()
    const page = await browser.get(await linkTo(people, ada.email, 'sign_up'))
    expect(page).toMatchObject({ status: 404 })
  })

  test('of ten simultaneous forms with one link, one makes the person', async () => {
    const email = newAddress()
    await askFor(email)
    const link = await linkTo(people, email, 'sign_up')
    const browsers = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const browser = newBrowser()
        await browser.get(link)
        return browser
      }),
    )
    const answers = await Promise.all(
      browsers.map(browser => browser.submit('/verify-email', { password })),
    )
    expect(answers.filter(({ url }) => url === '/second-factor')).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(9)
    const [row] = await people.run<{ count: number }>(sql`
      select count(*)::int as count from auth.members m join auth.persons p on p.id = m.person
       where p.email = ${email}`)
    expect(row?.count).toBe(1)
  })

  test('two links for one address make one person: the second waits, and has ended', async () => {
    const email = newAddress()
    await askFor(email)
    const first = await linkTo(people, email, 'sign_up')
    await askFor(email)
    const second = await linkTo(people, email, 'sign_up')
    const [one, other] = [newBrowser(), newBrowser()]
    await one.get(first)
    await other.get(second)
    expect((await one.submit('/verify-email', { password })).url).toBe('/second-factor')
    expect((await other.submit('/verify-email', { password })).status).toBe(404)
  })

  test.each([
    ['short', 'Password must have at least 12 characters.'],
    ['passwordpassword', 'Password must not be easy to guess.'],
    ['Ada Lovelace 1815', 'Password must not be easy to guess.'],
    ['examplehealth', 'Password must not be easy to guess.'],
  ])('422: the password %p cannot be chosen', async (given, fault) => {
    const email = newAddress()
    await askFor(email)
    const browser = newBrowser()
    await browser.get(await linkTo(people, email, 'sign_up'))
    const page = await browser.submit('/verify-email', { password: given })
    expect(page.status).toBe(422)
    expect(page.text).toContain(fault)
    expect(page.text).not.toContain(`value="${given}"`)
    expect((await browser.submit('/verify-email', { password })).url).toBe('/second-factor')
  })

  test('422: faults stand at their fields', async () => {
    moveToNewNetwork()
    const browser = newBrowser()
    await browser.get('/sign-up')
    const page = await browser.submit('/sign-up', { email: 'ada', name: '' })
    expect(page.status).toBe(422)
    expect(page.text).toContain('Email must be an email address, such as ada@example.com.')
    expect(page.text).toContain('Name must not be empty.')
  })

  test('404: a link that is a day old, of another kind, or changed', async () => {
    const email = newAddress()
    await askFor(email)
    const link = await linkTo(people, email, 'sign_up')
    const browser = newBrowser()
    const changed = link.slice(0, -1) + (link.endsWith('A') ? 'B' : 'A')
    const ofAnotherKind = link.replace('/verify-email', '/recover/account')
    for (const path of [changed, ofAnotherKind, '/verify-email', '/verify-email?token=x']) {
      expect((await browser.get(path)).status).toBe(404)
    }
    await people.run(sql`
      update auth.sign_ups set expires_at = expires_at - interval '24 hours' where email = ${email}`)
    expect((await browser.get(link)).status).toBe(404)
  })

  test('the database itself uses a link once, and none after its end', async () => {
    const act = { surface: 'oauth', request: 'req_3', address: null, agent: null } as const
    const idFor = async (email: string) => {
      await askFor(email)
      const [row] = await people.run<{ id: string }>(sql`
        select id from auth.sign_ups where email = ${email}`)
      return row?.id ?? ''
    }
    const used = { id: await idFor(newAddress()), password }
    const person = await completeSignUp(people.pool, used, act)
    expect(person).not.toBeNull()
    // The address is free again, and the link is still used.
    expect(await closeAccount(people.pool, person ?? '', act)).toBeNull()
    expect(await completeSignUp(people.pool, used, act)).toBeNull()
    const late = { id: await idFor(newAddress()), password }
    await people.run(
      sql`update auth.sign_ups set expires_at = now() - interval '1 ms' where id = ${late.id}`,
    )
    expect(await completeSignUp(people.pool, late, act)).toBeNull()
  })

  test('an address gets three emails an hour, from whichever network they are asked for', async () => {
    const email = newAddress()
    for (let at = 0; at < 5; at++) {
      expect((await askFor(email)).page.text).toContain('Look into your mail')
    }
    expect(await emailsTo(people, email)).toHaveLength(3)
  })

  test('429: a network asks for twenty emails an hour', async () => {
    moveToNewNetwork()
    const browser = newBrowser()
    for (let at = 0; at < 20; at++) {
      await browser.get(at % 2 === 0 ? '/sign-up' : '/recover')
      const path = at % 2 === 0 ? '/sign-up' : '/recover'
      expect((await browser.submit(path, { email: newAddress(), name: 'Ada' })).status).toBe(200)
    }
    await browser.get('/sign-up')
    const refused = await browser.submit('/sign-up', { email: newAddress(), name: 'Ada' })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3500)
  })

  test('the audit names neither the address nor the name', async () => {
    const email = newAddress()
    const browser = await askFor(email, 'Grace Hopper')
    await browser.get(await linkTo(people, email, 'sign_up'))
    await browser.submit('/verify-email', { password })
    const { id = '' } = (await personOf(email)) ?? {}
    const rows = await people.run<{ action: string; row: string }>(sql`
      select action, to_jsonb(e)::text as row from audit.entries e
       where person = ${id} order by seq`)
    expect(rows.map(({ action }) => action)).toEqual(['createIntegration', 'auth.verify_email'])
    for (const { row } of rows) expect(row).not.toMatch(/@example|Hopper/)
  })
})

test('the work for a known and an unknown address is the same: neither answers first', async () => {
  // Both write one row of the audit, so both wait for it: held there, neither has answered.
  const ada = await people.addPerson()
  moveToNewNetwork()
  const browsers = [newBrowser(), newBrowser()]
  for (const browser of browsers) await browser.get('/recover')
  let answered = 0
  const held = await holdAudit()
  const answers = browsers.map((browser, at) =>
    browser
      .submit('/recover', { email: at === 0 ? ada.email : newAddress() })
      .finally(() => void answered++),
  )
  await until(async () => (await held.waiting()) === 2, 4)
  expect(answered).toBe(0)
  await held.release()
  for (const answer of answers) expect((await answer).status).toBe(200)
})

/** Locks the table of the audit, so that each insert of a row waits. */
async function holdAudit() {
  const pool = openPool({ url: people.database.url, size: 1, name: 'holding the audit' })
  const released = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const done = pool.use(async connection => {
    await connection.run(sql`begin`)
    await connection.run(sql`lock table audit.entries in exclusive mode`)
    locked.resolve()
    await released.promise
    await connection.run(sql`commit`)
  })
  await locked.promise
  return {
    async waiting() {
      const [row] = await people.run<{ count: number }>(sql`
        select count(*)::int as count from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`)
      return row?.count
    },
    async release() {
      released.resolve()
      await done
      await pool.close()
    },
  }
}
