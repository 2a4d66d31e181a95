// Tests accepting the business associate agreement with the account pages' database role, and the
// other requirements for live mode.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { openPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { grant, issueKey, openOrganization } from '../integrations.ts'
import { openPeople, peppers, type TestPeople, type TestPerson } from '../testing/people.ts'
import {
  acceptAgreement,
  findAgreementText,
  findLiveConditions,
  listAgreements,
} from './agreements.ts'
import type { Act } from '../act.ts'

let people: TestPeople
beforeAll(async () => void (people = await openPeople()))
afterAll(() => people.close())

let ada: TestPerson
let integration: string
let requests = 0
beforeEach(async () => {
  ada = await people.addPerson(false)
  integration = await people.addMember(ada)
})

const actOf = (person: TestPerson): Act => ({
  surface: 'portal',
  request: `req_${++requests}`,
  person: person.id,
  address: '203.0.113.7',
  agent: 'a browser',
})
const text = '# Agreement\n\nWe promise.\n'
const company = { legalName: 'Ada Health, Inc.', legalAddress: '1 Main Street, Austin, TX 78701' }
const accept = (version: string, { by = ada, act = actOf(by), body = text } = {}) =>
  people.pool.use(connection =>
    acceptAgreement(
      connection,
      { integration, version, text: body, name: 'Ada Example', title: 'CEO', ...company },
      act,
    ),
  )
const agreements = async () => [
  ...(await people.pool.use(connection => listAgreements(connection, integration))),
]

describe('accepting', () => {
  test('stores the signatory, the company, the address and the SHA-256 of the text', async () => {
    const act = actOf(ada)
    const { refusal, id } = await accept('2026-11-22', { act })
    expect(refusal).toBeNull()
    expect(await agreements()).toEqual([
      {
        id,
        version: '2026-11-22',
        accepted_at: expect.any(String),
        ends_at: null,
        terminated_at: null,
        is_in_force: true,
        signatory_name: 'Ada Example',
        signatory_title: 'CEO',
        signatory_email: ada.email,
        legal_name: company.legalName,
        legal_address: company.legalAddress,
        sha256: new Bun.CryptoHasher('sha256').update(text).digest('hex'),
        address: '203.0.113.7',
        agent: 'a browser',
      },
    ])
    const stored = await people.pool.use(connection => findAgreementText(connection, '2026-11-22'))
    expect(stored).toBe(text)
    const [row] = await people.run(sql`
      select action, mode, integration, actor, target, outcome from audit.entries
       where request = ${act.request}`)
    expect(row).toEqual({
      action: 'acceptAgreement',
      mode: 'live',
      integration,
      actor: ada.id,
      target: id,
      outcome: 'ok',
    })
  })

  test('a version is accepted once; a newer one ends it, and an older one is refused', async () => {
    expect((await accept('2026-11-22')).refusal).toBeNull()
    expect((await accept('2026-11-22')).refusal).toBe('already_accepted')
    expect((await accept('2027-01-01')).refusal).toBeNull()
    expect((await accept('2026-11-22')).refusal).toBe('already_accepted')
    const inForce = (await agreements()).map(one => [one.version, one.is_in_force])
    expect(inForce).toEqual([
      ['2027-01-01', true],
      ['2026-11-22', false],
    ])
  })

  test('one of ten simultaneous acceptances counts', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => accept('2026-11-22')))
    expect(all.filter(({ refusal }) => refusal === null)).toHaveLength(1)
    expect(await agreements()).toHaveLength(1)
  })

  test('adds to the list, which shows at most a hundred, newest first', async () => {
    const insert = (count: number, time: string) =>
      people.run(sql`
        insert into auth.agreements (id, integration, version, accepted_at)
        select 'baa_' || ${time}::text || lpad(n::text, 4, '0'), ${integration}, ${time}::text || ' ' || n,
               ${time}::timestamptz
          from generate_series(1, ${count}::int) n`)
    await insert(2, '2026-01-02')
    await insert(99, '2026-01-01')
    const ids = (await agreements()).map(({ id }) => id)
    expect(ids).toHaveLength(100)
    expect(ids.slice(0, 3)).toEqual([
      'baa_2026-01-020002',
      'baa_2026-01-020001',
      'baa_2026-01-010099',
    ])
  })

  test('keeps the text of each version', async () => {
    await accept('2027-02-01', { body: 'The first.' })
    await accept('2027-03-01', { body: 'The second.' })
    const find = (version: string) =>
      people.pool.use(connection => findAgreementText(connection, version))
    expect([await find('2027-02-01'), await find('2027-03-01')]).toEqual([
      'The first.',
      'The second.',
    ])
    expect(await find('2027-04-01')).toBeNull()
  })

  test('a version has one text: a different text with the same date is refused', async () => {
    await accept('2026-11-22')
    integration = await people.addMember(ada)
    const changed = await accept('2026-11-22', { body: `${text}And more.` })
    expect(changed.refusal).toBe('other_text')
    expect(await agreements()).toEqual([])
  })

  test.each(['developer', 'billing', 'viewer'])('is refused to a %s', async role => {
    const ben = await people.addPerson(false)
    await people.addMember(ben, role, integration)
    expect((await accept('2026-11-22', { by: ben })).refusal).toBe('owner_required')
  })

  test('is refused to anyone who isn’t a member, and for a suspended integration', async () => {
    const eve = await people.addPerson(false)
    expect((await accept('2026-11-22', { by: eve })).refusal).toBe('unknown_integration')
    await people.run(sql`
      update auth.integrations set suspended_at = now() where id = ${integration}`)
    expect((await accept('2026-11-22')).refusal).toBe('unknown_integration')
    expect(await agreements()).toEqual([])
  })

  test('app_auth cannot write agreements or texts directly', async () => {
    for (const statement of [
      sql`insert into auth.agreements (id, integration, version) values ('', '', '')`,
      sql`insert into auth.agreement_texts (version, body, sha256) values ('', '', '')`,
      sql`update auth.agreement_texts set body = ''`,
    ]) {
      const refused = people.pool.use(connection => connection.run(statement))
      await expect(refused).rejects.toThrow('permission denied')
    }
  })
})

test('live mode: a grant, a key and a call each count once they exist', async () => {
  const conditions = () =>
    people.pool.use(connection => findLiveConditions(connection, integration))
  const none = { has_grant: false, has_pending_grant: false, has_key: false, last_call_at: null }
  expect({ ...(await conditions()) }).toEqual(none)
  const owner = openPool({ url: people.database.url, size: 1, name: 'owner' })
  try {
    const organization = await owner.use(connection =>
      openOrganization(connection, 'Clinic', 'a-clinic'),
    )
    await owner.use(connection => grant(connection, { integration, organization, mode: 'live' }))
    const { id } = await owner.use(connection =>
      issueKey(connection, peppers[0], { integration, mode: 'live', name: 'k' }),
    )
    await people.run(sql`update auth.credentials set last_used_at = now() where id = ${id}`)
    const all = await conditions()
    expect(all).toMatchObject({ has_grant: true, has_key: true })
    expect(all.last_call_at).not.toBeNull()
    // The last call counts even after its key is revoked.
    await people.run(sql`update auth.credentials set revoked_at = now() where id = ${id}`)
    expect(await conditions()).toMatchObject({ has_key: false, last_call_at: all.last_call_at })
  } finally {
    await owner.close()
  }
})
