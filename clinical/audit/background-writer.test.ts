import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { queryAsOwner } from '../testing/assertions.ts'

let fixtures: Fixtures
beforeAll(async () => {
  fixtures = await openFixtures()
})
afterAll(() => fixtures.close())

test('a row that the database will never take does not keep the others waiting', async () => {
  const { anonymous } = fixtures.context
  const asked = {
    surface: 'rest',
    action: 'getCase',
    target: null,
    address: null,
    agent: null,
  } as const
  const requests = Array.from({ length: 9 }, (_, at) => `req_waiting_${at}`)
  for (const [at, request] of requests.entries()) {
    anonymous.note({ ...asked, request, agent: at === 4 ? 'a\0b' : null }, 'unauthorized')
  }
  await anonymous.flush()
  const rows = await queryAsOwner<{ request: string }>(
    fixtures,
    sql`select request from audit.entries where request like 'req_waiting_%' order by seq`,
  )
  expect([...rows].map(row => row.request)).toEqual(requests.filter((_, at) => at !== 4))
  expect(fixtures.errors.splice(0)).toHaveLength(1)
})
