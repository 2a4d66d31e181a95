// Tests the pages for a person's own account: factors, password, sessions, closure.
import { describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { removeFactor } from '../../accounts/factors.ts'
import { inviteMember } from '../../accounts/members.ts'
import { endSession } from '../../accounts/own-account.ts'
import { codeAt } from '../../accounts/totp.ts'
import { newId } from '../../ids.ts'
import { acceptAgreement } from '../../testing/administration.ts'
import type { TestBrowser } from '../../testing/browser.ts'
import { openClinic } from '../../testing/clinic.ts'
import { emailsTo } from '../../testing/emails.ts'
import { usePages } from '../../testing/pages.ts'
import { handoffUrls, password, type TestPerson } from '../../testing/people.ts'
import {
  codesIn,
  enterPassword,
  holdDelays,
  isSignedIn,
  secretIn,
  signIn,
} from '../../testing/sign-in.ts'

const { moveToNewNetwork, newBrowser, openSignedIn, pages, people } = await usePages()

const act = { surface: 'oauth', request: 'req_of_own', address: null, agent: null } as const
const newPassword = 'a river, a lamp, two geese'

const kindsTo = async (person: TestPerson) =>
  (await emailsTo(people, person.email)).map(({ kind }) => kind)

test('the account page shows who the person is, how and where they sign in, and links to the portal', async () => {
  const { person, browser } = await openSignedIn()
  const { text } = await browser.get('/account')
  expect(text).toContain(`<span class="address">${person.email}</span>`)
  expect(text).toContain('<h3>Authenticator app</h3>')
  expect(text).toContain('0 left.')
  expect(text).toContain(`href="${handoffUrls.portal}"`)
  expect(text).not.toContain(`href="${handoffUrls.console}"`)
  // The last second factor stays.
  expect(text).not.toContain('Remove the authenticator app')
  const removed = { person: person.id, passkey: null }
  expect(await removeFactor(people.pool, removed, act)).toBe('last_factor')
})

describe('an authenticator app', () => {
  test('is replaced by an app that shows its code', async () => {
    const { person, browser } = await openSignedIn()
    const page = await browser.get('/second-factor?next=%2Faccount')
    expect(page.text).toContain('Replace your authenticator app')
    const secret = secretIn(page.text)
    people.clock.now += 60_000
    const code = codeAt(secret, people.clock.now)
    expect((await browser.submit('/second-factor', { code })).url).toBe('/account')
    const other = newBrowser()
    await enterPassword(other, person)
    const old = people.clock.nextCode(person)
    expect((await other.submit('/sign-in/code', { code: old })).status).toBe(403)
    const now = people.clock.nextCode({ ...person, secret })
    expect((await other.submit('/sign-in/code', { code: now })).url).toBe('/')
  })

  test('if two pages add a factor at once, one succeeds', async () => {
    moveToNewNetwork()
    const person = await people.addPerson(false)
    const browsers = [newBrowser(), newBrowser()]
    for (const browser of browsers) await enterPassword(browser, person)
    const secrets = browsers.map(browser => secretIn(browser.page.text))
    const answers = await Promise.all(
      browsers.map((browser, at) => {
        const code = codeAt(secrets[at] ?? '', people.clock.now)
        return browser.submit('/second-factor', { code })
      }),
    )
    const shown = answers.map(({ text }) => codesIn(text).length === 10)
    expect(shown.toSorted()).toEqual([false, true])
    // The other page leads to new recovery codes.
    const secret = secrets[shown.indexOf(true)] ?? ''
    const other = browsers[shown.indexOf(false)] ?? newBrowser()
    const code = people.clock.nextCode({ ...person, secret })
    const page = await other.submit('/sign-in/code', { code })
    expect(page.url).toBe('/recovery-codes?next=%2F')
  })

  test.each(['kept', 'lost'])(
    'a first app that is confirmed twice leads to new recovery codes, if the first answer is %s',
    async answer => {
      moveToNewNetwork()
      const person = await people.addPerson(false)
      const browser = newBrowser()
      await enterPassword(browser, person)
      const secret = secretIn(browser.page.text)
      const code = codeAt(secret, people.clock.now)
      const session = browser.cookies.get('auth_session') ?? ''
      const shown = await (await browser.post('/second-factor', { code })).text()
      expect(codesIn(shown)).toHaveLength(10)
      if (answer === 'lost') {
        browser.cookies.set('auth_session', session)
        expect((await browser.submit('/second-factor', { code })).url).toStartWith('/sign-in?')
        await browser.submit('/sign-in', { email: person.email, password })
        const next = people.clock.nextCode({ ...person, secret })
        await browser.submit('/sign-in/code', { code: next })
      } else {
        const { text } = await browser.submit('/second-factor', { code })
        const [, path = ''] = /href="(\/second-factor[^"]*)"/.exec(text) ?? []
        await browser.get(path.replaceAll('&amp;', '&'))
      }
      expect(browser.page.url).toBe('/recovery-codes?next=%2F')
      const { text } = await browser.submit('/recovery-codes')
      expect(codesIn(text)).toHaveLength(10)
      expect(text).toContain(`href="${handoffUrls.portal}"`)
    },
  )

  test('one person’s secret does not work for another', async () => {
    moveToNewNetwork()
    const [ada, ben] = [await people.addPerson(false), await people.addPerson(false)]
    const [one, other] = [newBrowser(), newBrowser()]
    await enterPassword(one, ada)
    await enterPassword(other, ben)
    const secret = /name="secret" value="([^"]+)"/.exec(one.page.text)?.[1] ?? ''
    const code = codeAt(secretIn(one.page.text), people.clock.now)
    const page = await other.submit('/second-factor', { code, secret })
    expect(page.url).toBe('/second-factor')
    const [row] = await people.run(sql`
      select totp_secret from auth.person_factors where person = ${ben.id}`)
    expect(row).toEqual({ totp_secret: null })
  })
})

describe('the password', () => {
  const change = async (browser: TestBrowser, current: string, given: string) => {
    await browser.get('/password')
    return browser.submit('/password', { current, password: given })
  }

  test('changes if the current one is correct, which ends the other sessions', async () => {
    const { person, browser } = await openSignedIn()
    const other = newBrowser()
    await signIn(other, people, person)
    expect((await change(browser, 'wrong', newPassword)).status).toBe(403)
    expect((await change(browser, password, 'short')).status).toBe(422)
    expect(await isSignedIn(other)).toBe(true)
    expect((await change(browser, password, newPassword)).url).toBe('/account')
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false])
    expect(await kindsTo(person)).toEqual(['password_changed'])
    await other.get('/sign-in')
    const old = await other.submit('/sign-in', { email: person.email, password })
    expect(old.status).toBe(403)
    // Another person's account doesn't accept this person's new password.
    const { browser: foreign } = await openSignedIn()
    expect((await change(foreign, newPassword, `${newPassword} more`)).status).toBe(403)
  })

  test('429: after five wrong passwords, the next one has to wait', async () => {
    const { browser } = await openSignedIn()
    for (let at = 0; at < 5; at++) {
      expect((await change(browser, 'wrong', newPassword)).status).toBe(403)
    }
    await holdDelays(people)
    expect((await change(browser, password, newPassword)).status).toBe(429)
  })

  test('one of two simultaneous changes counts', async () => {
    const { browser, person } = await openSignedIn()
    await browser.get('/password')
    const answers = await Promise.all(
      [newPassword, `${newPassword} more`].map(given =>
        browser.submit('/password', { current: password, password: given }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403])
    expect(await kindsTo(person)).toEqual(['password_changed'])
  })
})

describe('sessions', () => {
  test('are named after their browsers; an ended session is signed out', async () => {
    const { person, browser } = await openSignedIn()
    const other = newBrowser()
    await signIn(other, people, person)
    await people.run(sql`
      update auth.credentials set name = 'Firefox on Linux' where person = ${person.id}`)
    const { text } = await browser.get('/account')
    const titles = [...text.matchAll(/<h3>(Firefox[^<]*)</g)].map(([, title]) => title)
    expect(titles).toEqual(['Firefox on Linux (this browser)', 'Firefox on Linux'])
    await browser.submit('/sessions/end')
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false])
  })

  test('another person’s session can’t be ended', async () => {
    const { browser, person: ada } = await openSignedIn()
    const { person, browser: other } = await openSignedIn()
    await signIn(newBrowser(), people, ada)
    const [row] = await people.run<{ id: string }>(sql`
      select id from auth.credentials
       where person = ${person.id} and kind = 'session' and revoked_at is null`)
    await browser.get('/account')
    await browser.post('/sessions/end', { session: row?.id ?? '' })
    const ended = { person: 'per_other', session: row?.id ?? '' }
    expect(await endSession(people.pool, ended, act)).toBe('not_found')
    expect(await isSignedIn(other)).toBe(true)
  })
})

describe('closing an account', () => {
  const close = async (browser: TestBrowser, email: string) => {
    await browser.get('/account/close')
    return browser.submit('/account/close', { email })
  }

  test('ends everything, keeps no address, and suspends integrations without members', async () => {
    const { person, browser, integration } = await openSignedIn()
    const emailed = pages.mailer.emailed
    const refused = await close(browser, 'other@example.com')
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('value="other@example.com"')
    const page = await close(browser, person.email.toUpperCase())
    expect(page.text).toContain('Account closed')
    expect(page.text).not.toContain('class="who"')
    expect(await isSignedIn(browser)).toBe(false)
    const [row] = await people.run(sql`
      select p.email, p.name, p.disabled_at is not null as disabled,
             (select suspended_at is not null from auth.integrations where id = ${integration}) as suspended,
             (select count(*)::int from auth.person_factors where person = p.id) as factors
        from auth.persons p where p.id = ${person.id}`)
    expect(row).toEqual({
      email: `${person.id}@closed.invalid`,
      name: 'Closed account',
      disabled: true,
      suspended: true,
      factors: 0,
    })
    expect(await kindsTo(person)).toEqual(['account_closed'])
    // The mailer was woken only for that email.
    expect(pages.mailer.emailed - emailed).toBe(1)
  })

  test('closes integrations without members, like their owner would', async () => {
    const { person, browser, integration } = await openSignedIn()
    const clinics = [await openClinic(people), await openClinic(people)]
    for (const [at, status] of ['pending', 'active'].entries()) {
      await people.run(sql`
        insert into auth.grants (id, integration, organization, mode, scopes, status)
        values (${newId('grant')}, ${integration}, ${clinics[at] ?? ''}, 'live', '{}', ${status})`)
    }
    await people.owner.use(one => acceptAgreement(one, integration, '2026-09-01'))
    const invited = { integration, email: 'invited@example.com', role: 'viewer' } as const
    const by = { surface: 'portal', request: 'req_invites', person: person.id } as const
    await people.pool.use(one => inviteMember(one, invited, by))
    await close(browser, person.email)
    const rows = await people.run(sql`
      select status, ended_by from auth.grants
       where integration = ${integration} and mode = 'live' order by status`)
    expect(rows).toEqual([
      { status: 'revoked', ended_by: person.id },
      { status: 'withdrawn', ended_by: person.id },
    ])
    const [ended] = await people.run(sql`
      select (select terminated_at is not null from auth.agreements
               where integration = ${integration}) as agreement,
             (select cancelled_at is not null from auth.invitations
               where integration = ${integration}) as invitation,
             (select count(*)::int from audit.entries where action = 'closeIntegration'
                and integration = ${integration} and person = ${person.id}) as audited`)
    expect(ended).toEqual({ agreement: true, invitation: true, audited: 1 })
  })

  test('closes suspended integrations without members too', async () => {
    const { person, browser, integration } = await openSignedIn()
    await people.run(sql`
      insert into auth.grants (id, integration, organization, mode, scopes, status)
      values (${newId('grant')}, ${integration}, ${await openClinic(people)}, 'live', '{}', 'active')`)
    await people.run(
      sql`update auth.integrations set suspended_at = '2026-01-02Z' where id = ${integration}`,
    )
    await close(browser, person.email)
    const [row] = await people.run(sql`
      select i.suspended_at = '2026-01-02Z' as kept, g.status
        from auth.integrations i join auth.grants g on g.integration = i.id and g.mode = 'live'
       where i.id = ${integration}`)
    expect(row).toEqual({ kept: true, status: 'revoked' })
  })

  test('422: an integration’s only owner must name another first if it has other members', async () => {
    const { person, browser, integration } = await openSignedIn()
    const ben = await people.addPerson()
    await people.addMember(ben, 'developer', integration)
    const refused = await close(browser, person.email)
    expect([refused.status, refused.text.includes('the only owner of a team')]).toEqual([422, true])
    expect(await isSignedIn(browser)).toBe(true)
    await people.run(sql`update auth.members set role = 'owner' where person = ${ben.id}`)
    expect((await close(browser, person.email)).text).toContain('Account closed')
    const [row] = await people.run(sql`
      select suspended_at from auth.integrations where id = ${integration}`)
    expect(row).toEqual({ suspended_at: null })
  })
})
