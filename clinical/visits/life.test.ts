// How a sandbox's visits and charges end: by a reset at one moment, and after thirty days.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { charged } from '../testing/invoices.ts'
import { must } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { purge } from '../sandbox/purge.ts'
import { queryAsOwner, refused } from '../testing/assertions.ts'
import { bookedVisit, freeStarts, patientIn } from '../testing/visits.ts'

let fixtures: Fixtures
beforeAll(async () => {
  fixtures = await openFixtures()
})
afterAll(() => fixtures.close())

const counted = async () => {
  const [row] = await queryAsOwner<{ visits: number; charges: number }>(
    fixtures,
    sql`select (select count(*)::int from test.visits) as visits,
               (select count(*)::int from test.charges) as charges`,
  )
  return row
}

test('a reset counts visits and charges, frees every start at once, and leaves nothing', async () => {
  const { id, state, starts_at } = await bookedVisit(fixtures)
  await must(fixtures, 'startVisit', { id })
  await must(fixtures, 'completeVisit', { id })
  const held = await bookedVisit(fixtures)
  // Two patients, two visits, one charge.
  expect(await must(fixtures, 'resetSandbox')).toEqual({ reset: true, resources_deleted: 5 })
  for (const visit of [id, held.id]) await refused(fixtures, 'getVisit', 'not_found', { id: visit })
  expect(await freeStarts(fixtures, held.state)).toContain(held.starts_at)
  const patient = await patientIn(fixtures, state)
  await must(fixtures, 'bookVisit', { body: { patient, starts_at } })
  while ((await purge(fixtures.workerContext)) > 0);
  expect(await counted()).toEqual({ visits: 1, charges: 0 })
})

test('after thirty days a visit is hidden at once, and it and old charges are removed', async () => {
  const visit = await bookedVisit(fixtures)
  const { id } = visit
  await charged(fixtures, { who: fixtures.ada, mode: 'test' }, { at: '2026-01-01' })
  const young = await counted()
  await queryAsOwner(
    fixtures,
    sql`update test.visits set created_at = now() - interval '30 days' where id = ${id}`,
  )
  await refused(fixtures, 'getVisit', 'not_found', { id })
  while ((await purge(fixtures.workerContext)) > 0);
  const { visits = 0, charges = 0 } = young ?? {}
  expect(await counted()).toEqual({ visits: visits - 1, charges: charges - 1 })
  // Its patient is younger and may be seen at that time.
  const body = { patient: visit.patient, starts_at: visit.starts_at }
  await must(fixtures, 'bookVisit', { body })
})
