// Tests who may call which console operations, by role, second factor, license and session.

import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { newId } from '#auth/ids.ts'
import { type ConsoleId, consoleOperations } from '#contract/console/operations.ts'
import { type StaffRole, staffRoles } from '#contract/console/row.ts'
import { isWrite, pathNames } from '#contract/operation.ts'
import type { ProblemCode } from '#contract/problems.ts'
import { sql, type Statement } from '#database/sql.ts'
import { queryAsOwner, unknownId } from '../testing/assertions.ts'
import { invokeOk, queuedCase, rivera } from '../testing/call.ts'
import { bookedLiveVisit } from '../testing/clinicians.ts'
import { bulkExported, endBulkExports } from '../testing/exports.ts'
import { attachFile, scanAll } from '../testing/files.ts'
import { useFixtures } from '../testing/fixtures.ts'
import {
  bodyOf,
  emergencyReads,
  queryOf,
  roleColumns,
  roleLines,
  versionIn,
} from '../testing/console-calls.ts'
import { signedNote } from '../testing/notes.ts'
import { intercepted, type StaffMember, useConsole } from '../testing/staff.ts'

const fixtures = useFixtures()
/** Runs once, after the caller is looked up and before the call's own statement. */
let meanwhile: (() => Promise<unknown>) | null = null
const staff = useConsole(fixtures, pool =>
  intercepted(pool, async statement => {
    const act = statement.text.includes('auth.staff_stands') ? meanwhile : null
    if (act) meanwhile = null
    await act?.()
    return statement
  }),
)
const { state } = rivera.address
const operationIds = Object.keys(consoleOperations) as ConsoleId[]
const version = '2026-01-01T00:00:00.000Z'
const aDay = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }
/** A legal hold that doesn't exist. */
const hold = unknownId('hold')
const signatures =
  'approveCase declineCase requestRemoval confirmRemoval exportRecord startBulkExport downloadBulkFile addDisclosure placeHold liftHold signCaseNote signVisitNote addAddendum'

/** The problem that even a permitted caller gets, because the version that these calls send never
 *  matches the row, and the visit belongs to another clinician. */
const beyond = (operation: ConsoleId): ProblemCode | null => {
  if (operation === 'downloadFile') return 'file_not_shown' // Its page can be rendered.
  if (operation === 'liftHold' || operation === 'joinClinicVisit') return 'not_found'
  const isVersioned = Object.hasOwn(versionIn(operation, version), 'version')
  return isWrite(consoleOperations[operation]) && isVersioned ? 'version_changed' : null
}

let waiting: string
let ids: Record<string, string>
const members = {} as Record<StaffRole, StaffMember>
beforeAll(async () => {
  const as = fixtures.ada.live
  const found = await queuedCase(fixtures, as)
  waiting = found.id
  const doctor = await staff.hire(['clinician'], { states: [state] })
  const approved = await queuedCase(fixtures, as)
  const { updated_at } = await invokeOk(fixtures, 'getCase', { as, id: approved.id })
  const body = { version: updated_at }
  const { order_ids } = await staff.ok('approveCase', { as: doctor, id: approved.id, body })
  const visit = await bookedLiveVisit(fixtures, { as, patient: found.patient, state })
  const file = await attachFile(fixtures, { as, case: waiting })
  await scanAll(fixtures)
  const by = await staff.hire(['records'])
  const exported = (id: string) => bulkExported(fixtures, staff, { as: by, id })
  const { exports } = (await exported(fixtures.ben.integration)).ids
  ids = {
    ...(await exported(fixtures.ada.integration)).ids,
    exports, // to delete
    cases: waiting,
    files: file.id,
    orders: order_ids[0],
    patients: found.patient,
    visits: visit.id,
    notes: await signedNote(fixtures, found),
  }
  for (const role of staffRoles) members[role] = await staff.hire([role])
})

afterEach(() => endBulkExports(fixtures))

/** Builds a call to the operation for an existing row of its kind. */
function callOf(operation: ConsoleId) {
  const row = consoleOperations[operation]
  const id = pathNames(row.path).length > 0 ? ids[row.path.split('/')[2] ?? ''] : undefined
  return {
    ...(id === undefined ? {} : { id }),
    ...(isWrite(row)
      ? {
          body: {
            ...versionIn(operation, version),
            ...bodyOf(operation),
            ...(operation === 'liftHold' && { hold }),
            ...(operation === 'moveClinicVisit' && { starts_at: '2040-01-01T10:00:00.000Z' }),
          },
        }
      : {}),
    ...queryOf(operation, aDay),
  }
}

test('roles: the matrix has every operation and every role', () => {
  expect(roleLines.map(([operation]) => operation)).toEqual(operationIds)
  expect(roleColumns).toEqual([...staffRoles])
})

describe.each(roleLines)('%s', (operation, cells) => {
  test.each(roleColumns.map((role, at) => [role as StaffRole, cells[at]] as const))(
    'as %s: %s',
    async (role, cell) => {
      const result = await staff.call(operation, { as: members[role], ...callOf(operation) })
      if (cell === '✓') return expect(result.code).toBe(beyond(operation))
      expect([result.status, result.code]).toEqual([403, 'role_required'])
      expect(result.body.members).toEqual({
        required_roles: consoleOperations[operation].roles,
      })
    },
  )
})

describe('emergency access: allows reads, but no changes, removals or exports', () => {
  let reader: StaffMember
  beforeAll(async () => {
    reader = await staff.hire(['admin'])
    await queryAsOwner(
      fixtures,
      sql`insert into auth.emergency_accesses (id, organization, person, reason, ends_at)
          values (${newId('emergency')}, ${reader.organization}, ${reader.person},
                  'No clinician is here.', now() + interval '1 hour')`,
    )
  })
  test.each(operationIds)('%s', async operation => {
    const { code } = await staff.call(operation, { as: reader, ...callOf(operation) })
    expect(code).toBe(emergencyReads.includes(operation) ? null : 'role_required')
  })
})

test('a recovered account has no access in any role until it’s confirmed', async () => {
  const as = await staff.hire(staffRoles)
  const recovered = sql`update auth.staff set recovered_at = now() where person = ${as.person}`
  await queryAsOwner(fixtures, recovered)
  for (const operation of operationIds) {
    const { code } = await staff.call(operation, { as, ...callOf(operation) })
    expect([operation, code]).toEqual([operation, 'role_required'])
  }
})

test('a person with two roles has the permissions of both', async () => {
  const as = await staff.hire(['nurse', 'pharmacy'])
  for (const operation of ['readChart', 'shipOrder'] as const) {
    const { code } = await staff.call(operation, { as, ...callOf(operation) })
    expect(code).toBe(beyond(operation))
  }
})

describe('second factor', () => {
  test.each(operationIds)('%s: refused without one', async operation => {
    const as = await staff.hire([...staffRoles], { factorMinutes: null })
    const result = await staff.call(operation, { as, ...callOf(operation) })
    expect([result.status, result.code]).toEqual([403, 'factor_required'])
  })

  test('only signing requires one from the last fifteen minutes', async () => {
    const of = (factorMinutes: number) =>
      staff.hire(['clinician', 'pharmacy', 'records', 'admin'], { states: [state], factorMinutes })
    const [fresh, stale] = [await of(14), await of(16)]
    const needing: string[] = []
    for (const operation of operationIds) {
      const call = callOf(operation)
      expect((await staff.call(operation, { as: fresh, ...call })).code).toBe(beyond(operation))
      const { code } = await staff.call(operation, { as: stale, ...call })
      if (code === 'factor_required') needing.push(operation)
    }
    expect(needing.join(' ')).toBe(signatures)
  })
})

describe('license', () => {
  const decide = async (as: StaffMember, operation: 'approveCase' | 'declineCase') => {
    const { id } = await queuedCase(fixtures, fixtures.ada.live)
    const found = await invokeOk(fixtures, 'getCase', { as: fixtures.ada.live, id })
    const body = { ...bodyOf(operation), version: found.updated_at }
    const { code } = await staff.call(operation, { as, id, body })
    const { status } = await invokeOk(fixtures, 'getCase', { as: fixtures.ada.live, id })
    return [code, status]
  }

  test('a clinician without one in the patient’s state may ask questions but not decide', async () => {
    const as = await staff.hire(['clinician'], { states: ['AK'] })
    expect(await decide(as, 'approveCase')).toEqual(['license_required', 'queued'])
    expect(await decide(as, 'declineCase')).toEqual(['license_required', 'queued'])
    const asked = await staff.call('askQuestion', { as, ...callOf('askQuestion') })
    expect(asked.code).toBe('version_changed')
  })

  test('a license is valid on its last day, but not the day after', async () => {
    const as = await staff.hire(['clinician'], { states: [state] })
    expect(await decide(as, 'approveCase')).toEqual([null, 'approved'])
    await queryAsOwner(
      fixtures,
      sql`update auth.licenses set expires_on = expires_on - 2 where person = ${as.person}`,
    )
    expect(await decide(as, 'approveCase')).toEqual(['license_required', 'queued'])
  })

  test('a clinician’s queue shows only states they’re licensed in, unless they choose all', async () => {
    const here = await staff.hire(['clinician'], { states: [state] })
    const elsewhere = await staff.hire(['clinician'], { states: ['AK'] })
    const queueOf = async (as: StaffMember, query: Record<string, string> = {}) =>
      (await staff.ok('listQueue', { as, query: { limit: '100', ...query } })).data.map(
        (one: { id: string }) => one.id,
      )
    expect(await queueOf(here)).toContain(waiting)
    expect(await queueOf(elsewhere)).toEqual([])
    expect(await queueOf(elsewhere, { show: 'all' })).toEqual(await queueOf(here))
    expect(await queueOf(members.nurse)).toEqual(await queueOf(here))
    const filed = await invokeOk(fixtures, 'getCase', { as: fixtures.ada.live, id: waiting })
    const until = { created_before: filed.created_at }
    expect(await queueOf(members.nurse, until)).not.toContain(waiting)
    expect(await queueOf(here)).toEqual((await queueOf(here)).toSorted())
  })
})

describe('session', () => {
  const change = async (as: StaffMember, statement: (person: string) => Statement) =>
    queryAsOwner(fixtures, statement(as.person))
  const credential = (changes: Statement) => (person: string) =>
    sql`update auth.credentials set ${changes} where person = ${person}`
  const unused = sql`created_at = now() - interval '1 hour',
                     last_used_at = now() - interval '15 minutes 1 ms'`
  const ends = [
    ['revoked', credential(sql`revoked_at = now()`)],
    ['expired', credential(sql`expires_at = now() - interval '1 ms'`)],
    ['unused for fifteen minutes', credential(unused)],
    ['of the portal', credential(sql`origin = 'portal'`)],
    ['of a disabled person', p => sql`update auth.persons set disabled_at = now() where id = ${p}`],
    ['of someone who left', p => sql`update auth.staff set removed_at = now() where person = ${p}`],
  ] as const satisfies [string, (person: string) => Statement][]

  test.each(ends)('%s: 401, and nothing is read', async (_name, statement) => {
    const as = await staff.hire(['nurse'])
    expect((await staff.call('readChart', { as, id: waiting })).status).toBe(200)
    await change(as, statement)
    const result = await staff.call('readChart', { as, id: waiting })
    expect([result.status, result.code]).toEqual([401, 'unauthorized'])
  })

  test('unknown, missing, or for another organization: 401', async () => {
    const as = members.nurse
    for (const options of [
      { as: 'unknown' },
      { as: '' },
      { as, organization: fixtures.ada.organization },
      { as, organization: unknownId('org') },
      { as, organization: 'x' },
    ]) {
      expect((await staff.call('readChart', { id: waiting, ...options })).code).toBe('unauthorized')
    }
  })

  test('a license that expires during a call still counts for that call', async () => {
    const as = await staff.hire(['clinician'], { states: [state] })
    const { id } = await queuedCase(fixtures, fixtures.ada.live)
    const { updated_at } = await invokeOk(fixtures, 'getCase', { as: fixtures.ada.live, id })
    meanwhile = () => change(as, p => sql`delete from auth.licenses where person = ${p}`)
    const body = { version: updated_at }
    expect((await staff.call('approveCase', { as, id, body })).code).toBe('license_required')
    expect(meanwhile).toBeNull()
    const found = await invokeOk(fixtures, 'getCase', { as: fixtures.ada.live, id })
    expect(found.status).toBe('queued')
  })

  test('removing a role applies to the next call', async () => {
    const as = await staff.hire(['nurse'])
    expect((await staff.call('readChart', { as, id: waiting })).code).toBe(null)
    await change(as, p => sql`update auth.staff set roles = '{auditor}' where person = ${p}`)
    expect((await staff.call('readChart', { as, id: waiting })).code).toBe('role_required')
  })
})

test('an unknown or malformed ID: 404 after the role check', async () => {
  for (const operation of operationIds) {
    if (pathNames(consoleOperations[operation].path).length === 0) continue
    const kind = ids[consoleOperations[operation].path.split('/')[2] ?? '']?.split('_')[0] ?? ''
    const roles = consoleOperations[operation].roles
    const as = members[roles[0] ?? 'admin']
    for (const id of [unknownId(kind), unknownId('msg'), `${kind}_1`]) {
      const { code } = await staff.call(operation, { as, ...callOf(operation), id })
      expect([operation, id, code]).toEqual([operation, id, 'not_found'])
    }
  }
})
