// Tests integrations' requests to clinics, with the account pages' database role, and the
// operator's decisions.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Connection, openPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { changeClinicSettings } from '../clinics/settings.ts'
import { openOrganization } from '../integrations.ts'
import { openPeople, type TestPeople, type TestPerson } from '../testing/people.ts'
import { decideGrant, listGrants, requestGrant, revokeGrant, withdrawGrant } from './grants.ts'
import type { Act } from '../act.ts'

let people: TestPeople
beforeAll(async () => void (people = await openPeople()))
afterAll(() => people.close())

let ada: TestPerson
let clinician: TestPerson
let integration: string
let organization: string
let made = 0
beforeEach(async () => {
  ;[ada, clinician] = [await people.addPerson(false), await people.addPerson(false)]
  integration = await people.addMember(ada)
  organization = await asOperator(connection =>
    openOrganization(connection, 'Clinic', `clinic-${++made}`, 'incidents@example.com'),
  )
})

const asOperator = <T>(work: (connection: Connection) => Promise<T>): Promise<T> =>
  people.owner.use(work)
let requests = 0
const actOf = (person: TestPerson): Act => ({
  surface: 'portal',
  request: `req_${++requests}`,
  person: person.id,
})
const asked = (more = {}) => ({
  integration,
  organization,
  scopes: ['patients:read', 'cases:read'] as const,
  note: 'We read cases.',
  ...more,
})
const request = (more = {}, act = actOf(ada)) =>
  people.pool.use(connection => requestGrant(connection, asked(more), act))
const decide = (id: string, scopes: readonly ['cases:read'] | null | readonly [], by = clinician) =>
  asOperator(connection => decideGrant(connection, { id, scopes, note: 'Cases only.' }, actOf(by)))
const grants = async () => [
  ...(await people.pool.use(connection => listGrants(connection, { integration, mode: 'live' }))),
]

describe('a request', () => {
  test('is pending with its scopes, grants nothing yet, and is audited', async () => {
    const act = actOf(ada)
    const { refusal, id } = await request({}, act)
    expect(refusal).toBeNull()
    expect(await grants()).toMatchObject([
      {
        id,
        status: 'pending',
        scopes: [],
        requested_scopes: ['patients:read', 'cases:read'],
        note: 'We read cases.',
        requested_by_name: 'Ada',
      },
    ])
    const [row] = await people.run(sql`
      select action, mode, integration, actor, target, outcome from audit.entries
       where request = ${act.request}`)
    expect(row).toEqual({
      action: 'requestGrant',
      mode: 'live',
      integration,
      actor: ada.id,
      target: id,
      outcome: 'ok',
    })
  })

  test.each([
    ['no scope', { scopes: [] }, 'unknown_scope'],
    ['an unknown scope', { scopes: ['everything'] }, 'unknown_scope'],
    ['an unknown clinic', { organization: 'org_none' }, 'unknown_organization'],
  ])('is refused with %s', async (_, more, code) => {
    expect((await request(more)).refusal).toBe(code as 'unknown_scope')
    expect(await grants()).toEqual([])
  })

  test('is refused for an integration’s sandbox', async () => {
    const [sandbox] = await people.run<{ id: string }>(
      sql`select id from auth.organizations where sandbox_of = ${integration}`,
    )
    expect((await request({ organization: sandbox?.id })).refusal).toBe('unknown_organization')
  })

  test.each(['developer', 'billing', 'viewer'])('is refused to a %s', async role => {
    const ben = await people.addPerson(false)
    await people.addMember(ben, role, integration)
    expect((await request({}, actOf(ben))).refusal).toBe('owner_required')
  })

  test('only one of ten simultaneous requests is created', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => request()))
    expect(all.filter(({ refusal }) => refusal === null)).toHaveLength(1)
    expect(all.filter(({ refusal }) => refusal === 'already_requested')).toHaveLength(9)
  })

  test('lapses after thirty days: it cannot be decided, and another can be created', async () => {
    const { id } = await request()
    await people.run(sql`
      update auth.grants set lapses_at = lapses_at - interval '30 days' where id = ${id}`)
    expect(await grants()).toMatchObject([{ id, status: 'lapsed' }])
    expect((await decide(id, ['cases:read'])).refusal).toBe('not_found')
    const second = await request()
    expect(second.refusal).toBeNull()
    expect((await grants()).map(({ status }) => status)).toEqual(['pending', 'lapsed'])
  })

  test('can be withdrawn by an owner while it is open', async () => {
    const { id } = await request()
    const eve = await people.addPerson(false)
    const other = await people.addMember(eve)
    const withdraw = (whose: string, by: TestPerson) =>
      people.pool.use(connection =>
        withdrawGrant(connection, { id, integration: whose }, actOf(by)),
      )
    expect((await withdraw(other, eve)).refusal).toBe('not_found')
    expect((await withdraw(integration, eve)).refusal).toBe('unknown_integration')
    expect((await withdraw(integration, ada)).refusal).toBeNull()
    expect((await withdraw(integration, ada)).refusal).toBe('not_found')
    expect(await grants()).toMatchObject([{ status: 'withdrawn' }])
    expect((await request()).refusal).toBeNull()
  })
})

describe('a decision', () => {
  test('grants part of the request, and opens the live tenant', async () => {
    const { id } = await request()
    expect((await decide(id, ['cases:read'])).refusal).toBeNull()
    expect(await grants()).toMatchObject([
      { status: 'active', scopes: ['cases:read'], decision_note: 'Cases only.' },
    ])
    const tenants = await people.run(sql`
      select from live.tenants where integration = ${integration} and organization = ${organization}`)
    expect(tenants).toHaveLength(1)
    expect((await decide(id, null)).refusal).toBe('not_found')
  })

  test('can approve live access only with an incident address, which the clinic can’t remove later', async () => {
    const { id } = await request()
    const address = (email: string | null) =>
      people.run(sql`update auth.clinic_settings set incident_email = ${email}
                      where organization = ${organization}`)
    await address(null)
    expect((await decide(id, ['cases:read'])).refusal).toBe('incident_email_required')
    expect(await grants()).toMatchObject([{ status: 'pending' }])
    await address('incidents@example.com')
    expect((await decide(id, ['cases:read'])).refusal).toBeNull()
    const change = (incident_email: string | null) =>
      asOperator(connection =>
        changeClinicSettings(
          connection,
          {
            name: 'Clinic',
            time_zone: 'America/New_York',
            contact_email: null,
            contact_phone: null,
            incident_email,
            revision: '1',
          },
          { surface: 'cli', request: 'req_settings', organization },
        ),
      )
    expect((await change(null)).refusal).toBe('incident_email_required')
    expect((await change('other@example.com')).refusal).toBeNull()
  })

  test('never grants more than requested, even in a direct statement', async () => {
    const { id } = await request({ scopes: ['patients:read'] })
    expect((await decide(id, ['cases:read'])).refusal).toBe('unknown_scope')
    expect((await decide(id, [])).refusal).toBe('unknown_scope')
    const forced = people.run(sql`
      update auth.grants set scopes = '{cases:read}', status = 'active' where id = ${id}`)
    await expect(forced).rejects.toThrow('grants_within_request')
  })

  test('declines, and grants nothing', async () => {
    const { id } = await request()
    expect((await decide(id, null)).refusal).toBeNull()
    expect(await grants()).toMatchObject([{ status: 'declined', scopes: [] }])
  })

  test('is refused to members, to the requester, and without a person', async () => {
    const { id } = await request()
    const ben = await people.addPerson(false)
    await people.addMember(ben, 'viewer', integration)
    for (const member of [ada, ben]) {
      expect((await decide(id, ['cases:read'], member)).refusal).toBe('own_grant')
    }
    await people.run(sql`
      update auth.members set removed_at = now() where integration = ${integration}`)
    expect((await decide(id, ['cases:read'], ada)).refusal).toBe('own_grant')
    const act: Act = { surface: 'cli', request: 'req_x' }
    const anonymous = await asOperator(connection =>
      decideGrant(connection, { id, scopes: ['cases:read'], note: '' }, act),
    )
    expect(anonymous.refusal).toBe('unknown_person')
    expect(await grants()).toMatchObject([{ status: 'pending' }])
  })

  test('the table itself refuses a decision by a member', async () => {
    const { id } = await request()
    const forced = people.run(sql`
      update auth.grants set status = 'active', scopes = '{cases:read}', decided_by = ${ada.id},
             decided_at = now() where id = ${id}`)
    await expect(forced).rejects.toThrow('may not decide its grant')
  })

  test('waits for a concurrent member change, and is refused to anyone who has just joined', async () => {
    const { id } = await request()
    const owner = openPool({ url: people.database.url, size: 1, name: 'joining' })
    const decider = openPool({ url: people.database.url, size: 1, name: 'deciding' })
    try {
      await owner.use(async connection => {
        await connection.run(sql`begin`)
        await connection.run(sql`
          select from auth.integrations where id = ${integration} for no key update`)
        await connection.run(sql`
          insert into auth.members (integration, person, role)
          values (${integration}, ${clinician.id}, 'viewer')`)
        const second = decider.use(waiting =>
          decideGrant(waiting, { id, scopes: ['cases:read'], note: '' }, actOf(clinician)),
        )
        await until(async () => {
          const [row] = await people.run<{ waiting: number }>(sql`
            select count(*)::int as waiting from pg_stat_activity
             where application_name = 'deciding' and wait_event_type = 'Lock'`)
          return row?.waiting === 1
        }, 4)
        await connection.run(sql`commit`)
        expect((await second).refusal).toBe('own_grant')
      })
    } finally {
      await Promise.all([owner.close(), decider.close()])
    }
  })

  test('can be revoked once, and another grant can be requested', async () => {
    const { id } = await request()
    await decide(id, ['cases:read'])
    const revoke = () => asOperator(connection => revokeGrant(connection, id, actOf(clinician)))
    expect((await revoke()).refusal).toBeNull()
    expect((await revoke()).refusal).toBe('not_found')
    expect(await grants()).toMatchObject([{ status: 'revoked' }])
    expect((await request()).refusal).toBeNull()
  })
})

test('owners are emailed the decision, and other members are not', async () => {
  const ben = await people.addPerson(false)
  await people.addMember(ben, 'developer', integration)
  const { id } = await request()
  await decide(id, ['cases:read'])
  await asOperator(connection => revokeGrant(connection, id, actOf(clinician)))
  const declined = await request()
  await decide(declined.id, null)
  const emails = await people.run<{ facts: Record<string, unknown> }>(sql`
    select facts::jsonb as facts from site.emails where kind = 'grant_decided'
       and facts::jsonb ->> 'email' in (${ada.email}, ${ben.email})
     order by facts::jsonb ->> 'status'`)
  expect(emails.map(({ facts }) => [facts['email'], facts['status'], facts['scopes']])).toEqual([
    [ada.email, 'active', 1],
    [ada.email, 'declined', 0],
    [ada.email, 'revoked', 1],
  ])
})

test('app_auth: can neither decide nor write a grant', async () => {
  const { id } = await request()
  const attempts = [
    sql`select auth.decide_grant(${id}, '{cases:read}', '', '{}')`,
    sql`select auth.revoke_grant(${id}, '{}')`,
    sql`update auth.grants set status = 'active' where id = ${id}`,
  ]
  for (const attempt of attempts) {
    const refused = people.pool.use(connection => connection.run(attempt))
    await expect(refused).rejects.toThrow('permission denied')
  }
})
