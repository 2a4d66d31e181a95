// Tests how a clinic's administrators decide on the access that integrations request.

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { StaffRole } from '#contract/console/row.ts'
import type { Scope } from '#contract/scopes.ts'
import type { Connection } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { actFor, auditOf, hire, openClinic } from '../testing/clinic.ts'
import { emailsTo } from '../testing/emails.ts'
import { openPeople, type TestPeople, type TestPerson } from '../testing/people.ts'
import {
  decideGrantOfClinic,
  listGrantsOfClinic,
  requestGrant,
  revokeGrantOfClinic,
} from './grants.ts'

let people: TestPeople
beforeAll(async () => void (people = await openPeople()))
afterAll(() => people.close())

let clinic: string
let admin: TestPerson
let owner: TestPerson
let integration: string
let id: string
beforeEach(async () => {
  clinic = await openClinic(people)
  admin = await hire(people, clinic, ['admin'])
  owner = await people.addPerson(false)
  integration = await people.addMember(owner)
  id = await request()
})

const use = <T>(work: (connection: Connection) => Promise<T>) => people.pool.use(work)
async function request(): Promise<string> {
  const scopes = ['patients:read', 'cases:read'] as const
  const asked = { integration, organization: clinic, scopes, note: 'For our members.' }
  const act = { surface: 'portal', request: 'req_asks', person: owner.id } as const
  const made = await use(connection => requestGrant(connection, asked, act))
  expect(made.refusal).toBeNull()
  return made.id
}
const by = (person: TestPerson, of = clinic) => ({ ...actFor(of, person), person: person.id })
const decide = (scopes: readonly Scope[] | null, act = by(admin)) =>
  use(connection => decideGrantOfClinic(connection, { id, scopes, note: 'Cases only.' }, act))
const revoke = (act = by(admin)) => use(connection => revokeGrantOfClinic(connection, id, act))
const grants = async () => [...(await use(connection => listGrantsOfClinic(connection, clinic)))]

test('a request is emailed to the clinic’s administrators, and not to other staff', async () => {
  const nurse = await hire(people, clinic, ['nurse'])
  expect(await emailsTo(people, admin.email)).toMatchObject([
    { kind: 'grant_requested', facts: { requested: 2 } },
  ])
  expect(await emailsTo(people, nurse.email)).toEqual([])
})

test('part of a request can be approved; the audit row names the clinic, and owners are emailed', async () => {
  const act = by(admin)
  expect((await decide(['cases:read'], act)).refusal).toBeNull()
  expect(await grants()).toMatchObject([
    {
      id,
      integration,
      status: 'active',
      scopes: ['cases:read'],
      requested_scopes: ['patients:read', 'cases:read'],
      decided_by_name: 'Ada',
      decision_note: 'Cases only.',
    },
  ])
  expect(await auditOf(people, act)).toEqual([
    {
      surface: 'console',
      action: 'approveGrant',
      mode: 'live',
      organization: clinic,
      person: admin.id,
      target: id,
      outcome: 'ok',
      code: null,
    },
  ])
  const sent = await emailsTo(people, owner.email)
  expect(sent.map(({ kind }) => kind)).toEqual(['grant_decided'])
})

test('a request can be declined, and a grant can be revoked once', async () => {
  expect((await decide(null)).refusal).toBeNull()
  expect(await grants()).toMatchObject([{ status: 'declined', scopes: [] }])
  id = await request()
  expect((await revoke()).refusal).toBe('not_found')
  expect((await decide(['cases:read'])).refusal).toBeNull()
  expect((await revoke()).refusal).toBeNull()
  expect((await revoke()).refusal).toBe('not_found')
})

test('more scopes than requested, or none, are refused', async () => {
  expect((await decide(['events:read'])).refusal).toBe('unknown_scope')
  expect((await decide([])).refusal).toBe('unknown_scope')
  expect(await grants()).toMatchObject([{ status: 'pending' }])
})

test('another clinic, another role or a former administrator cannot decide or revoke', async () => {
  const elsewhere = await openClinic(people)
  const other = await hire(people, elsewhere, ['admin'])
  const left = await hire(people, clinic, ['admin'])
  await people.run(sql`update auth.staff set removed_at = now() where person = ${left.id}`)
  const roles: StaffRole[] = ['clinician', 'nurse', 'pharmacy', 'records', 'auditor']
  const acts: [ReturnType<typeof by>, string][] = [
    [by(other, elsewhere), 'not_found'],
    [by(other), 'unknown_organization'],
    [by(left), 'unknown_organization'],
    [by(await hire(people, clinic, roles)), 'admin_required'],
  ]
  for (const [act, code] of acts) {
    expect((await decide(['cases:read'], act)).refusal).toBe(code as 'not_found')
    expect(await auditOf(people, act)).toMatchObject([{ outcome: 'refused', code }])
  }
  expect(await grants()).toMatchObject([{ status: 'pending' }])
  await decide(['cases:read'])
  for (const [act, code] of acts) expect((await revoke(act)).refusal).toBe(code as 'not_found')
  expect(await grants()).toMatchObject([{ status: 'active' }])
})

test('an integration’s member, or a former one who requested the grant, cannot decide', async () => {
  await people.addMember(admin, 'viewer', integration)
  expect((await decide(['cases:read'])).refusal).toBe('own_grant')
  expect((await decide(null)).refusal).toBe('own_grant')
  await people.run(sql`
    insert into auth.staff (organization, person, name, roles)
    values (${clinic}, ${owner.id}, 'Owner', '{admin}')`)
  await people.addMember(await people.addPerson(false), 'owner', integration)
  await people.run(sql`
    update auth.members set removed_at = now()
     where integration = ${integration} and person = ${owner.id}`)
  expect((await decide(['cases:read'], by(owner))).refusal).toBe('own_grant')
  expect(await grants()).toMatchObject([{ status: 'pending' }])
})

test('if two administrators decide at once, one decision counts and one email is sent', async () => {
  const second = await hire(people, clinic, ['admin'])
  const all = await Promise.all([
    decide(['cases:read']),
    decide(null, by(second)),
    decide(['patients:read'], by(second)),
  ])
  expect(all.filter(({ refusal }) => refusal === null)).toHaveLength(1)
  expect(all.filter(({ refusal }) => refusal === 'not_found')).toHaveLength(2)
  expect(await emailsTo(people, owner.email)).toHaveLength(1)
})

test('a lapsed request cannot be decided', async () => {
  await people.run(sql`
    update auth.grants set lapses_at = lapses_at - interval '30 days' where id = ${id}`)
  expect((await decide(['cases:read'])).refusal).toBe('not_found')
  expect(await grants()).toMatchObject([{ status: 'lapsed' }])
})
