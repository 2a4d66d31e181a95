import { expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { queryAsOwner } from '../testing/assertions.ts'

const fixtures = useFixtures()

test('audit background writer: a row that the database rejects does not block the others', async () => {
  const { auditWriter } = fixtures.context
  const auditContext = {
    surface: 'rest',
    action: 'getCase',
    target: null,
    address: null,
    agent: null,
  } as const
  const requests = Array.from({ length: 9 }, (_, at) => `req_waiting_${at}`)
  for (const [at, request] of requests.entries()) {
    auditWriter.recordRefusal(
      { ...auditContext, request, agent: at === 4 ? 'a\0b' : null },
      'unauthorized',
    )
  }
  await auditWriter.flush()
  const rows = await queryAsOwner<{ request: string }>(
    fixtures,
    sql`select request from audit.entries where request like 'req_waiting_%' order by seq`,
  )
  expect([...rows].map(row => row.request)).toEqual(requests.filter((_, at) => at !== 4))
  expect(fixtures.errors.splice(0)).toHaveLength(1)
})
