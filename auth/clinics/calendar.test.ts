// Tests who can change a clinician's hours, with the account pages' database role.

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { Connection } from '#database/pool.ts'
import { actFor, auditOf, hire, openClinic } from '../testing/clinic.ts'
import { openPeople, type TestPeople, type TestPerson } from '../testing/people.ts'
import {
  addCalendarException,
  addWorkingHours,
  listCalendarExceptions,
  listWorkingHours,
  removeFromCalendar,
} from './calendar.ts'

let people: TestPeople
beforeAll(async () => void (people = await openPeople()))
afterAll(() => people.close())

let clinic: string
let admin: TestPerson
let nurse: TestPerson
let clinician: TestPerson
let other: TestPerson
beforeEach(async () => {
  clinic = await openClinic(people)
  admin = await hire(people, clinic, ['admin'])
  nurse = await hire(people, clinic, ['nurse'])
  clinician = await hire(people, clinic, ['clinician'])
  other = await hire(people, clinic, ['clinician'])
})

const use = <T>(work: (connection: Connection) => Promise<T>) => people.pool.use(work)
const hours = {
  weekday: 1,
  starts_at: '09:00',
  ends_at: '17:00',
  time_zone: 'America/New_York',
  valid_from: '2027-01-04',
  valid_to: null,
}
const add = async (by: TestPerson, whose: TestPerson) =>
  (await use(connection => addWorkingHours(connection, whose.id, hours, actFor(clinic, by))))
    .refusal
const listed = () => use(connection => listWorkingHours(connection, clinic))

test('administrators can change every clinician’s hours, and clinicians their own', async () => {
  expect(await add(admin, clinician)).toBe(null)
  expect(await add(clinician, clinician)).toBe(null)
  expect(await add(other, clinician)).toBe('admin_required')
  expect(await add(nurse, clinician)).toBe('admin_required')
  expect(await add(admin, nurse)).toBe('not_found')
  expect(await add(nurse, nurse)).toBe('not_found')
  const [first] = await listed()
  expect(first).toEqual({ ...hours, id: expect.stringMatching(/^cal_/), person: clinician.id })
  const remove = async (by: TestPerson) =>
    (await use(connection => removeFromCalendar(connection, first?.id ?? '', actFor(clinic, by))))
      .refusal
  expect(await remove(other)).toBe('admin_required')
  expect(await remove(clinician)).toBe(null)
  expect(await remove(clinician)).toBe('admin_required')
  expect(await listed()).toHaveLength(1)
})

test('another clinic can’t see or change the calendar', async () => {
  await add(admin, clinician)
  const [row] = await listed()
  const elsewhere = await openClinic(people)
  const outsider = await hire(people, elsewhere, ['admin'])
  for (const organization of [clinic, elsewhere]) {
    const { refusal } = await use(connection =>
      removeFromCalendar(connection, row?.id ?? '', actFor(organization, outsider)),
    )
    expect(['unknown_organization', 'not_found']).toContain(refusal ?? 'done')
  }
  expect(await use(connection => listWorkingHours(connection, elsewhere))).toEqual([])
  expect(await listed()).toHaveLength(1)
})

test('time off is listed until it ends, and each change has its audit row', async () => {
  const act = actFor(clinic, clinician)
  const off = (starts_at: string, ends_at: string) =>
    use(connection =>
      addCalendarException(connection, clinician.id, { kind: 'off', starts_at, ends_at }, act),
    )
  await off('2040-01-01T00:00:00.000Z', '2040-01-08T00:00:00.000Z')
  await off('2020-01-01T00:00:00.000Z', '2020-01-08T00:00:00.000Z')
  const rows = await use(connection => listCalendarExceptions(connection, clinic))
  expect(rows.map(({ starts_at: at }) => at)).toEqual(['2040-01-01T00:00:00.000Z'])
  const entry = {
    surface: 'console',
    action: 'addCalendarException',
    mode: 'live',
    organization: clinic,
    person: clinician.id,
    target: clinician.id,
    outcome: 'ok',
    code: null,
  }
  expect(await auditOf(people, act)).toEqual([entry, entry])
})
