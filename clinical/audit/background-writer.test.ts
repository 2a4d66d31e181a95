import { expect, test } from 'bun:test'
import { issueToken } from '#auth/testing/tokens.ts'
import { openPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { invoke, rivera } from '../testing/call.ts'
import { auditRowsOf } from '../testing/sweep.ts'
import { unauthenticated } from '#auth/audit.ts'
import { openBackgroundWriter, rowsMax } from './background-writer.ts'

const fixtures = useFixtures()
const audited = {
  surface: 'rest',
  action: 'getCase',
  target: null,
  address: null,
  agent: null,
} as const

const auditedRequests = async (prefix: string) => {
  const rows = await queryAsOwner<{ request: string }>(
    fixtures,
    sql`select request from audit.entries where request like ${`${prefix}%`} order by seq`,
  )
  return rows.map(row => row.request)
}

test('audit background writer: a row the database rejects doesn’t block the others', async () => {
  const { auditWriter } = fixtures.context
  const requests = Array.from({ length: 9 }, (_, at) => `req_waiting_${at}`)
  for (const [at, request] of requests.entries()) {
    auditWriter.recordRefusal(
      { ...audited, request, agent: at === 4 ? 'a\0b' : null },
      'unauthorized',
    )
  }
  await auditWriter.flush()
  expect(await auditedRequests('req_waiting_')).toEqual(requests.filter((_, at) => at !== 4))
  expect(fixtures.errors.splice(0)).toHaveLength(1)
})

test('audit background writer: rows wait while no connection is free, and are written in order', async () => {
  const url = fixtures.database.urls.test
  const pool = openPool({ url, size: 1, name: 'busy', waitSeconds: 0.05 })
  const failures: unknown[] = []
  const auditWriter = openBackgroundWriter(pool, Date.now, failure => void failures.push(failure))
  const held = Promise.withResolvers<void>()
  const busy = pool.use(() => held.promise)
  const requests = ['req_busy_0', 'req_busy_1', 'req_busy_2']
  for (const request of requests) {
    auditWriter.recordRefusal({ ...audited, request }, 'unauthorized')
  }
  await auditWriter.flush()
  expect(failures).toHaveLength(1)
  expect(await auditedRequests('req_busy_')).toEqual([])
  held.resolve()
  await busy
  await auditWriter.close()
  expect(await auditedRequests('req_busy_')).toEqual(requests)
  await pool.close()
})

test('audit background writer: unauthenticated calls can fill half of the queue, reads all of it', async () => {
  const url = fixtures.database.urls.test
  const pool = openPool({ url, size: 1, name: 'full', waitSeconds: 0.05 })
  const auditWriter = openBackgroundWriter(pool, Date.now, () => {})
  const held = Promise.withResolvers<void>()
  const busy = pool.use(() => held.promise)
  for (let at = 0; at < rowsMax; at++) {
    auditWriter.recordRefusal({ ...audited, request: `req_flood_${at}` }, 'unauthorized')
  }
  const read = { ...audited, request: 'req_full_read' }
  let accepted = 0
  while (auditWriter.recordRead(read, { ...unauthenticated, mode: 'test' }, '')) accepted++
  expect(accepted).toBe(rowsMax / 2)
  held.resolve()
  await busy
  await auditWriter.close()
  expect(await auditedRequests('req_full_')).toHaveLength(rowsMax / 2)
  expect(await auditedRequests('req_flood_')).toHaveLength(rowsMax / 2)
  await pool.close()
}, 60_000)

test('audit background writer: a failed call’s row names the token’s person and client', async () => {
  const { ada, context, owner } = fixtures
  const issued = await owner.use(connection =>
    issueToken(connection, context.pepper, { integration: ada.integration, kind: 'agent' }),
  )
  await queryAsOwner(fixtures, sql`alter table test.patients rename to elsewhere`)
  const { rows } = await auditRowsOf(fixtures, () =>
    invoke(fixtures, 'createPatient', { as: issued.token, body: rivera }),
  )
  await queryAsOwner(fixtures, sql`alter table test.elsewhere rename to patients`)
  const { id: actor, person, client } = issued
  expect(person).toBeString()
  expect(rows).toMatchObject([{ actor, person, client, outcome: 'error', status: 500 }])
  expect(fixtures.errors.splice(0)).toHaveLength(1)
})
