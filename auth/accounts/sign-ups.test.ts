// Tests which invitation or sign-up a link finds, and the facts its page shows.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { inviteStaff } from '../clinics/staff.ts'
import { actFor, openClinic } from '../testing/clinic.ts'
import { openPeople, password, type TestPeople, type TestPerson } from '../testing/people.ts'
import { cancelInvitation, inviteMember } from './members.ts'
import { changePassword, endSession } from './own-account.ts'
import { completeRecovery, requestRecovery } from './recoveries.ts'
import {
  changeEmail,
  findInvitation,
  findSignUp,
  requestNewEmail,
  requestSignUp,
} from './sign-ups.ts'

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

const act = { surface: 'oauth', request: 'req_1', address: null, agent: null } as const

test('sign-up: a link finds its sign-up', async () => {
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

let moved = 0
/** Requests a new address for the person, and returns its link's ID. */
async function requestMove({ id: person }: TestPerson): Promise<string> {
  const email = `moved${++moved}@example.com`
  await requestNewEmail(people.pool, { person, name: 'Ada', email }, act)
  const [row] = await people.run<{ id: string }>(
    sql`select id from auth.sign_ups where email = ${email}`,
  )
  return row?.id ?? ''
}

const newPassword = ({ id: person }: TestPerson) =>
  changePassword(
    people.pool,
    { person, current: password, password: `new ${password}`, session: 'tok_none' },
    act,
  )

async function recover({ id: person, email }: TestPerson, keepsFactors: boolean): Promise<void> {
  await requestRecovery(people.pool, email, act)
  const [row] = await people.run<{ id: string }>(sql`
    update auth.recoveries set begun_at = now(), effective_at = now() - interval '1 ms' where person = ${person}
    returning id`)
  const recovery = { id: row?.id ?? '', password: `new ${password}`, keepsFactors }
  expect(await completeRecovery(people.pool, recovery, act)).toBeNull()
}

describe('new email: an unopened link no longer works once', () => {
  test.each<[event: string, cause: (person: TestPerson) => Promise<unknown>]>([
    ['another address is requested', requestMove],
    ['the password is changed', newPassword],
    ['the account is recovered', person => recover(person, false)],
    ['the account is recovered with a second factor', person => recover(person, true)],
    [
      'the person signs out everywhere',
      ({ id: person }) => endSession(people.pool, { person, session: null }, act),
    ],
  ])('%s', async (_, cause) => {
    const [person, other] = [await people.addPerson(), await people.addPerson()]
    const [link, theirs] = [await requestMove(person), await requestMove(other)]
    await cause(person)
    expect(await findSignUp(people.pool, link)).toBeNull()
    expect(await changeEmail(people.pool, link, act)).toBe('link_ended')
    const [row] = await people.run(sql`select email from auth.persons where id = ${person.id}`)
    expect(row).toEqual({ email: person.email })
    expect(await changeEmail(people.pool, theirs, act)).toBeNull()
  })

  test('another link is opened, even at the same time', async () => {
    const person = await people.addPerson()
    const links = [await requestMove(person), await requestMove(person)]
    await people.run(sql`update auth.sign_ups set used_at = null where person = ${person.id}`)
    const answers = await Promise.all(links.map(link => changeEmail(people.pool, link, act)))
    expect(answers.toSorted()).toEqual(['link_ended', null])
  })
})

test('new email: a second link to the same address leaves the first one working', async () => {
  const person = await people.addPerson()
  const email = 'same@example.com'
  for (const address of [email, 'Same@example.com']) {
    await requestNewEmail(people.pool, { person: person.id, name: 'Ada', email: address }, act)
  }
  const rows = await people.run<{ id: string }>(
    sql`select id from auth.sign_ups where person = ${person.id} order by id`,
  )
  expect(rows).toHaveLength(2)
  expect(await changeEmail(people.pool, rows[0]?.id ?? '', act)).toBeNull()
  expect(await changeEmail(people.pool, rows[1]?.id ?? '', act)).toBe('link_ended')
})

describe('a person’s links end one change at a time', () => {
  const three = (table: 'recoveries' | 'sign_ups', { id: person }: TestPerson) =>
    people.run(
      table === 'recoveries'
        ? sql`insert into auth.recoveries (id, person)
              select ${person} || n, ${person} from generate_series(1, 3) n`
        : sql`insert into auth.sign_ups (id, person, name, email)
              select ${person} || n, ${person}, 'Ada', n || ${person} || '@example.com'
                from generate_series(1, 3) n`,
    )

  test.each([
    [
      'recoveries',
      ({ id }: TestPerson) =>
        completeRecovery(people.pool, { id: `${id}3`, password, keepsFactors: true }, act),
    ],
    ['sign_ups', ({ id }: TestPerson) => changeEmail(people.pool, `${id}3`, act)],
  ] as const)('%s', async (table, open) => {
    const person = await people.addPerson()
    await three(table, person)
    const { changes } = await people.owner.use(async connection => {
      await connection.run(sql`begin`)
      await connection.run(
        table === 'recoveries'
          ? sql`select from auth.recoveries where id = ${`${person.id}2`} for update`
          : sql`select from auth.sign_ups where id = ${`${person.id}2`} for update`,
      )
      const first = newPassword(person)
      await until(async () => (await people.countWaiting()) === 1)
      const changes = Promise.all([first, open(person)])
      await until(async () => (await people.countWaiting()) === 2)
      await connection.run(sql`commit`)
      // Wrapped in an object, because a returned promise would be awaited.
      return { changes }
    })
    expect(await changes).toEqual([null, 'link_ended'])
  })
})
