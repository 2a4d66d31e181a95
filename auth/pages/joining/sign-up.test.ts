// Tests signing up, from the form to a person with an integration and a second factor.
import { describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { closeAccount } from '../../accounts/own-account.ts'
import { completeSignUp } from '../../accounts/sign-ups.ts'
import { codeAt } from '../../accounts/totp.ts'
import { withoutChance } from '../../testing/browser.ts'
import { emailsTo, linkTo } from '../../testing/emails.ts'
import { usePages } from '../../testing/pages.ts'
import { handoffUrls, password } from '../../testing/people.ts'
import { secretIn, signIn } from '../../testing/sign-in.ts'

const { people, newBrowser, openMember, moveToNewNetwork } = await usePages()

let count = 0
const newAddress = () => `newcomer${++count}@example.com`

async function askFor(email: string, name = 'Ada Lovelace') {
  moveToNewNetwork()
  const browser = newBrowser()
  await browser.get('/sign-up')
  await browser.submit('/sign-up', { email, name, company: 'Hopper Health' })
  return browser
}

/** Opens the page behind the emailed link. */
async function openLink(email: string) {
  const browser = newBrowser()
  await browser.get(await linkTo(people, email, 'sign_up'))
  return browser
}

const personOf = async (email: string) => {
  const [row] = await people.run<{ id: string; name: string }>(sql`
    select id, name from auth.persons
     where public.normalized_email(email) = public.normalized_email(${email})`)
  return row
}

describe('signing up', () => {
  test('a link, a password and an authenticator app create a person with an integration', async () => {
    const email = newAddress()
    const { page } = await askFor(email, 'Grace Hopper')
    expect(page.text).toContain('Check your email')
    expect(page.text).not.toContain('/dev/mail')
    expect(await personOf(email)).toBeUndefined()
    const browser = await openLink(email)
    expect(browser.page.text).toContain(email)
    const chosen = await browser.submit('/verify-email', { password })
    expect(chosen.url).toBe('/second-factor')
    const person = await personOf(email)
    expect(person).toMatchObject({ name: 'Grace Hopper' })

    const secret = secretIn(chosen.text)
    expect(chosen.text).toContain('<svg')
    const wrong = await browser.submit('/second-factor', { code: '000000' })
    expect([wrong.status, secretIn(wrong.text)]).toEqual([422, secret])
    const before = browser.cookies.get('auth_session')
    const code = codeAt(secret, people.clock.now)
    const codes = await browser.submit('/second-factor', { code })
    expect(codes.text.match(/<li class="code">[0-9a-z-]{19}</g)).toHaveLength(10)
    // The session continues under another ID once the second factor is verified.
    expect(browser.cookies.get('auth_session')).not.toBe(before)
    expect((await browser.get('/')).text).toContain('Your agents and devices')
    const kinds = (await emailsTo(people, email)).map(({ kind }) => kind)
    expect(kinds).toEqual(['verify_email', 'factor_added'])

    const id = person?.id ?? ''
    const [integration] = await people.run(sql`
      select i.name, m.role, o.sandbox_of is not null as sandbox from auth.members m
        join auth.integrations i on i.id = m.integration
        join auth.organizations o on o.sandbox_of = i.id where m.person = ${id}`)
    expect(integration).toEqual({ name: 'Hopper Health', role: 'owner', sandbox: true })
    // The app's first code is used up.
    const other = newBrowser()
    await other.get('/sign-in')
    await other.submit('/sign-in', { email, password })
    expect((await other.submit('/sign-in/code', { code })).status).toBe(403)
    const rows = await people.run<{ action: string; row: string }>(sql`
      select action, to_jsonb(e)::text as row from audit.entries e where person = ${id}`)
    const actions = rows.map(({ action }) => action)
    expect(actions).toEqual(expect.arrayContaining(['createIntegration', 'auth.verify_email']))
    for (const { row } of rows) expect(row).not.toMatch(/@example|Hopper/)
  })

  test('the response is byte-identical for a known address; only the email differs', async () => {
    const ada = await people.addPerson()
    const unknown = newAddress()
    const answerOf = async (email: string) => {
      const { page } = await askFor(email)
      return [page.status, withoutChance(page.text).replaceAll(email, 'EMAIL')]
    }
    expect(await answerOf(ada.email)).toEqual(await answerOf(unknown))
    expect(await emailsTo(people, ada.email)).toMatchObject([{ kind: 'already_registered' }])
    expect(await emailsTo(people, unknown)).toMatchObject([{ kind: 'verify_email' }])
    // Even if a link for a known address were sent, it wouldn't create anything.
    expect((await openLink(ada.email)).page.status).toBe(404)
  })

  test('of several forms with one or two links for an address, only one creates the person', async () => {
    const email = newAddress()
    await askFor(email)
    const browsers = [await openLink(email), await openLink(email)]
    await askFor(email)
    browsers.push(await openLink(email))
    const answers = await Promise.all(
      browsers.map(browser => browser.submit('/verify-email', { password })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404])
    const members = await people.run(sql`
      select from auth.members m join auth.persons p on p.id = m.person where p.email = ${email}`)
    expect(members).toHaveLength(1)
  })

  test('the next page can resend the email, or go back with everything typed', async () => {
    const email = newAddress()
    const browser = await askFor(email, 'Grace Hopper')
    expect(browser.page.text).not.toContain('role="status"')
    const again = await browser.submit('/sign-up', { again: 'yes' })
    expect(again.text).toMatch(
      /Check your email.*We sent another link.*role="status">\s*Sent again/s,
    )
    expect(await emailsTo(people, email)).toHaveLength(2)
    const { status, text } = await browser.submit('/sign-up', { edit: 'yes' })
    expect(status).toBe(200)
    for (const value of [email, 'Grace Hopper', 'Hopper Health']) {
      expect(text).toContain(`value="${value}"`)
    }
    expect(await emailsTo(people, email)).toHaveLength(2)
  })

  test('signing up while signed in leads to the portal', async () => {
    const { person, browser } = await openMember()
    await signIn(browser, people, person)
    expect((await browser.get('/sign-up')).url).toBe(`${handoffUrls.portal}/`)
  })
})

describe('refused sign-ups', () => {
  test.each([
    ['short', 'Use at least 12 characters.'],
    ['passwordpassword', 'That password is too easy to guess.'],
    ['Ada Lovelace 1815', 'That password is too easy to guess.'],
    ['examplehealth', 'That password is too easy to guess.'],
  ])('422: the password %p cannot be chosen', async (given, fault) => {
    const email = newAddress()
    await askFor(email)
    const browser = await openLink(email)
    const page = await browser.submit('/verify-email', { password: given })
    expect([page.status, page.text.includes(fault)]).toEqual([422, true])
    expect(page.text).not.toContain(`value="${given}"`)
    expect((await browser.submit('/verify-email', { password })).url).toBe('/second-factor')
  })

  test('422: errors appear next to their fields, and nothing is sent', async () => {
    moveToNewNetwork()
    const browser = newBrowser()
    for (const path of ['/sign-up', '/recover']) {
      await browser.get(path)
      for (const email of [
        'ada',
        'mia@acme',
        `${'a'.repeat(250)}@example.com`,
        'Ada <ada@example.com>',
      ]) {
        const { status, text } = await browser.submit(path, { email, name: '', company: '' })
        expect([path, email, status]).toEqual([path, email, 422])
        expect(text).toContain('Enter a full email address, such as ada@example.com.')
        for (const fault of ['Enter your name.', 'Enter your company or brand.']) {
          expect(text.includes(fault)).toBe(path === '/sign-up')
        }
      }
    }
    expect(await people.run(sql`select from auth.sign_ups where email like '%a@%'`)).toEqual([])
  })

  test('404: a link that is a day old, for another purpose, or changed', async () => {
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
    expect((await browser.get(link)).text).toMatch(/under Your account\.[^]*href="\/account"/)
  })

  test('the database itself accepts a link once, and not after it expires', async () => {
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
    // The address is free again, but the link stays used.
    expect(await closeAccount(people.pool, person ?? '', act)).toBeNull()
    expect(await completeSignUp(people.pool, used, act)).toBeNull()
    const late = { id: await idFor(newAddress()), password }
    await people.run(
      sql`update auth.sign_ups set expires_at = now() - interval '1 ms' where id = ${late.id}`,
    )
    expect(await completeSignUp(people.pool, late, act)).toBeNull()
  })

  test('an address that matches an account’s only after Unicode folding is another address', async () => {
    const email = `k${newAddress()}`
    await askFor(email)
    await (await openLink(email)).submit('/verify-email', { password })
    for (const [typed, kind] of [
      [email.toUpperCase(), 'already_registered'],
      [`\u212a${email.slice(1)}`, 'verify_email'],
    ] as const) {
      await askFor(typed)
      expect((await emailsTo(people, typed)).at(-1)).toMatchObject({ kind })
    }
  })

  test('an address gets three emails an hour, whichever networks request them', async () => {
    const email = newAddress()
    for (let at = 0; at < 5; at++) {
      // The page doesn't disclose whether it sent a link.
      const { text } = (await askFor(email)).page
      expect(text).toContain('Check your email')
      expect(text).toContain('try again in an hour')
    }
    expect(await emailsTo(people, email)).toHaveLength(3)
  })

  test('429: a network can request twenty sign-ups an hour; recoveries are limited by account', async () => {
    moveToNewNetwork()
    const browser = newBrowser()
    const ask = async (path: string, email = newAddress()) => {
      await browser.get(path)
      return browser.submit(path, { email, name: 'Ada', company: 'Ada Health' })
    }
    for (let at = 0; at < 20; at++) expect((await ask('/sign-up')).status).toBe(200)
    const refused = await ask('/sign-up')
    expect([refused.status, Number(refused.headers.get('retry-after')) > 3500]).toEqual([429, true])
    expect(refused.text).toMatch(/Try again in (59|60) minutes\./)
    const ada = await people.addPerson()
    for (let at = 0; at < 5; at++) expect((await ask('/recover', ada.email)).status).toBe(200)
    expect(await emailsTo(people, ada.email)).toHaveLength(3)
  })

  test('the spellings of one inbox get one email an hour, even if requested at once', async () => {
    const tags = ['a', 'b', 'c', 'd', 'e', 'f']
    const [alone, together] = [newAddress(), newAddress()]
    const tagged = (email: string, tag: string) => email.replace('@', `+${tag}@`).replace('e', 'E')
    const emails = async (email: string) => {
      const sent = await Promise.all(tags.map(tag => emailsTo(people, tagged(email, tag))))
      return sent.flat().length
    }
    for (const tag of tags) await askFor(tagged(alone, tag))
    await Promise.all(tags.map(tag => askFor(tagged(together, tag))))
    expect([await emails(alone), await emails(together)]).toEqual([1, 1])
    // Requests for a tagged address don't block emails to the plain address.
    await askFor(alone)
    expect(await emailsTo(people, alone)).toHaveLength(1)
  })
})

test('a known and an unknown address take the same work, so neither response is faster', async () => {
  // Both requests write one audit row, so neither gets a response while the audit table is locked.
  const ada = await people.addPerson()
  moveToNewNetwork()
  const browsers = [newBrowser(), newBrowser()]
  for (const browser of browsers) await browser.get('/recover')
  let answered = 0
  const answers = await people.owner.use(async connection => {
    await connection.run(sql`begin`)
    await connection.run(sql`lock table audit.entries in exclusive mode`)
    const sent = browsers.map((browser, at) =>
      browser
        .submit('/recover', { email: at === 0 ? ada.email : newAddress() })
        .finally(() => void answered++),
    )
    await until(async () => (await people.countWaiting()) === 2, 4)
    expect(answered).toBe(0)
    await connection.run(sql`commit`)
    return Promise.all(sent)
  })
  for (const { status } of answers) expect(status).toBe(200)
})
