// Tests which invitation or sign-up a link finds, and the facts its page shows.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { inviteStaff } from '../clinics/staff.ts'
import { actFor, openClinic } from '../testing/clinic.ts'
import { openPeople, type TestPeople, type TestPerson } from '../testing/people.ts'
import { cancelInvitation, inviteMember } from './members.ts'
import { findInvitation, findSignUp, requestSignUp } from './sign-ups.ts'

let people: TestPeople
beforeAll(async () => void (people = await openPeople()))
afterAll(() => people.close())

let count = 0
const actOf = ({ id: person }: TestPerson) =>
  ({ surface: 'portal', request: `req_${++count}`, person }) as const

async function openOwner(name: string) {
  const owner = await people.addPerson()
  await people.run(sql`update auth.persons set name = ${name} where id = ${owner.id}`)
  const integration = await people.addMember(owner)
  await people.run(sql`
    update auth.integrations set name = ${`Brand of ${name}`} where id = ${integration}`)
  const invite = async (email: string) => {
    const asked = { integration, email, role: 'viewer' } as const
    const made = await people.pool.use(connection => inviteMember(connection, asked, actOf(owner)))
    return made.refusal === null ? made.id : made.refusal
  }
  return { owner, integration, invite }
}

async function inviteToClinic(email: string) {
  const clinic = await openClinic(people)
  const asked = { email, roles: ['admin', 'nurse'] as const }
  await people.pool.use(connection => inviteStaff(connection, asked, actFor(clinic, null)))
  const [row] = await people.run<{ id: string }>(
    sql`select id from auth.invitations where email = ${email}`,
  )
  return { clinic, id: row?.id ?? '' }
}

const find = (id: string) => findInvitation(people.pool, id)

test('invitation: shows the inviter, the organization, the role, and whether the address has an account', async () => {
  const [ada, grace] = [await openOwner('Ada'), await openOwner('Grace')]
  const { id: toClinic } = await inviteToClinic('nurse@example.com')
  const ids = [
    await grace.invite('new@example.com'),
    await ada.invite(grace.owner.email.toUpperCase()),
  ]
  expect(await find(ids[0] ?? '')).toEqual({
    email: 'new@example.com',
    roles: ['viewer'],
    to: 'integration',
    name: 'Brand of Grace',
    by: 'Grace',
    has_account: false,
  })
  expect(await find(ids[1] ?? '')).toMatchObject({
    name: 'Brand of Ada',
    by: 'Ada',
    has_account: true,
  })
  expect(await find(toClinic)).toEqual({
    email: 'nurse@example.com',
    roles: ['admin', 'nurse'],
    to: 'clinic',
    name: 'River Clinic',
    by: null,
    has_account: false,
  })
})

test('invitation: not found if withdrawn, or if the integration or clinic is closed', async () => {
  const { owner, integration, invite } = await openOwner('Ada')
  const [withdrawn, suspended] = [await invite('one@example.com'), await invite('two@example.com')]
  const { clinic, id: toClinic } = await inviteToClinic('three@example.com')
  for (const id of [withdrawn, suspended, toClinic]) expect(await find(id)).not.toBeNull()
  await people.pool.use(connection =>
    cancelInvitation(connection, { id: withdrawn, integration }, actOf(owner)),
  )
  expect(await find(withdrawn)).toBeNull()
  await people.run(sql`update auth.integrations set suspended_at = now() where id = ${integration}`)
  expect(await find(suspended)).toBeNull()
  await people.run(sql`update auth.organizations set status = 'closed' where id = ${clinic}`)
  expect(await find(toClinic)).toBeNull()
})

test('sign-up: a link finds its sign-up', async () => {
  const act = { surface: 'oauth', request: 'req_1', address: null, agent: null } as const
  for (const email of ['first@example.com', 'second@example.com']) {
    await requestSignUp(
      people.pool,
      { email, name: `Name of ${email}`, company: 'Ada Health' },
      act,
    )
  }
  const [row] = await people.run<{ id: string }>(
    sql`select id from auth.sign_ups where email = 'second@example.com'`,
  )
  expect(await findSignUp(people.pool, row?.id ?? '')).toEqual({
    email: 'second@example.com',
    name: 'Name of second@example.com',
    company: 'Ada Health',
  })
  expect(await findSignUp(people.pool, 'sup_none')).toBeNull()
})
