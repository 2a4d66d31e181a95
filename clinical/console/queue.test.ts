// The index of the queue, which holds the statuses that wait and no other case.

import { expect, test } from 'bun:test'
import { queueStatuses } from '#contract/console/cases.ts'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { useFixtures } from '../testing/fixtures.ts'

const fixtures = useFixtures()

test('queue: its index holds the statuses that the queue lists', async () => {
  const [index] = await queryAsOwner<{ definition: string }>(
    fixtures,
    sql`select indexdef as definition from pg_indexes
         where schemaname = 'live' and indexname = 'cases_that_wait'`,
  )
  const held = [...(index?.definition ?? '').matchAll(/'(\w+)'::text/g)].map(([, one]) => one)
  expect(held.toSorted()).toEqual([...queueStatuses].toSorted())
})
