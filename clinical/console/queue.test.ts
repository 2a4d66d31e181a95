// The queue's index covers only cases in a waiting status.

import { expect, test } from 'bun:test'
import { queueStatuses } from '#contract/console/cases.ts'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { useFixtures } from '../testing/fixtures.ts'

const fixtures = useFixtures()

test('queue: its index covers the statuses the queue lists', async () => {
  const [index] = await queryAsOwner<{ definition: string }>(
    fixtures,
    sql`select indexdef as definition from pg_indexes
         where schemaname = 'live' and indexname = 'cases_that_wait'`,
  )
  const held = [...(index?.definition ?? '').matchAll(/'(\w+)'::text/g)].map(([, one]) => one)
  expect(held.toSorted()).toEqual([...queueStatuses].toSorted())
  expect(index?.definition).toContain('(organization, id)')
})

test('queue: the console’s policies don’t compare rows with a list of tenants', async () => {
  const policies = await queryAsOwner<{ table: string; condition: string }>(
    fixtures,
    sql`select tablename::text as table, qual as condition from pg_policies
         where schemaname = 'live' and policyname = 'console'
           and tablename in ('cases', 'patients') order by 1`,
  )
  expect(policies.map(({ table }) => table)).toEqual(['cases', 'patients'])
  for (const { condition } of policies) {
    expect(condition).toContain('current_organization()')
    expect(condition).not.toContain('organization_tenants()')
  }
})
