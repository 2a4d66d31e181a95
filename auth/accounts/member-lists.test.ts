// Tests the lists of members and invitations.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Connection } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { openPeople, type TestPeople, type TestPerson } from '../testing/people.ts'
import { cancelInvitation, inviteMember, listInvitations, listMembers } from './members.ts'
import { listMemberships } from './memberships.ts'

let people: TestPeople
beforeAll(async () => void (people = await openPeople()))
afterAll(() => people.close())

const actOf = ({ id: person }: TestPerson) =>
  ({ surface: 'portal', request: crypto.randomUUID(), person }) as const
const use = <T>(work: (connection: Connection) => Promise<T>) => people.pool.use(work)

test('members: each shows whether they have a second factor; disabled people are omitted', async () => {
  const [ada, ben, eve] = [
    await people.addPerson(),
    await people.addPerson(false),
    await people.addPerson(false),
  ]
  const integration = await people.addMember(ada)
  for (const one of [ben, eve]) await people.addMember(one, 'developer', integration)
  const list = async () =>
    (await use(connection => listMembers(connection, integration))).map(
      ({ person, has_second_factor: hasOne }) => [person, hasOne],
    )
  expect(await list()).toEqual([
    [ada.id, true],
    [ben.id, false],
    [eve.id, false],
  ])
  // A passkey counts as both factors.
  await people.run(sql`
    insert into auth.passkeys (id, person, public_key, name, sign_count)
    values (${'of-ben-'.padEnd(32, 'x')}, ${ben.id}, 'x', 'A phone', 0)`)
  expect(await list()).toEqual([
    [ada.id, true],
    [ben.id, true],
    [eve.id, false],
  ])
  await people.run(sql`update auth.persons set disabled_at = now() where id = ${eve.id}`)
  expect((await list()).map(([person]) => person)).toEqual([ada.id, ben.id])
})

test("invitations: lists the integration's open invitations, newest first", async () => {
  const ada = await people.addPerson()
  const [integration, other] = [await people.addMember(ada), await people.addMember(ada)]
  const invite = async (to: string, email: string) => {
    const asked = { integration: to, email, role: 'developer' } as const
    const made = await use(connection => inviteMember(connection, asked, actOf(ada)))
    return made.refusal === null ? made.id : made.refusal
  }
  const all = [
    await invite(integration, 'first@example.com'),
    await invite(integration, 'second@example.com'),
    await invite(integration, 'third@example.com'),
  ] as const
  await invite(other, 'another@example.com')
  for (const [at, id] of all.entries()) {
    await people.run(sql`
      update auth.invitations set created_at = created_at + ${at}::int * interval '1 s'
       where id = ${id}`)
  }
  const list = async () =>
    (await use(connection => listInvitations(connection, integration))).map(({ id }) => id)
  expect(await list()).toEqual(all.toReversed())
  await people.run(sql`
    update auth.invitations set expires_at = now() - interval '1 ms' where id = ${all[0]}`)
  expect(await list()).toEqual([all[2], all[1]])
  await use(connection => cancelInvitation(connection, { integration, id: all[1] }, actOf(ada)))
  expect(await list()).toEqual([all[2]])
})

test('lists: at most 500 members, 500 invitations, and 100 of a person’s integrations', async () => {
  const ada = await people.addPerson()
  const integration = await people.addMember(ada)
  await people.run(sql`
    insert into auth.persons (id, email, name)
    select 'per_many_' || n, 'many' || n || '@example.com', 'Many' from generate_series(1, 500) n`)
  await people.run(sql`
    insert into auth.members (integration, person, role)
    select ${integration}, 'per_many_' || n, 'viewer' from generate_series(1, 500) n`)
  await people.run(sql`
    insert into auth.invitations (id, integration, email, role)
    select 'invt_many_' || n, ${integration}, n || '@example.com', 'viewer'
      from generate_series(1, 501) n`)
  await people.run(sql`
    insert into auth.integrations (id, name)
    select 'int_many_' || n, 'Many' from generate_series(1, 100) n`)
  await people.run(sql`
    insert into auth.members (integration, person, role)
    select 'int_many_' || n, ${ada.id}, 'viewer' from generate_series(1, 100) n`)
  const lists = [
    await use(connection => listMembers(connection, integration)),
    await use(connection => listInvitations(connection, integration)),
    await listMemberships(people.pool, ada.id, []),
  ]
  expect(lists.map(({ length }) => length)).toEqual([500, 500, 100])
})
