// What the forms of joining answer, beside those that lead on.
import { describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { inviteMember } from '../../accounts/members.ts'
import { inviteStaff } from '../../clinics/staff.ts'
import { actFor, openClinic } from '../../testing/clinic.ts'
import type { BrowsedPage } from '../../testing/browser.ts'
import { linkTo } from '../../testing/emails.ts'
import { usePages } from '../../testing/pages.ts'
import { password, portalUrl, type TestPerson } from '../../testing/people.ts'
import { signIn } from '../../testing/sign-in.ts'

const { people, newBrowser, openMember, moveToNewNetwork } = await usePages()

let count = 0

/** By an owner of an integration. */
async function invite(email: string, by?: { person: TestPerson; integration: string }) {
  const { person, integration } = by ?? (await openMember())
  const asked = { integration, email, role: 'developer' } as const
  const act = { surface: 'portal', request: `req_${++count}`, person: person.id } as const
  await people.pool.use(connection => inviteMember(connection, asked, act))
  return { person, integration, link: await linkTo(people, email, 'invitation') }
}

async function openSignedIn() {
  const opened = await openMember()
  await signIn(opened.browser, people, opened.person)
  return opened
}

const isMember = async (integration: string, { id }: TestPerson) =>
  (
    await people.run(sql`
      select from auth.members
       where integration = ${integration} and person = ${id} and removed_at is null`)
  ).length === 1

const faultsIn = ({ text }: BrowsedPage) =>
  [...text.matchAll(/<p class="fault" id="(\w+)-fault">/g)].map(([, name]) => name)
const title = ({ text }: BrowsedPage) => /<title>([^<]*) · /.exec(text)?.[1]
const path = '/invitations/accept'

describe('an invitation', () => {
  test('to an integration says by whom, and leads to the portal', async () => {
    const { person, browser } = await openSignedIn()
    const { integration, link } = await invite(person.email)
    const page = await browser.get(link)
    expect([page.status, title(page)]).toEqual([200, 'Join an integration'])
    expect(page.text).toContain('“Ada” invites you as developer.')
    const joined = await browser.post(path)
    expect([joined.status, joined.headers.get('location')]).toEqual([303, portalUrl])
    expect(await isMember(integration, person)).toBe(true)
  })

  test('by the operator to a clinic says so, and leads to the console where there is one', async () => {
    const { person, browser } = await openSignedIn()
    const clinic = await openClinic(people)
    const asked = { email: person.email, roles: ['admin'] as const }
    await people.pool.use(connection => inviteStaff(connection, asked, actFor(clinic, null)))
    const page = await browser.get(await linkTo(people, person.email, 'invitation'))
    expect([page.status, title(page)]).toEqual([200, 'Join a clinic'])
    expect(page.text).toContain('You are invited as admin on the staff of the clinic.')
    // These pages have no console.
    expect((await browser.post(path)).headers.get('location')).toBe('/')
  })

  test('of a person who is a member meanwhile leads on, and changes no role', async () => {
    const { person, browser } = await openSignedIn()
    const { integration, link } = await invite(person.email)
    await browser.get(link)
    await people.addMember(person, 'viewer', integration)
    expect((await browser.post(path)).headers.get('location')).toBe(portalUrl)
    const [row] = await people.run(sql`
      select role from auth.members where person = ${person.id} and integration = ${integration}`)
    expect(row).toEqual({ role: 'viewer' })
  })

  test('403: the form of an own one does not accept that of another address', async () => {
    const { person, browser } = await openSignedIn()
    const own = await invite(person.email)
    const ben = await people.addPerson()
    const others = [await invite('someone@example.com'), await invite(ben.email)]
    await browser.get(own.link)
    for (const { link, integration } of others) {
      const token = new URL(link, 'https://auth.example.com').searchParams.get('token') ?? ''
      const answer = await browser.post(path, { token, name: 'Ada', password })
      expect(answer.status).toBe(403)
      expect(await answer.text()).toContain('<h1>This invitation is for another address</h1>')
      expect(await isMember(integration, person)).toBe(false)
    }
    expect((await browser.post(path)).status).toBe(303)
  })

  test('an address that has an account meanwhile signs in first', async () => {
    const person = await people.addPerson()
    await people.run(sql`update auth.persons set email = 'old@example.com' where id = ${person.id}`)
    const { link } = await invite('later@example.com')
    moveToNewNetwork()
    const browser = newBrowser()
    await browser.get(link)
    expect(browser.page.text).toContain('Create the account and join')
    await people.run(sql`
      update auth.persons set email = 'later@example.com' where id = ${person.id}`)
    const answer = await browser.submit(path, { name: 'Ada', password })
    expect(answer.url).toStartWith('/sign-in?next=%2Finvitations%2Faccept%3Ftoken%3D')
  })

  test('422: each fault of a new person by itself', async () => {
    const { link } = await invite('newcomer@example.com')
    moveToNewNetwork()
    const browser = newBrowser()
    const page = await browser.get(link)
    expect([title(page), faultsIn(page)]).toEqual(['Join an integration', []])
    for (const [values, faults] of [
      [{ name: '', password }, ['name']],
      [{ name: 'n'.repeat(201), password }, ['name']],
      [{ name: 'Ada', password: 'short' }, ['password']],
      [{ name: '', password: 'short' }, ['name', 'password']],
    ] as const) {
      const refused = await browser.submit(path, values)
      expect([refused.status, faultsIn(refused)]).toEqual([422, [...faults]])
    }
    expect((await browser.submit(path, { name: 'Ada', password })).url).toBe('/second-factor')
  })

  test('404: withdrawn while its page is open', async () => {
    const { person, browser } = await openSignedIn()
    const { integration, link } = await invite(person.email)
    await browser.get(link)
    await people.run(sql`
      update auth.invitations set cancelled_at = now() where integration = ${integration}`)
    expect((await browser.submit(path)).status).toBe(404)
    expect(browser.page.text).toContain('This invitation works no longer')
    expect(await isMember(integration, person)).toBe(false)
  })
})

test('an invitation: 404 where it is withdrawn at the moment of joining', async () => {
  const { person, browser } = await openSignedIn()
  const { integration, link } = await invite(person.email)
  await browser.get(link)
  const answer = await people.owner.use(async connection => {
    await connection.run(sql`begin`)
    await connection.run(
      sql`update auth.integrations set name = name || '.' where id = ${integration}`,
    )
    const joining = browser.post(path)
    await until(async () => {
      const [row] = await people.run<{ count: number }>(sql`
        select count(*)::int as count from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`)
      return row?.count === 1
    }, 4)
    await connection.run(
      sql`update auth.invitations set cancelled_at = now() where integration = ${integration}`,
    )
    await connection.run(sql`commit`)
    return joining
  })
  expect(answer.status).toBe(404)
  expect(await isMember(integration, person)).toBe(false)
})

describe('a sign-up', () => {
  test('422: each fault by itself, beside what was typed', async () => {
    moveToNewNetwork()
    const browser = newBrowser()
    const first = await browser.get('/sign-up')
    expect([first.status, faultsIn(first)]).toEqual([200, []])
    expect(first.text).not.toContain('class="alert"')
    for (const [values, faults] of [
      [{ email: 'ada', name: 'Ada' }, ['email']],
      [{ email: 'ada@example.com', name: '' }, ['name']],
    ] as const) {
      const page = await browser.submit('/sign-up', values)
      expect([page.status, faultsIn(page)]).toEqual([422, [...faults]])
      expect(page.text).toContain(`value="${values.email}"`)
    }
    const sent = await people.run(sql`select from auth.sign_ups where email = 'ada@example.com'`)
    expect(sent).toHaveLength(0)
  })

  test('of a person who is signed in leads to their account', async () => {
    const { browser } = await openSignedIn()
    expect((await browser.get('/sign-up')).url).toBe('/')
  })

  test('leads from the password to an app, and says that a passkey does as well', async () => {
    moveToNewNetwork()
    const email = 'passkeys@example.com'
    const browser = newBrowser()
    await browser.get('/sign-up')
    await browser.submit('/sign-up', { email, name: 'Ada' })
    await browser.get(await linkTo(people, email, 'sign_up'))
    const page = await browser.submit('/verify-email', { password })
    expect([page.status, title(page)]).toEqual([200, 'Add an authenticator app'])
    expect(page.text).toContain('A passkey does instead of a password and a code')
    expect(page.text).not.toContain('class="alert"')
    // The picture of the secret has a margin of two modules.
    expect(page.text).toMatch(/viewBox="0 0 (\d+) \1"/)
  })
})
