// Tests who can change an integration's members, with the account pages' database role.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Connection } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { openPeople, type TestPeople, type TestPerson } from '../testing/people.ts'
import {
  acceptInvitation,
  cancelInvitation,
  changeRole,
  createIntegration,
  inviteMember,
  listInvitations,
  listMembers,
  removeMember,
} from './members.ts'
import type { Act } from '../act.ts'

let people: TestPeople
beforeAll(async () => void (people = await openPeople()))
afterAll(() => people.close())

let requests = 0
const actOf = (person: TestPerson): Act => ({
  surface: 'portal',
  request: `req_${++requests}`,
  person: person.id,
  address: '203.0.113.7',
  agent: 'a browser',
})
const use = <T>(work: (connection: Connection) => Promise<T>) => people.pool.use(work)
const membersOf = (integration: string) => use(connection => listMembers(connection, integration))
const rolesIn = async (integration: string) =>
  Object.fromEntries((await membersOf(integration)).map(({ email, role }) => [email, role]))

async function invite(owner: TestPerson, integration: string, email: string, role = 'developer') {
  const asked = { integration, email, role: role as 'developer' }
  const made = await use(connection => inviteMember(connection, asked, actOf(owner)))
  if (made.refusal !== null) throw new Error(made.refusal)
  return made.id
}

describe('a person’s integration', () => {
  test('is created with its owner, its sandbox, every scope and both of its tenants', async () => {
    const ada = await people.addPerson()
    const act = actOf(ada)
    const made = await use(connection =>
      createIntegration(connection, { name: 'Ada Health', owner: ada.id }, act),
    )
    if (made.refusal !== null) throw new Error(made.refusal)
    expect(await rolesIn(made.integration)).toEqual({ [ada.email]: 'owner' })
    const [row] = await people.run(sql`
      select i.name, o.id as organization, g.status, cardinality(g.scopes) as scopes,
             (select json_agg(t.organization order by t.id) from test.tenants t
               where t.integration = i.id) as tenants
        from auth.integrations i join auth.organizations o on o.sandbox_of = i.id
        join auth.grants g on g.integration = i.id where i.id = ${made.integration}`)
    expect(row).toEqual({
      name: 'Ada Health',
      organization: made.organization,
      status: 'active',
      scopes: 12,
      tenants: [made.organization, null],
    })
    const audited = await people.run(sql`
      select action, integration, actor, outcome from audit.entries where request = ${act.request}`)
    expect([...audited]).toEqual([
      { action: 'createIntegration', integration: made.integration, actor: ada.id, outcome: 'ok' },
    ])
  })

  test('is refused if the person already has twenty, even if all are created simultaneously', async () => {
    const ada = await people.addPerson()
    const all = await Promise.all(
      Array.from({ length: 24 }, () =>
        use(connection =>
          createIntegration(connection, { name: 'One of many', owner: ada.id }, actOf(ada)),
        ),
      ),
    )
    expect(all.filter(({ refusal }) => refusal === null)).toHaveLength(20)
    expect(new Set(all.map(({ refusal }) => refusal))).toEqual(
      new Set([null, 'too_many_integrations']),
    )
  })
})

describe('an invitation', () => {
  test('is emailed without its link, and lets the person with that address join once', async () => {
    const [ada, ben, eve] = [
      await people.addPerson(),
      await people.addPerson(),
      await people.addPerson(),
    ]
    const integration = await people.addMember(ada)
    const id = await invite(ada, integration, ben.email.toUpperCase())
    const [email] = await people.run<{ facts: object }>(sql`
      select facts from site.emails where facts ->> 'invitation' = ${id}`)
    expect(email?.facts).toMatchObject({ invitation: id, role: 'developer', by: 'Ada' })
    expect([...(await use(connection => listInvitations(connection, integration)))]).toMatchObject([
      { id, role: 'developer' },
    ])
    const accept = (person: TestPerson) =>
      use(connection => acceptInvitation(connection, id, actOf(person)))
    expect(await accept(eve)).toEqual({ refusal: 'other_address' })
    expect(await accept(ben)).toEqual({ refusal: null })
    expect(await accept(ben)).toEqual({ refusal: 'not_found' })
    expect(await rolesIn(integration)).toEqual({ [ada.email]: 'owner', [ben.email]: 'developer' })
    expect(await use(connection => listInvitations(connection, integration))).toHaveLength(0)
  })

  test('is accepted only once in ten simultaneous requests', async () => {
    const [ada, ben] = [await people.addPerson(), await people.addPerson()]
    const integration = await people.addMember(ada)
    const id = await invite(ada, integration, ben.email)
    const all = await Promise.all(
      Array.from({ length: 10 }, () =>
        use(connection => acceptInvitation(connection, id, actOf(ben))),
      ),
    )
    expect(all.filter(({ refusal }) => refusal === null)).toHaveLength(1)
  })

  test('lets nobody join after it expires or is canceled or replaced', async () => {
    const [ada, ben] = [await people.addPerson(), await people.addPerson()]
    const integration = await people.addMember(ada)
    const accept = (id: string) => use(connection => acceptInvitation(connection, id, actOf(ben)))
    const replaced = await invite(ada, integration, ben.email)
    const canceled = await invite(ada, integration, ben.email)
    expect(await accept(replaced)).toEqual({ refusal: 'not_found' })
    const name = { id: canceled, integration }
    expect(await use(connection => cancelInvitation(connection, name, actOf(ada)))).toEqual({
      refusal: null,
    })
    expect(await accept(canceled)).toEqual({ refusal: 'not_found' })
    const expired = await invite(ada, integration, ben.email)
    await people.run(sql`
      update auth.invitations set expires_at = expires_at - interval '7 days'
       where id = ${expired}`)
    expect(await accept(expired)).toEqual({ refusal: 'not_found' })
    expect(Object.keys(await rolesIn(integration))).toEqual([ada.email])
  })

  test('a member is not invited again, and an open invitation changes no role', async () => {
    const [ada, ben] = [await people.addPerson(), await people.addPerson()]
    const integration = await people.addMember(ada)
    const id = await invite(ada, integration, ben.email, 'viewer')
    await people.addMember(ben, 'owner', integration)
    const asked = { integration, email: ben.email, role: 'viewer' } as const
    expect(await use(connection => inviteMember(connection, asked, actOf(ada)))).toEqual({
      refusal: 'already_member',
    })
    expect(await use(connection => acceptInvitation(connection, id, actOf(ben)))).toEqual({
      refusal: 'already_member',
    })
    expect((await rolesIn(integration))[ben.email]).toBe('owner')
  })

  test('an integration can send fifty invitations a day', async () => {
    const ada = await people.addPerson()
    const integration = await people.addMember(ada)
    await people.run(sql`
      insert into auth.invitations (id, integration, email, role)
      select 'invt_' || n, ${integration}, n || '@example.com', 'viewer'
        from generate_series(1, 50) n`)
    const asked = { integration, email: 'one.more@example.com', role: 'viewer' } as const
    expect(await use(connection => inviteMember(connection, asked, actOf(ada)))).toEqual({
      refusal: 'too_many_invitations',
    })
  })
})

describe('who can change members', () => {
  test.each(['developer', 'billing', 'viewer'])('not a %s, who can only leave', async role => {
    const [ada, ben] = [await people.addPerson(), await people.addPerson()]
    const integration = await people.addMember(ada)
    await people.addMember(ben, role, integration)
    const act = actOf(ben)
    const refusals = await use(async connection => [
      await inviteMember(connection, { integration, email: 'x@example.com', role: 'owner' }, act),
      await changeRole(connection, { integration, person: ben.id, role: 'owner' }, act),
      await removeMember(connection, { integration, person: ada.id }, act),
    ])
    expect(refusals.map(({ refusal }) => refusal)).toEqual(Array(3).fill('owner_required'))
    const audited = await people.run(sql`
      select outcome, code, actor from audit.entries where request = ${act.request}`)
    expect([...audited]).toEqual(
      Array.from({ length: 3 }, () => ({
        outcome: 'refused',
        code: 'owner_required',
        actor: ben.id,
      })),
    )
    const left = await use(connection =>
      removeMember(connection, { integration, person: ben.id }, actOf(ben)),
    )
    expect(left).toEqual({ refusal: null })
    expect(Object.keys(await rolesIn(integration))).toEqual([ada.email])
  })

  test('non-members and former members learn nothing about the integration', async () => {
    const [ada, eve] = [await people.addPerson(), await people.addPerson()]
    const integration = await people.addMember(ada)
    const asked = { integration, email: 'x@example.com', role: 'owner' } as const
    const refused = { refusal: 'unknown_integration' } as const
    const attempt = () => use(connection => inviteMember(connection, asked, actOf(eve)))
    expect(await attempt()).toEqual(refused)
    await people.addMember(eve, 'owner', integration)
    const name = { integration, person: eve.id }
    await use(connection => removeMember(connection, name, actOf(ada)))
    expect(await attempt()).toEqual(refused)
    expect(await use(connection => removeMember(connection, name, actOf(ada)))).toEqual({
      refusal: 'not_found',
    })
  })

  test('removing a member also ends access that acts for them, in the same transaction', async () => {
    const [ada, ben] = [await people.addPerson(), await people.addPerson()]
    const integration = await people.addMember(ada)
    await people.addMember(ben, 'developer', integration)
    await people.run(sql`
      with client as (
        insert into auth.clients (id, kind, name) values ('cli_of_ben', 'registered', 'An agent'))
      insert into auth.token_families (id, kind, client, person, integration, mode, scopes)
      values ('fam_of_ben', 'agent', 'cli_of_ben', ${ben.id}, ${integration}, 'test', '{}')`)
    await use(connection => removeMember(connection, { integration, person: ben.id }, actOf(ada)))
    const [family] = await people.run(sql`
      select revoked_reason, revoked_at is not null as revoked from auth.token_families
       where id = 'fam_of_ben'`)
    expect(family).toEqual({ revoked: true, revoked_reason: 'member_removed' })
  })
})

describe('the last owner', () => {
  const begin = async () => {
    const [ada, ben] = [await people.addPerson(), await people.addPerson()]
    const integration = await people.addMember(ada)
    await people.addMember(ben, 'owner', integration)
    return { ada, ben, integration }
  }

  test('is not removed, does not leave, and is not given another role', async () => {
    const { ada, ben, integration } = await begin()
    const act = actOf(ada)
    const make = (work: (connection: Connection) => Promise<{ refusal: unknown }>) => use(work)
    const name = { integration, person: ada.id }
    const role = { integration, person: ben.id, role: 'developer' } as const
    expect(await make(connection => changeRole(connection, role, act))).toEqual({ refusal: null })
    expect(await make(connection => removeMember(connection, name, act))).toEqual({
      refusal: 'last_owner',
    })
    const demoted = { ...name, role: 'viewer' } as const
    expect(await make(connection => changeRole(connection, demoted, act))).toEqual({
      refusal: 'last_owner',
    })
    expect((await rolesIn(integration))[ada.email]).toBe('owner')
  })

  test('a disabled owner does not count as an owner', async () => {
    const { ada, ben, integration } = await begin()
    await people.run(sql`update auth.persons set disabled_at = now() where id = ${ben.id}`)
    const name = { integration, person: ada.id }
    expect(await use(connection => removeMember(connection, name, actOf(ada)))).toEqual({
      refusal: 'last_owner',
    })
  })

  test('two owners who leave at the same time: the second waits, and is refused', async () => {
    const { ada, ben, integration } = await begin()
    const leave = (connection: Connection, person: TestPerson) =>
      removeMember(connection, { integration, person: person.id }, actOf(person))
    await people.pool.use(async connection => {
      await connection.run(sql`begin`)
      expect(await leave(connection, ada)).toEqual({ refusal: null })
      const second = people.pool.use(waiting => leave(waiting, ben))
      await until(async () => (await people.countWaiting()) === 1, 4)
      await connection.run(sql`commit`)
      expect(await second).toEqual({ refusal: 'last_owner' })
    })
    expect(await rolesIn(integration)).toEqual({ [ben.email]: 'owner' })
  })
})
