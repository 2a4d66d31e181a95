// Tests account recovery, which takes effect immediately with a second factor and after a day
// without one.
import { describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { completeRecovery } from '../../accounts/recoveries.ts'
import { withoutChance } from '../../testing/browser.ts'
import { emailsTo, linkTo } from '../../testing/emails.ts'
import { usePages } from '../../testing/pages.ts'
import { recoveriesOf } from '../../testing/recoveries.ts'
import { password, type TestPerson } from '../../testing/people.ts'
import { holdDelays, signIn } from '../../testing/sign-in.ts'

const setup = await usePages()
const { people, newBrowser, openMember, moveToNewNetwork } = setup
const { askFor, openRecovery, begun, pass, kindsTo, signsInWith } = recoveriesOf(setup)

const path = '/recover/account'
const newPassword = 'a river, a lamp, two geese'
const afterTheDay = { decide: 'password', password: newPassword }
const act = { surface: 'oauth', request: 'req_1', address: null, agent: null } as const

const idOf = async ({ id }: TestPerson) => {
  const [row] = await people.run<{ id: string }>(sql`
    select id from auth.recoveries where person = ${id}`)
  return row?.id ?? ''
}

describe('requesting a link', () => {
  test('the response is byte-identical for an unknown address', async () => {
    const person = await people.addPerson()
    const answerOf = async (email: string) => {
      const { page } = await askFor(email)
      // The page claims no more than is true of both.
      expect(page.text).toContain(`If <strong class="address">${email}</strong> has an account`)
      return [page.status, withoutChance(page.text).replaceAll(email, 'EMAIL')]
    }
    expect(await answerOf(person.email)).toEqual(await answerOf('unknown@example.com'))
    expect(await kindsTo(person)).toEqual(['recovery_requested'])
    expect(await emailsTo(people, 'unknown@example.com')).toEqual([])
  })

  test('three an hour are sent; each link lasts an hour, and opening it changes nothing', async () => {
    const person = await people.addPerson()
    for (let at = 0; at < 4; at++) await askFor(person.email)
    expect(await kindsTo(person)).toHaveLength(3)
    const link = await linkTo(people, person.email, 'recovery')
    expect((await newBrowser().get(link)).status).toBe(200)
    expect(await signsInWith(person, password)).toBe(true)
    await people.run(sql`
      update auth.recoveries set expires_at = expires_at - interval '1 hour'
       where person = ${person.id}`)
    expect((await newBrowser().get(link)).status).toBe(404)
  })
})

describe('with a second factor', () => {
  test('an app code sets a new password immediately, and keeps the factors', async () => {
    const { person, browser: signedIn } = await openMember()
    await signIn(signedIn, people, person)
    const { browser, link } = await openRecovery(person)
    const code = people.clock.nextCode(person).replace(/^(\d{3})/, ' $1 ')
    // A weak password doesn't use up the code.
    const weak = await browser.submit(path, { decide: 'code', code, password: 'short' })
    expect(weak.status).toBe(422)
    const page = await browser.submit(path, { decide: 'code', code, password: newPassword })
    expect(page.text).toContain('Password set')
    expect((await signedIn.get('/account')).url).toStartWith('/sign-in')
    expect(await signsInWith(person, password)).toBe(false)
    expect(await signsInWith(person, newPassword)).toBe(true)
    expect(await kindsTo(person)).toEqual(['recovery_requested', 'password_changed'])
    expect((await browser.get(link)).status).toBe(404)
  })

  test('a recovery code works too, once', async () => {
    const { person, browser: signedIn } = await openMember()
    await signIn(signedIn, people, person)
    await signedIn.get('/recovery-codes')
    const { text } = await signedIn.submit('/recovery-codes')
    const code = /<li class="code">([0-9a-z-]{19})</.exec(text)?.[1] ?? ''
    const { browser } = await openRecovery(person)
    const given = { decide: 'code', code, password: newPassword }
    expect((await browser.submit(path, given)).text).toContain('Password set')
    const again = await openRecovery(person)
    expect((await again.browser.submit(path, given)).status).toBe(403)
  })

  test('a wrong code changes nothing, and after five, the next attempt has to wait', async () => {
    const person = await people.addPerson()
    const { browser } = await openRecovery(person)
    const given = { decide: 'code', code: '000000', password: newPassword }
    for (let at = 0; at < 5; at++) expect((await browser.submit(path, given)).status).toBe(403)
    const right = { ...given, code: people.clock.nextCode(person) }
    await holdDelays(people)
    expect((await browser.submit(path, right)).status).toBe(429)
    expect(await signsInWith(person, password)).toBe(true)
  })
})

describe('without a second factor', () => {
  test('after 24 hours, not earlier; the person and fellow owners are notified', async () => {
    const { person, integration, browser: signedIn } = await openMember('developer')
    const [owner, viewer] = [await people.addPerson(), await people.addPerson()]
    await people.addMember(owner, 'owner', integration)
    await people.addMember(viewer, 'viewer', integration)
    await signIn(signedIn, people, person)
    await people.run(sql`
      with client as (
        insert into auth.clients (id, kind, name) values ('cli_1', 'registered', 'An agent'))
      insert into auth.token_families (id, kind, client, person, integration, mode, scopes)
      values ('fam_1', 'agent', 'cli_1', ${person.id}, ${integration}, 'test', '{}')`)
    const { browser, link } = await begun(person)
    expect(await kindsTo(person)).toEqual(['recovery_requested', 'recovery_begun'])
    expect(await kindsTo(owner)).toEqual(['recovery_begun_by_member'])
    expect(await kindsTo(viewer)).toEqual([])
    // A recovery starts only once: another link doesn't change its time.
    const again = await openRecovery(person)
    const refused = await again.browser.submit(path, { decide: 'wait' })
    expect(refused.status).toBe(409)
    // The script shows the time in the reader's zone.
    expect(await browser.get(link).then(({ text }) => text)).toMatch(/From <time [^>]*data-zoned/)

    await pass(person, 23)
    await browser.get(link)
    expect(browser.page.text).not.toContain('value="password"')
    await browser.submit(path, afterTheDay)
    expect(await signsInWith(person, password)).toBe(true)

    await pass(person, 1)
    await browser.get(link)
    expect((await browser.submit(path, afterTheDay)).text).toContain('Password set')
    expect((await signedIn.get('/account')).url).toStartWith('/sign-in')
    expect((await kindsTo(person)).at(-1)).toBe('recovered')
    expect((await kindsTo(owner)).at(-1)).toBe('recovered_member')
    // The old app no longer works, and everything that acted for the person has ended.
    moveToNewNetwork()
    const other = newBrowser()
    await other.get('/sign-in')
    await other.submit('/sign-in', { email: person.email, password: newPassword })
    expect(other.page.url).toBe('/second-factor')
    const [family] = await people.run(sql`
      select revoked_reason from auth.token_families where id = 'fam_1'`)
    expect(family).toEqual({ revoked_reason: 'account_recovered' })
    const rows = await people.run<{ action: string; row: string }>(sql`
      select action, to_jsonb(e)::text as row from audit.entries e
       where person = ${person.id} and outcome = 'ok' and action like '%recovery' order by seq`)
    expect(rows.map(({ action }) => action)).toEqual([
      'auth.request_recovery',
      'auth.begin_recovery',
      'auth.request_recovery',
      'auth.complete_recovery',
    ])
    for (const { row } of rows) expect(row).not.toContain('@')
  })

  test('the database itself completes no recovery early, and only one of several simultaneous ones', async () => {
    const person = await people.addPerson()
    await begun(person)
    const done = { id: await idOf(person), password: newPassword, keepsFactors: false }
    expect(await completeRecovery(people.pool, done, act)).toBe('link_ended')
    await pass(person, 24)
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, () => completeRecovery(people.pool, done, act)),
    )
    expect(outcomes.filter(refusal => refusal === null)).toHaveLength(1)
    expect((await kindsTo(person)).filter(kind => kind === 'recovered')).toHaveLength(1)
  })
})

describe('stopping it', () => {
  test('the emailed link stops it, once; pages already open no longer work', async () => {
    const person = await people.addPerson()
    const { browser, link } = await begun(person)
    await browser.get(link)
    const cancel = await linkTo(people, person.email, 'cancel_recovery')
    const other = newBrowser()
    await other.get(cancel)
    expect((await other.submit('/recover/cancel')).text).toContain('Recovery stopped')
    for (const decide of ['wait', 'code', 'password']) {
      const values = { decide, code: '000000', password: newPassword }
      expect((await browser.post(path, values)).status).toBe(404)
    }
    const ended = await browser.get(link)
    expect([ended.status, ended.text.includes('request a new link')]).toEqual([404, true])
    await other.get(cancel)
    expect((await other.submit('/recover/cancel')).status).toBe(404)
    expect((await kindsTo(person)).at(-1)).toBe('recovery_cancelled')
  })

  test('a signed-in person sees it, and can stop it', async () => {
    const { person, browser } = await openMember()
    await begun(person)
    await signIn(browser, people, person)
    await browser.get('/account')
    expect(browser.page.text).toContain('Someone started recovering your account')
    await browser.submit('/recover/stop')
    expect(browser.page.text).not.toContain('Someone started recovering your account')
  })

  test('stopping it while it completes: only one takes effect', async () => {
    const person = await people.addPerson()
    await begun(person)
    await pass(person, 24)
    const id = await idOf(person)
    await people.owner.use(async connection => {
      await connection.run(sql`begin`)
      await connection.run(
        sql`select auth.cancel_recovery(${id}, ${JSON.stringify(act)}::text::jsonb)`,
      )
      const done = { id, password: newPassword, keepsFactors: false }
      const completed = completeRecovery(people.pool, done, act)
      await until(async () => (await people.countWaiting()) === 1, 4)
      await connection.run(sql`commit`)
      expect(await completed).toBe('link_ended')
    })
    expect(await signsInWith(person, password)).toBe(true)
  })
})
