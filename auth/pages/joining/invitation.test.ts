// Tests joining an integration or a clinic through an invitation's link.
import { describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { codeAt } from '../../accounts/totp.ts'
import { inviteMember } from '../../accounts/members.ts'
import { inviteStaff } from '../../clinics/staff.ts'
import { openAuthenticator, optionsIn } from '../../testing/authenticator.ts'
import { actFor, hire, openClinic } from '../../testing/clinic.ts'
import { linkTo } from '../../testing/emails.ts'
import { usePages } from '../../testing/pages.ts'
import { handoffUrls, password } from '../../testing/people.ts'
import { enterPassword, secretIn, signIn } from '../../testing/sign-in.ts'

const { people, pages, newBrowser, openMember, moveToNewNetwork } = await usePages()

const path = '/invitations/accept'
let count = 0

async function invite(email: string, role: 'developer' | 'viewer' = 'developer') {
  const { person, integration } = await openMember()
  const asked = { integration, email, role }
  const act = { surface: 'portal', request: `req_${++count}`, person: person.id } as const
  const { refusal } = await people.pool.use(connection => inviteMember(connection, asked, act))
  expect(refusal).toBeNull()
  return { integration, link: await linkTo(people, email, 'invitation') }
}

/** The integrations and roles of the person with this address. */
const rolesOf = async (email: string) =>
  Object.fromEntries(
    (
      await people.run<{ integration: string; role: string }>(sql`
        select m.integration, m.role from auth.members m join auth.persons p on p.id = m.person
         where public.normalized_email(p.email) = public.normalized_email(${email}) and m.removed_at is null`)
    ).map(({ integration, role }) => [integration, role]),
  )

describe('a person with an account', () => {
  test('signs in, and joins only through the form', async () => {
    const ben = await people.addPerson()
    const { integration, link } = await invite(ben.email)
    const browser = newBrowser()
    expect((await browser.get(link)).url).toStartWith('/sign-in?next=%2Finvitations')
    const page = await signIn(browser, people, ben, link)
    expect(page.text).toContain('“Ada” invited you to join the team. Role: Developer.')
    // The form's response redirects to the portal.
    expect(page.headers.get('content-security-policy')).toContain(handoffUrls.portal)
    expect(await rolesOf(ben.email)).toEqual({})
    const joined = await browser.post(path)
    expect([joined.status, joined.headers.get('location')]).toEqual([303, handoffUrls.portal])
    expect(await rolesOf(ben.email)).toEqual({ [integration]: 'developer' })
    const again = await browser.get(link)
    expect(again.status).toBe(404)
    expect(again.text).toContain('href="/account"')
  })

  test('403: cannot join with another address, even through their own invitation form', async () => {
    const { person: eve, browser } = await openMember()
    await signIn(browser, people, eve)
    const own = await invite(eve.email)
    const other = await invite('somewhere@example.com')
    expect((await browser.get(other.link)).status).toBe(403)
    expect(browser.page.text).toContain('This invitation is for another address')
    await browser.get(own.link)
    const token = new URL(other.link, 'https://x.example').searchParams.get('token') ?? ''
    // If the address has no account, someone who is signed in can't create one.
    expect((await browser.post(path, { token, name: 'Eve', password })).status).toBe(403)
    expect(Object.keys(await rolesOf(eve.email))).not.toContain(other.integration)
    expect(await rolesOf('somewhere@example.com')).toEqual({})
  })

  test('signed in with another address, signs out and continues with the invitation', async () => {
    const ben = await people.addPerson()
    const { link, integration } = await invite(ben.email)
    const { person: eve, browser } = await openMember()
    await signIn(browser, people, eve)
    await browser.get(link)
    expect(browser.page.text).toContain(`To join as <strong class="address">${ben.email}</strong>`)
    // The page's bar has the first form to /sign-out.
    expect(browser.page.text).toContain(`name="next" value="${link}"`)
    const { url } = await browser.submit('/sign-out', { next: link })
    expect(url).toBe(`/sign-in?${new URLSearchParams({ next: link })}`)
    await signIn(browser, people, ben, url)
    await browser.post(path)
    expect(await rolesOf(ben.email)).toEqual({ [integration]: 'developer' })
  })
})

async function inviteNurse(email: string) {
  const clinic = await openClinic(people)
  const admin = await hire(people, clinic, ['admin'])
  const asked = { email, roles: ['nurse'] as const }
  await people.pool.use(connection => inviteStaff(connection, asked, actFor(clinic, admin)))
  return linkTo(people, email, 'invitation')
}

test('a clinic’s invitation shows the clinic and roles, adds staff, and leads to the console', async () => {
  const clinic = await openClinic(people)
  const admin = await hire(people, clinic, ['admin'])
  const ben = await people.addPerson()
  const asked = { email: ben.email, roles: ['nurse', 'pharmacy'] as const }
  await people.pool.use(connection => inviteStaff(connection, asked, actFor(clinic, admin)))
  const browser = newBrowser()
  const link = await linkTo(people, ben.email, 'invitation')
  const { text } = await signIn(browser, people, ben, link)
  expect(text).toContain('Join “River Clinic”')
  expect(text).toContain('to join the clinic’s staff. Roles: Nurse, Pharmacy.')
  const joined = await browser.post(path)
  expect(joined.headers.get('location')).toBe(handoffUrls.console)
  const staff = await people.run(sql`
    select organization, roles from auth.staff where person = ${ben.id}`)
  expect([...staff]).toEqual([{ organization: clinic, roles: ['nurse', 'pharmacy'] }])
  expect(await rolesOf(ben.email)).toEqual({})
})

describe('a person without an account', () => {
  test('creates an account with that address and joins once, even with three simultaneous forms', async () => {
    const email = 'invited@example.com'
    const { integration, link } = await invite(email, 'viewer')
    moveToNewNetwork()
    const browsers = Array.from({ length: 3 }, newBrowser)
    for (const browser of browsers) await browser.get(link)
    const weak = await browsers[0]?.submit(path, { name: '', password: 'short' })
    expect(weak?.status).toBe(422)
    const answers = await Promise.all(
      browsers.map(browser => browser.submit(path, { name: 'Ben Franklin', password })),
    )
    expect(
      answers.map(({ url }) => url).filter(url => url.startsWith('/second-factor')),
    ).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await rolesOf(email)).toEqual({ [integration]: 'viewer' })
  })

  test('who joins a clinic continues to the console, after an app or a passkey', async () => {
    moveToNewNetwork()
    const browser = newBrowser()
    await browser.get(await inviteNurse('nurse@example.com'))
    const { url, text } = await browser.submit(path, { name: 'Ada', password })
    const next = new URLSearchParams({ next: handoffUrls.console })
    expect(url).toBe(`/second-factor?${next}`)
    expect(text).toContain(`href="/passkeys?${next}"`)
    const code = codeAt(secretIn(text), people.clock.now)
    const saved = await browser.submit('/second-factor', { code })
    expect(saved.text).toContain(`href="${handoffUrls.console}"`)
    expect((await browser.get('/account')).text).toContain(`href="${handoffUrls.console}"`)

    moveToNewNetwork()
    const other = newBrowser()
    await other.get(await inviteNurse('nurse2@example.com'))
    await other.submit(path, { name: 'Ben', password })
    const asked = await other.get(`/passkeys?${next}`)
    const answer = openAuthenticator(pages.origin).create(optionsIn(asked.text))
    const added = await other.submit('/passkeys', { name: 'My phone', answer })
    expect(added.text).toContain(`href="${handoffUrls.console}"`)
  })

  test('continues only to the portal, the console or a page here', async () => {
    const browser = newBrowser()
    await enterPassword(browser, await people.addPerson(false))
    const next = new URLSearchParams({ next: `${handoffUrls.console}.evil.example` })
    const { text } = await browser.get(`/second-factor?${next}`)
    const code = codeAt(secretIn(text), people.clock.now)
    const saved = await browser.submit('/second-factor', { code })
    expect(saved.text).not.toContain('evil.example')
    expect(saved.text).toContain(`href="${handoffUrls.portal}"`)
  })

  test('someone who already has an account signs in first, and comes back', async () => {
    const person = await people.addPerson()
    const email = 'later@example.com'
    const { link } = await invite(email)
    moveToNewNetwork()
    const browser = newBrowser()
    await browser.get(link)
    await people.run(sql`update auth.persons set email = ${email} where id = ${person.id}`)
    const { url } = await browser.submit(path, { name: 'Ada', password })
    expect(new URLSearchParams(url.split('?')[1]).get('next')).toBe(link)
  })
})

test('404: an invitation that was withdrawn or expired, or whose link was changed', async () => {
  const { person, browser } = await openMember()
  await signIn(browser, people, person)
  const { link, integration } = await invite(person.email)
  expect((await browser.get(link.slice(0, -2))).status).toBe(404)
  for (const column of [sql`expires_at`, sql`cancelled_at`]) {
    await browser.get(link)
    await people.run(sql`
      update auth.invitations set ${column} = now() - interval '1 ms'
       where integration = ${integration}`)
    expect((await browser.submit(path)).status).toBe(404)
    await people.run(sql`
      update auth.invitations set expires_at = now() + interval '1 day', cancelled_at = null
       where integration = ${integration}`)
  }
  expect(Object.keys(await rolesOf(person.email))).not.toContain(integration)
})
