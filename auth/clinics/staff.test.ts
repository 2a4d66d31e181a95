// Tests who can change a clinic's staff, with the account pages' database role.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { StaffRole } from '#contract/console/row.ts'
import type { Connection } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { acceptInvitation } from '../accounts/members.ts'
import { findInvitation, joinByInvitation } from '../accounts/sign-ups.ts'
import { actFor, auditOf, hire, openClinic } from '../testing/clinic.ts'
import { emailsTo } from '../testing/emails.ts'
import { openPeople, type TestPeople, type TestPerson } from '../testing/people.ts'
import {
  cancelStaffInvitation,
  changeStaff,
  deactivateStaff,
  inviteStaff,
  listStaff,
  listStaffInvitations,
  removeLicense,
  setLicense,
} from './staff.ts'

let people: TestPeople
beforeAll(async () => void (people = await openPeople()))
afterAll(() => people.close())

let clinic: string
let admin: TestPerson
let nurse: TestPerson
beforeEach(async () => {
  clinic = await openClinic(people)
  ;[admin, nurse] = [await hire(people, clinic, ['admin']), await hire(people, clinic, ['nurse'])]
})

const use = <T>(work: (connection: Connection) => Promise<T>) => people.pool.use(work)
const act = (by: TestPerson | null = admin) => actFor(clinic, by)
type Acting = ReturnType<typeof act>
const staff = () => use(connection => listStaff(connection, clinic))
async function member({ id }: TestPerson) {
  const found = (await staff()).find(({ person }) => person === id)
  if (found === undefined) throw new Error('no such staff member')
  return found
}
const invite = (email: string, roles: readonly StaffRole[], by = act()) =>
  use(connection => inviteStaff(connection, { email, roles }, by))

async function change(
  person: TestPerson,
  { roles, name = 'Ada', by = act() }: { roles: StaffRole[]; name?: string; by?: Acting },
) {
  const { revision } = await member(person)
  const asked = { person: person.id, revision, name, roles }
  return use(connection => changeStaff(connection, asked, by))
}
async function deactivate(person: TestPerson, by = act()) {
  const { revision } = await member(person)
  return use(connection => deactivateStaff(connection, { person: person.id, revision }, by))
}
async function license(person: TestPerson, more = {}, by = act()) {
  const { revision } = await member(person)
  const given = { state: 'CA', number: 'A 123', expires_on: '2099-12-31', ...more }
  return use(connection => setLicense(connection, { person: person.id, revision, ...given }, by))
}

describe('an invitation to the staff', () => {
  test('is emailed, can be accepted once by the invited person, and grants every listed role', async () => {
    const ben = await people.addPerson(false)
    const asked = act()
    const { refusal, id } = await invite(ben.email, ['clinician', 'records'], asked)
    expect(refusal).toBeNull()
    const sent: unknown[] = await emailsTo(people, ben.email)
    const facts = {
      email: ben.email,
      invitation: id,
      roles: ['clinician', 'records'],
      organization: 'River Clinic',
      by: 'Ada',
    }
    expect(sent).toEqual([{ kind: 'staff_invitation', facts }])
    expect(await findInvitation(people.pool, id)).toMatchObject({
      to: 'clinic',
      name: 'River Clinic',
      roles: ['clinician', 'records'],
      has_account: true,
    })
    const accept = (by: TestPerson) =>
      use(connection => acceptInvitation(connection, id, { ...asked, person: by.id }))
    expect((await accept(nurse)).refusal).toBe('other_address')
    expect((await accept(ben)).refusal).toBeNull()
    expect((await accept(ben)).refusal).toBe('not_found')
    expect(await member(ben)).toMatchObject({ roles: ['clinician', 'records'], removed_at: null })
    expect(await use(connection => listStaffInvitations(connection, clinic))).toEqual([])
    expect(await auditOf(people, asked)).toMatchObject([
      { action: 'inviteStaff', organization: clinic, person: admin.id, mode: 'live' },
      { action: 'acceptInvitation', organization: clinic, person: nurse.id, code: 'other_address' },
      { action: 'acceptInvitation', organization: clinic, person: ben.id, outcome: 'ok' },
      { action: 'acceptInvitation', outcome: 'refused', code: 'not_found' },
    ])
  })

  test('creates an account for a person who has none', async () => {
    const { id } = await invite('new@example.com', ['nurse'])
    const given = { id, name: 'Noor', password: 'a long password' }
    const own = { surface: 'oauth', request: 'req_join', address: null, agent: null } as const
    const person = await joinByInvitation(people.pool, given, own)
    expect(await staff()).toContainEqual(
      expect.objectContaining({ person, name: 'Noor', email: 'new@example.com', roles: ['nurse'] }),
    )
    const again = { ...given, name: 'Other' }
    expect(await joinByInvitation(people.pool, again, own)).toBeNull()
  })

  test('reactivates a deactivated person, with the new roles', async () => {
    expect((await deactivate(nurse)).refusal).toBeNull()
    const { id } = await invite(nurse.email, ['pharmacy'])
    const by = { ...act(), person: nurse.id }
    expect((await use(connection => acceptInvitation(connection, id, by))).refusal).toBeNull()
    expect(await member(nurse)).toMatchObject({ roles: ['pharmacy'], removed_at: null })
  })

  test('replaces an open one to the same address, and can be withdrawn', async () => {
    const first = await invite('eve@example.com', ['nurse'])
    const second = await invite('EVE@example.com', ['auditor'])
    const open = await use(connection => listStaffInvitations(connection, clinic))
    expect(open.map(({ id, roles }) => [id, roles])).toEqual([[second.id, ['auditor']]])
    const cancel = (id: string) => use(connection => cancelStaffInvitation(connection, id, act()))
    expect((await cancel(first.id)).refusal).toBe('not_found')
    expect((await cancel(second.id)).refusal).toBeNull()
    expect(await findInvitation(people.pool, second.id)).toBeNull()
  })

  test('is refused for current staff, and is sent once per form', async () => {
    expect((await invite(nurse.email, ['nurse'])).refusal).toBe('already_staff')
    const once = { ...act(), once: `form ${clinic}` }
    expect((await invite('eve@example.com', ['nurse'], once)).refusal).toBeNull()
    expect((await invite('eve@example.com', ['nurse'], once)).refusal).toBe('already_sent')
  })

  test('is not valid for a closed clinic', async () => {
    const { id } = await invite(nurse.email.replace('person', 'other'), ['nurse'])
    await people.run(sql`update auth.organizations set status = 'closed' where id = ${clinic}`)
    expect(await findInvitation(people.pool, id)).toBeNull()
    expect((await invite('eve@example.com', ['nurse'])).refusal).toBe('unknown_organization')
  })
})

describe('who can change staff', () => {
  const changes: [string, (by: Acting) => Promise<{ refusal: string | null }>][] = [
    ['invite', by => invite('eve@example.com', ['nurse'], by)],
    ['cancel an invitation', by => use(c => cancelStaffInvitation(c, 'invt_none', by))],
    ['change roles', by => change(nurse, { roles: ['auditor'], by })],
    ['deactivate', by => deactivate(nurse, by)],
    ['record a license', by => license(nurse, {}, by)],
    [
      'remove a license',
      by => use(c => removeLicense(c, { person: nurse.id, revision: '0', state: 'CA' }, by)),
    ],
  ]
  test.each(changes)(
    '%s: no other role, no other clinic, nobody who left',
    async (_name, change) => {
      const others = await Promise.all(
        (['clinician', 'nurse', 'pharmacy', 'records', 'auditor'] as const).map(role =>
          hire(people, clinic, [role]),
        ),
      )
      for (const by of others) {
        const asked = act(by)
        expect((await change(asked)).refusal).toBe('admin_required')
        expect(await auditOf(people, asked)).toMatchObject([
          { organization: clinic, person: by.id, outcome: 'refused', code: 'admin_required' },
        ])
      }
      const elsewhere = await hire(people, await openClinic(people), ['admin'])
      expect((await change(act(elsewhere))).refusal).toBe('unknown_organization')
      const second = await hire(people, clinic, ['admin'])
      await people.run(sql`
      update auth.staff set removed_at = now() where person = ${second.id}`)
      expect((await change(act(second))).refusal).toBe('unknown_organization')
      expect(await member(nurse)).toMatchObject({
        roles: ['nurse'],
        removed_at: null,
        licenses: [],
      })
    },
  )

  test('the operator can, and the audit row has no person', async () => {
    const asked = act(null)
    expect((await invite('eve@example.com', ['admin'], asked)).refusal).toBeNull()
    expect(await auditOf(people, asked)).toMatchObject([{ person: null, organization: clinic }])
  })
})

describe('roles', () => {
  test('several roles are assigned, and the name patients see is changed', async () => {
    const roles: StaffRole[] = ['nurse', 'pharmacy']
    expect((await change(nurse, { roles, name: 'Noor Haddad, RN' })).refusal).toBeNull()
    expect(await member(nurse)).toMatchObject({ roles, name: 'Noor Haddad, RN' })
  })

  test('a form with an older version changes nothing', async () => {
    const { revision } = await member(nurse)
    await change(nurse, { roles: ['records'] })
    const stale = { person: nurse.id, revision, name: 'Ada', roles: ['admin'] as StaffRole[] }
    const { refusal } = await use(connection => changeStaff(connection, stale, act()))
    expect(refusal).toBe('version_changed')
    expect(await member(nurse)).toMatchObject({ roles: ['records'] })
  })

  test('administrators cannot give themselves roles, but another one can', async () => {
    expect((await change(admin, { roles: ['admin', 'records'] })).refusal).toBe('own_roles')
    const second = await hire(people, clinic, ['admin'])
    const by = act(second)
    expect((await change(admin, { roles: ['admin', 'records'], by })).refusal).toBeNull()
    expect((await change(admin, { roles: ['records'] })).refusal).toBeNull()
  })
})

describe('licenses', () => {
  test('a license replaces the previous one for its state, and an expired one does not count', async () => {
    expect((await license(nurse)).refusal).toBeNull()
    expect((await license(nurse, { number: 'B 7', expires_on: '2020-01-01' })).refusal).toBeNull()
    expect((await license(nurse, { state: 'NY' })).refusal).toBeNull()
    expect((await member(nurse)).licenses).toEqual([
      { state: 'CA', number: 'B 7', expires_on: '2020-01-01', is_valid: false },
      { state: 'NY', number: 'A 123', expires_on: '2099-12-31', is_valid: true },
    ])
  })

  test('administrators can’t record their own', async () => {
    expect((await license(admin)).refusal).toBe('own_license')
    expect((await member(admin)).licenses).toEqual([])
  })

  test('changing one creates a new version of the staff member', async () => {
    const before = await member(nurse)
    await license(nurse)
    const stale = { person: nurse.id, revision: before.revision, state: 'CA' }
    const remove = (name: typeof stale) => use(connection => removeLicense(connection, name, act()))
    expect((await remove(stale)).refusal).toBe('version_changed')
    const { revision } = await member(nurse)
    expect((await remove({ ...stale, revision })).refusal).toBeNull()
    expect((await member(nurse)).licenses).toEqual([])
  })
})
