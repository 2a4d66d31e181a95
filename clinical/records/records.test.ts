// Accounting of disclosures, and legal holds.

import { beforeAll, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { localDay } from '#http/html/zone.tsx'
import { queryAsOwner, unknownId } from '../testing/assertions.ts'
import { queuedCase } from '../testing/call.ts'
import { consoleBodies } from '../testing/console-calls.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { type StaffMember, useConsole } from '../testing/staff.ts'

const fixtures = useFixtures()
const staff = useConsole(fixtures)

let records: StaffMember
let id: string
beforeAll(async () => {
  records = await staff.hire(['records'])
  id = (await queuedCase(fixtures, fixtures.ada.live)).patient
})

const { addDisclosure: entry } = consoleBodies

test('disclosures: an entry says what, to whom, when, why and by whom, and is listed by day', async () => {
  const later = await staff.ok('addDisclosure', { as: records, id, body: entry })
  expect(later).toEqual({
    id: later.id,
    ...entry,
    recipient_address: null,
    corrects: null,
    by: { person: records.person, name: records.name },
    created_at: later.created_at,
  })
  expect(later.id).toStartWith('dsc_')
  const body = {
    ...entry,
    disclosed_on: '2025-12-31',
    recipient_address: '1 Main St, Albany',
    corrects: later.id,
  }
  const earlier = await staff.ok('addDisclosure', { as: records, id, body })
  const { data } = await staff.ok('listDisclosures', { as: records, id })
  expect(data).toEqual([earlier, later])
})

test('disclosures: the same key creates one entry, and returns the first response', async () => {
  const { patient } = await queuedCase(fixtures, fixtures.ada.live)
  const call = { as: records, id: patient, body: entry, key: 'once' }
  const first = await staff.ok('addDisclosure', call)
  expect(await staff.ok('addDisclosure', call)).toEqual(first)
  const { data } = await staff.ok('listDisclosures', { as: records, id: patient })
  expect(data).toEqual([first])
})

test('disclosures: a future day and another patient’s entry are refused together', async () => {
  const other = await queuedCase(fixtures, fixtures.ada.live)
  const foreign = await staff.ok('addDisclosure', { as: records, id: other.patient, body: entry })
  const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString()
  const body = { ...entry, disclosed_on: days(1).slice(0, 10), corrects: foreign.id }
  const { status, body: problem } = await staff.call('addDisclosure', { as: records, id, body })
  expect(status).toBe(400)
  expect(problem.errors.map((one: { pointer: string }) => one.pointer)).toEqual([
    '#/disclosed_on',
    '#/corrects',
  ])
})

// At any time, the day in at least one of these zones isn't the day in UTC.
test.each(['Pacific/Pago_Pago', 'Pacific/Kiritimati'])(
  'disclosures: today is the last day, in the clinic’s zone, %s',
  async zone => {
    await queryAsOwner(
      fixtures,
      sql`insert into auth.clinic_settings (organization, time_zone)
          values (${records.organization}, ${zone})
              on conflict (organization) do update set time_zone = excluded.time_zone`,
    )
    const today = localDay(Date.now(), zone)
    const statuses = []
    for (const day of [today, today.add({ days: 1 })]) {
      const body = { ...entry, disclosed_on: day.toString() }
      statuses.push((await staff.call('addDisclosure', { as: records, id, body })).status)
    }
    expect(statuses).toEqual([200, 400])
  },
)

test('holds: each is placed and lifted with a reason, and keeps both', async () => {
  const first = await staff.ok('placeHold', { as: records, id, body: { reason: 'A lawsuit.' } })
  const second = await staff.ok('placeHold', { as: records, id, body: { reason: 'An audit.' } })
  expect(first).toMatchObject({ reason: 'A lawsuit.', lifted: null, by: { name: records.name } })
  const body = { hold: first.id, reason: 'It was settled.' }
  const lifted = await staff.ok('liftHold', { as: records, id, body })
  expect(lifted).toMatchObject({
    id: first.id,
    reason: 'A lawsuit.',
    lifted: { reason: 'It was settled.', by: { person: records.person } },
  })
  const { data } = await staff.ok('listHolds', { as: records, id })
  expect(data).toEqual([lifted, second])
})

test('holds: a lifted hold can’t be lifted again, and another patient’s hold isn’t found', async () => {
  const { id: hold } = await staff.ok('placeHold', { as: records, id, body: { reason: 'One.' } })
  const body = { hold, reason: 'It ended.' }
  const outcomes = await Promise.all(
    [1, 2, 3].map(() => staff.call('liftHold', { as: records, id, body })),
  )
  expect(outcomes.map(({ code }) => code ?? 'lifted').toSorted()).toEqual([
    'lifted',
    'version_changed',
    'version_changed',
  ])
  const { patient } = await queuedCase(fixtures, fixtures.ada.live)
  for (const call of [
    { id: patient, body },
    { id, body: { ...body, hold: unknownId('hold') } },
    { id: unknownId('pat'), body },
  ]) {
    expect((await staff.call('liftHold', { as: records, ...call })).code).toBe('not_found')
  }
})
