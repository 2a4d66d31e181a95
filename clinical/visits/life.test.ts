// How a sandbox's visits and charges end: by a reset at one moment, and after thirty days.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { charged } from '../testing/invoices.ts'
import { must } from '../testing/call.ts'
import { type Cast, openCast } from '../testing/fixtures.ts'
import { purge } from '../sandbox/purge.ts'
import { owned, refused } from '../testing/assertions.ts'
import { bookedVisit, freeStarts, patientIn } from '../testing/visits.ts'

let cast: Cast
beforeAll(async () => {
  cast = await openCast()
})
afterAll(() => cast.close())

const counted = async () => {
  const [row] = await owned<{ visits: number; charges: number }>(
    cast,
    sql`select (select count(*)::int from test.visits) as visits,
               (select count(*)::int from test.charges) as charges`,
  )
  return row
}

test('a reset counts visits and charges, frees every start at once, and leaves nothing', async () => {
  const { id, state, starts_at } = await bookedVisit(cast)
  await must(cast, 'startVisit', { id })
  await must(cast, 'completeVisit', { id })
  const held = await bookedVisit(cast)
  // Two patients, two visits, one charge.
  expect(await must(cast, 'resetSandbox')).toEqual({ reset: true, resources_deleted: 5 })
  for (const visit of [id, held.id]) await refused(cast, 'getVisit', 'not_found', { id: visit })
  expect(await freeStarts(cast, held.state)).toContain(held.starts_at)
  const patient = await patientIn(cast, state)
  await must(cast, 'bookVisit', { body: { patient, starts_at } })
  while ((await purge(cast.hands)) > 0);
  expect(await counted()).toEqual({ visits: 1, charges: 0 })
})

test('after thirty days a visit is hidden at once, and it and old charges are removed', async () => {
  const visit = await bookedVisit(cast)
  const { id } = visit
  await charged(cast, { who: cast.ada, mode: 'test' }, { at: '2026-01-01' })
  const young = await counted()
  await owned(
    cast,
    sql`update test.visits set created_at = now() - interval '30 days' where id = ${id}`,
  )
  await refused(cast, 'getVisit', 'not_found', { id })
  while ((await purge(cast.hands)) > 0);
  const { visits = 0, charges = 0 } = young ?? {}
  expect(await counted()).toEqual({ visits: visits - 1, charges: charges - 1 })
  // Its patient is younger and may be seen at that time.
  const body = { patient: visit.patient, starts_at: visit.starts_at }
  await must(cast, 'bookVisit', { body })
})
