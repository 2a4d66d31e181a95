// Tests how a sandbox's visits and charges are removed: by a reset, and after thirty days.

import { expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { createCharge } from '../testing/invoices.ts'
import { invokeOk } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { purge } from '../sandbox/purge.ts'
import { queryAsOwner, expectRefused } from '../testing/assertions.ts'
import { bookedVisit, freeStarts, patientIn } from '../testing/visits.ts'

const fixtures = useFixtures()

const counted = async () => {
  const [row] = await queryAsOwner<{ visits: number; charges: number }>(
    fixtures,
    sql`select (select count(*)::int from test.visits) as visits,
               (select count(*)::int from test.charges) as charges`,
  )
  return row
}

test('resetSandbox: counts and removes visits and charges and frees their slots', async () => {
  const { id, state, starts_at } = await bookedVisit(fixtures)
  await invokeOk(fixtures, 'startVisit', { id })
  await invokeOk(fixtures, 'completeVisit', { id })
  const held = await bookedVisit(fixtures)
  // Two patients, two visits, one charge.
  expect(await invokeOk(fixtures, 'resetSandbox')).toEqual({ reset: true, resources_deleted: 5 })
  for (const visit of [id, held.id])
    await expectRefused(fixtures, 'getVisit', 'not_found', { id: visit })
  expect(await freeStarts(fixtures, held.state)).toContain(held.starts_at)
  const patient = await patientIn(fixtures, state)
  await invokeOk(fixtures, 'bookVisit', { body: { patient, starts_at } })
  while ((await purge(fixtures.workerContext)) > 0);
  expect(await counted()).toEqual({ visits: 1, charges: 0 })
})

test('sandbox: a visit is hidden after thirty days, and the purge removes it and old charges', async () => {
  const visit = await bookedVisit(fixtures)
  const { id } = visit
  await createCharge(fixtures, { who: fixtures.ada, mode: 'test' }, { at: '2026-01-01' })
  const young = await counted()
  await queryAsOwner(
    fixtures,
    sql`update test.visits set created_at = now() - interval '30 days 1 second' where id = ${id}`,
  )
  await expectRefused(fixtures, 'getVisit', 'not_found', { id })
  while ((await purge(fixtures.workerContext)) > 0);
  const { visits = 0, charges = 0 } = young ?? {}
  expect(await counted()).toEqual({ visits: visits - 1, charges: charges - 1 })
  // The patient is newer, and the slot is free again.
  const body = { patient: visit.patient, starts_at: visit.starts_at }
  await invokeOk(fixtures, 'bookVisit', { body })
})
