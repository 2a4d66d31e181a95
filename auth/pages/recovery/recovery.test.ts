// Recovering an account: at once with a second factor, after a day without one.
import { describe, expect, test } from 'bun:test'
import { openPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { completeRecovery } from '../../accounts/recoveries.ts'
import { linkTo } from '../../testing/emails.ts'
import { usePages } from '../../testing/pages.ts'
import { recoveriesOf } from '../../testing/recoveries.ts'
import { password } from '../../testing/people.ts'
import { enterPassword, holdDelays, signIn } from '../../testing/sign-in.ts'

const setup = await usePages()
const { people, newBrowser, openMember, moveToNewNetwork } = setup
const { openRecovery, begun, pass, kindsTo, signsInWith } = recoveriesOf(setup)

const newPassword = 'a river, a lamp, two geese'

describe('with a second factor', () => {
  test('a code of the app sets a new password at once, and keeps the factors', async () => {
    const { person, browser: signedIn } = await openMember()
    await signIn(signedIn, people, person)
    const { browser, link } = await openRecovery(person)
    const given = { decide: 'code', code: people.clock.nextCode(person), password: newPassword }
    const page = await browser.submit('/recover/account', given)
    expect(page.text).toContain('Your password is set')
    expect((await signedIn.get('/account')).url).toStartWith('/sign-in')
    expect(await signsInWith(person, password)).toBe(false)
    expect(await signsInWith(person, newPassword)).toBe(true)
    expect(await kindsTo(person)).toEqual(['recovery_requested', 'password_changed'])
    expect((await browser.get(link)).status).toBe(404)
  })

  test('a recovery code does as well, and is used up', async () => {
    const { person, browser: signedIn } = await openMember()
    await signIn(signedIn, people, person)
    await signedIn.get('/recovery-codes')
    const { text } = await signedIn.submit('/recovery-codes')
    const code = /<li class="code">([0-9a-z-]{19})</.exec(text)?.[1] ?? ''
    const { browser } = await openRecovery(person)
    const given = { decide: 'code', code, password: newPassword }
    expect((await browser.submit('/recover/account', given)).text).toContain('password is set')
    const again = await openRecovery(person)
    expect((await again.browser.submit('/recover/account', given)).status).toBe(403)
  })

  test('a wrong code sets nothing, and after five the next waits', async () => {
    const person = await people.addPerson()
    const { browser } = await openRecovery(person)
    const given = { decide: 'code', code: people.clock.wrongCode(person), password: newPassword }
    for (let at = 0; at < 5; at++) {
      expect((await browser.submit('/recover/account', given)).status).toBe(403)
    }
    const right = { ...given, code: people.clock.nextCode(person) }
    await holdDelays(people)
    expect((await browser.submit('/recover/account', right)).status).toBe(429)
    expect(await signsInWith(person, password)).toBe(true)
  })

  test('a weak password uses up no code', async () => {
    const person = await people.addPerson()
    const { browser } = await openRecovery(person)
    const given = { decide: 'code', code: people.clock.nextCode(person), password: 'short' }
    expect((await browser.submit('/recover/account', given)).status).toBe(422)
    const right = { ...given, password: newPassword }
    expect((await browser.submit('/recover/account', right)).text).toContain('password is set')
  })
})

describe('without a second factor', () => {
  test('after 24 hours, and not before; the person and the owners beside them are notified', async () => {
    const { person, integration, browser: signedIn } = await openMember('developer')
    const owner = await people.addPerson()
    const viewer = await people.addPerson()
    await people.addMember(owner, 'owner', integration)
    await people.addMember(viewer, 'viewer', integration)
    await signIn(signedIn, people, person)
    const { browser, link } = await begun(person)
    expect(await kindsTo(person)).toEqual(['recovery_requested', 'recovery_begun'])
    expect(await kindsTo(owner)).toEqual(['recovery_begun_by_member'])
    expect(await kindsTo(viewer)).toEqual([])

    await pass(person, 23)
    await browser.get(link)
    expect(browser.page.text).not.toContain('value="password"')
    const early = { decide: 'password', password: newPassword }
    await browser.submit('/recover/account', early)
    expect(await signsInWith(person, password)).toBe(true)

    await pass(person, 1)
    await browser.get(link)
    const page = await browser.submit('/recover/account', early)
    expect(page.text).toContain('Your password is set')
    expect((await signedIn.get('/account')).url).toStartWith('/sign-in')
    expect(await signsInWith(person, newPassword)).toBe(true)
    expect((await kindsTo(person)).at(-1)).toBe('recovered')
    expect((await kindsTo(owner)).at(-1)).toBe('recovered_member')
    // The old app proves nothing any more: another is added first.
    moveToNewNetwork()
    const other = newBrowser()
    await other.get('/sign-in')
    await other.submit('/sign-in', { email: person.email, password: newPassword })
    expect(other.page.url).toBe('/second-factor')
  })

  test('what acts for the person ends with their factors', async () => {
    const { person, integration } = await openMember()
    await people.run(sql`
      with client as (
        insert into auth.clients (id, kind, name) values ('cli_1', 'registered', 'An agent'))
      insert into auth.token_families (id, kind, client, person, integration, mode, scopes)
      values ('fam_1', 'agent', 'cli_1', ${person.id}, ${integration}, 'test', '{}')`)
    const { browser, link } = await begun(person)
    await pass(person, 24)
    await browser.get(link)
    await browser.submit('/recover/account', { decide: 'password', password: newPassword })
    const [family] = await people.run(sql`
      select revoked_reason from auth.token_families where id = 'fam_1'`)
    expect(family).toEqual({ revoked_reason: 'account_recovered' })
  })

  test('the database itself completes none before its time', async () => {
    const person = await people.addPerson()
    await begun(person)
    const [row] = await people.run<{ id: string }>(sql`
      select id from auth.recoveries where person = ${person.id}`)
    const done = { id: row?.id ?? '', password: newPassword, keepsFactors: false }
    const act = { surface: 'oauth', request: 'req_2', address: null, agent: null } as const
    expect(await completeRecovery(people.pool, done, act)).toBe('link_ended')
    await pass(person, 24)
    expect(await completeRecovery(people.pool, done, act)).toBeNull()
  })

  test('the link of the email stops it, once', async () => {
    const person = await people.addPerson()
    const { browser, link } = await begun(person)
    const cancel = await linkTo(people, person.email, 'cancel_recovery')
    const other = newBrowser()
    expect((await other.get(cancel)).status).toBe(200)
    expect((await browser.get(link)).status).toBe(200)
    expect((await other.submit('/recover/cancel')).text).toContain('The recovery is stopped')
    expect((await browser.get(link)).status).toBe(404)
    await other.get(cancel)
    expect((await other.submit('/recover/cancel')).status).toBe(404)
    expect((await kindsTo(person)).at(-1)).toBe('recovery_cancelled')
  })

  test('a person who is signed in sees it, and stops it', async () => {
    const { person, browser } = await openMember()
    await begun(person)
    await signIn(browser, people, person)
    await browser.get('/account')
    expect(browser.page.text).toContain('Your account is being recovered')
    await browser.submit('/recover/stop')
    expect(browser.page.text).not.toContain('Your account is being recovered')
  })

  test('it is begun once: another link moves no time', async () => {
    const person = await people.addPerson()
    await begun(person)
    const again = await openRecovery(person)
    const page = await again.browser.submit('/recover/account', { decide: 'wait' })
    expect(page).toMatchObject({ status: 409 })
    expect(page.text).toContain('It was begun already')
  })

  test('stopped at the moment of its completion: one of the two counts', async () => {
    const person = await people.addPerson()
    await begun(person)
    await pass(person, 24)
    const [row] = await people.run<{ id: string }>(sql`
      select id from auth.recoveries where person = ${person.id}`)
    const id = row?.id ?? ''
    const act = { surface: 'oauth', request: 'req_1', address: null, agent: null } as const
    const pool = openPool({ url: people.database.urls.auth, size: 1, name: 'stopping' })
    const late = openPool({ url: people.database.urls.auth, size: 1, name: 'completing' })
    await pool.use(async connection => {
      await connection.run(sql`begin`)
      await connection.run(
        sql`select auth.cancel_recovery(${id}, ${JSON.stringify(act)}::text::jsonb)`,
      )
      const completed = completeRecovery(
        late,
        { id, password: newPassword, keepsFactors: false },
        act,
      )
      await until(async () => {
        const [waiting] = await people.run<{ count: number }>(sql`
          select count(*)::int as count from pg_stat_activity
           where application_name = 'completing' and wait_event_type = 'Lock'`)
        return waiting?.count === 1
      }, 4)
      await connection.run(sql`commit`)
      expect(await completed).toBe('link_ended')
    })
    await Promise.all([pool.close(), late.close()])
    expect(await signsInWith(person, password)).toBe(true)
  })

  test('of eight simultaneous completions, one counts', async () => {
    const person = await people.addPerson()
    const { link } = await begun(person)
    await pass(person, 24)
    const browsers = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const browser = newBrowser()
        await browser.get(link)
        return browser
      }),
    )
    const given = { decide: 'password', password: newPassword }
    const answers = await Promise.all(
      browsers.map(browser => browser.submit('/recover/account', given)),
    )
    expect(answers.filter(({ text }) => text.includes('Your password is set'))).toHaveLength(1)
    expect((await kindsTo(person)).filter(kind => kind === 'recovered')).toHaveLength(1)
  })
})

test('the audit has each step, and no address', async () => {
  const person = await people.addPerson()
  const { browser, link } = await begun(person)
  await pass(person, 24)
  await browser.get(link)
  await browser.submit('/recover/account', { decide: 'password', password: newPassword })
  await enterPassword(newBrowser(), person)
  const rows = await people.run<{ action: string; row: string }>(sql`
    select action, to_jsonb(e)::text as row from audit.entries e
     where person = ${person.id} order by seq`)
  expect(rows.map(({ action }) => action)).toEqual([
    'auth.request_recovery',
    'auth.begin_recovery',
    'auth.complete_recovery',
  ])
  for (const { row } of rows) expect(row).not.toContain('@')
})
