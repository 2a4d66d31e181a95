// Joining an integration by the link of an invitation.
import { describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { inviteMember } from '../../accounts/members.ts'
import { inviteStaff } from '../../clinics/staff.ts'
import { actFor, hire, openClinic } from '../../testing/clinic.ts'
import { linkTo } from '../../testing/emails.ts'
import { usePages } from '../../testing/pages.ts'
import { password, portalUrl, type TestPerson } from '../../testing/people.ts'
import { signIn } from '../../testing/sign-in.ts'

const { people, newBrowser, openMember, moveToNewNetwork } = await usePages()

let count = 0

async function invite(email: string, role = 'developer') {
  const { person, integration } = await openMember()
  const asked = { integration, email, role: role as 'developer' }
  const act = { surface: 'portal', request: `req_${++count}`, person: person.id } as const
  const { refusal } = await people.pool.use(connection => inviteMember(connection, asked, act))
  expect(refusal).toBeNull()
  return { integration, owner: person, link: await linkTo(people, email, 'invitation') }
}

const roleIn = async (integration: string, email: string) => {
  const [row] = await people.run<{ role: string }>(sql`
    select m.role from auth.members m join auth.persons p on p.id = m.person
     where m.integration = ${integration} and lower(p.email) = lower(${email})
       and m.removed_at is null`)
  return row?.role
}

const integrationsOf = async ({ email }: Pick<TestPerson, 'email'>) => {
  const [row] = await people.run<{ count: number }>(sql`
    select count(*)::int as count from auth.members m join auth.persons p on p.id = m.person
     where lower(p.email) = lower(${email})`)
  return row?.count
}

describe('a person with an account', () => {
  test('signs in, and joins', async () => {
    const ben = await people.addPerson()
    const { integration, link } = await invite(ben.email)
    const browser = newBrowser()
    expect((await browser.get(link)).url).toStartWith('/sign-in?next=%2Finvitations')
    await signIn(browser, people, ben, link)
    expect(browser.page.text).toContain('as developer')
    // The answer to the form leads to the portal.
    const policy = browser.page.headers.get('content-security-policy')
    expect(policy).toContain(`form-action 'self' ${portalUrl}`)
    await browser.submit('/invitations/accept')
    expect(await roleIn(integration, ben.email)).toBe('developer')
    expect((await browser.get(link)).status).toBe(404)
  })

  test('403: of another address, joins nothing', async () => {
    const { link, integration } = await invite('somewhere@example.com')
    const { person: eve, browser } = await openMember()
    await signIn(browser, people, eve)
    const page = await browser.get(link)
    expect(page.status).toBe(403)
    expect(page.text).toContain('This invitation is for another address')
    expect(await roleIn(integration, eve.email)).toBeUndefined()
  })

  test('opening the link does not join', async () => {
    const ben = await people.addPerson()
    const { integration, link } = await invite(ben.email)
    const browser = newBrowser()
    await signIn(browser, people, ben)
    await browser.get(link)
    expect(await roleIn(integration, ben.email)).toBeUndefined()
  })
})

test('an invitation to a clinic names the clinic and its roles, and makes staff and no member', async () => {
  const clinic = await openClinic(people)
  const admin = await hire(people, clinic, ['admin'])
  const ben = await people.addPerson()
  const asked = { email: ben.email, roles: ['nurse', 'pharmacy'] as const }
  const { refusal } = await people.pool.use(connection =>
    inviteStaff(connection, asked, actFor(clinic, admin)),
  )
  expect(refusal).toBeNull()
  const link = await linkTo(people, ben.email, 'invitation')
  const browser = newBrowser()
  await browser.get(link)
  await signIn(browser, people, ben, link)
  expect(browser.page.text).toContain('Join “River Clinic”')
  expect(browser.page.text).toContain('as nurse, pharmacy on the staff of the clinic.')
  await browser.submit('/invitations/accept')
  const staff = await people.run(sql`
    select organization, roles from auth.staff where person = ${ben.id}`)
  expect([...staff]).toEqual([{ organization: clinic, roles: ['nurse', 'pharmacy'] }])
  expect(await integrationsOf(ben)).toBe(0)
})

describe('a person without an account', () => {
  test('makes one with that address, and joins nothing else', async () => {
    const email = 'invited@example.com'
    const { integration, link } = await invite(email, 'viewer')
    moveToNewNetwork()
    const browser = newBrowser()
    await browser.get(link)
    const weak = { name: '', password: 'short' }
    expect((await browser.submit('/invitations/accept', weak)).status).toBe(422)
    const given = { name: 'Ben Franklin', password }
    expect((await browser.submit('/invitations/accept', given)).url).toBe('/second-factor')
    expect(await roleIn(integration, email)).toBe('viewer')
    expect(await integrationsOf({ email })).toBe(1)
  })

  test('of five simultaneous forms, one makes the person', async () => {
    const email = 'invited.once@example.com'
    const { link } = await invite(email)
    moveToNewNetwork()
    const browsers = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const browser = newBrowser()
        await browser.get(link)
        return browser
      }),
    )
    const given = { name: 'Ben', password }
    const answers = await Promise.all(
      browsers.map(browser => browser.submit('/invitations/accept', given)),
    )
    expect(answers.filter(({ url }) => url === '/second-factor')).toHaveLength(1)
    expect(await integrationsOf({ email })).toBe(1)
  })
})

test('404: an invitation that was withdrawn, has expired, or whose link was changed', async () => {
  const { link, integration } = await invite('late@example.com')
  const browser = newBrowser()
  expect((await browser.get(link.slice(0, -2))).status).toBe(404)
  await people.run(sql`
    update auth.invitations set expires_at = now() - interval '1 ms' where integration = ${integration}`)
  expect((await browser.get(link)).status).toBe(404)
})
