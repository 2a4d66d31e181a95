// A refusal's timing must not reveal whether an ID exists in another tenant. Times on a busy
// machine prove little, so the tests compare the work: for another tenant's ID and for a
// nonexistent ID, the same statements run and the database touches the same number of rows. With
// FAULT_ROUNDS, a thousand calls of each kind are also timed.
import { afterEach, beforeAll, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { type CallableId, callable } from '#contract/callable.ts'
import type { ConnectionPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { invoke, type CallOptions } from '../testing/call.ts'
import { type Fixtures, useFixtures } from '../testing/fixtures.ts'
import { validCalls } from '../testing/valid-calls.ts'
import { tenantOperations } from '../testing/sweep.ts'
import { queryAsOwner } from '../testing/assertions.ts'

const fixtures = useFixtures()
const callsOfBen = new Map<CallableId, CallOptions>()
beforeAll(async () => {
  for (const id of tenantOperations)
    callsOfBen.set(id, await validCalls[id](fixtures, fixtures.ben.test))
  // PostgreSQL scans small tables entirely, and every plan would touch all rows.
  await using owner = new SQL(fixtures.database.url, { max: 1 })
  const name = new URL(fixtures.database.url).pathname.slice(1)
  await owner.unsafe(`alter database ${name} set enable_seqscan = off`)
  await fixtures.reopen()
})
afterEach(() => expect(fixtures.errors.splice(0)).toEqual([]))

type PlanNode = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}
type StatementCost = { text: string; touched: unknown[] }

/** Returns each plan node's relation, its loops, and the rows it returned and removed. */
const touchedBy = (node: PlanNode): unknown[] => [
  [
    node['Node Type'],
    node['Relation Name'] ?? null,
    node['Actual Loops'],
    node['Actual Rows'],
    node['Rows Removed by Filter'] ?? 0,
    node['Rows Removed by Index Recheck'] ?? 0,
  ],
  ...(node.Plans ?? []).flatMap(touchedBy),
]

/** Returns the same fixtures, with a context that records each statement's plan. */
function recordingFixtures(costs: StatementCost[]): Fixtures {
  const recording = (pool: ConnectionPool): ConnectionPool => ({
    ...pool,
    use: work =>
      pool.use(connection =>
        work({
          async run(statement) {
            const { text } = statement
            // A key's use is recorded once a minute, by any call.
            if (!text.includes('set last_used_at')) {
              const [row] = await connection.run<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
                sql`explain (analyze, costs off, timing off, format json) ${statement}`,
              )
              const plan = row?.['QUERY PLAN'][0]?.Plan
              costs.push({ text, touched: plan ? touchedBy(plan) : [] })
            }
            return connection.run(statement)
          },
        }),
      ),
  })
  const { pools } = fixtures.context
  const context = {
    ...fixtures.context,
    pools: { test: recording(pools.test), live: recording(pools.live) },
  }
  return { ...fixtures, context }
}

/** Returns the code a call is refused with, and its statements. */
async function costOf(
  operation: CallableId,
  options: CallOptions,
): Promise<[string | null, StatementCost[]]> {
  const done: StatementCost[] = []
  const { code } = await invoke(recordingFixtures(done), operation, options)
  return [code, done]
}

test('another tenant’s ID costs as many statements and rows as an unknown ID, in every path', async () => {
  // Caches the credential: a key's first call runs a longer statement than later calls.
  await invoke(fixtures, 'getOrganization')
  let compared = 0
  for (const [operation, validCall] of callsOfBen) {
    const { id } = validCall
    if (id === undefined) continue
    const options = { ...validCall, as: fixtures.ada.test }
    // The ID has the same timestamp, because the request log is partitioned by it.
    const never = id.slice(0, -16) + '0'.repeat(16)
    const [code, hidden] = await costOf(operation, options)
    expect([operation, code, hidden.length > 1]).toEqual([operation, 'not_found', true])
    expect([operation, hidden]).toEqual([
      operation,
      (await costOf(operation, { ...options, id: never }))[1],
    ])
    compared++
  }
  expect(compared).toBe(tenantOperations.filter(id => callable[id].path.includes('{')).length)
})

test('an unknown, revoked, expired or suspended key costs the same single lookup', async () => {
  const { integration } = fixtures.ada
  const key = (more: object = {}) =>
    fixtures.key({ integration, mode: 'test', name: 'some', ...more })
  const away = 'int_01m7wqrwr07q7txy3ntfjc6jem'
  await queryAsOwner(
    fixtures,
    sql`insert into auth.integrations (id, name, suspended_at) values (${away}, 'Away', now())`,
  )
  const bad = {
    unknown: await key({ name: 'unknown' }),
    revoked: await key({ name: 'revoked' }),
    expired: await key({ expiresAt: '2020-01-01T00:00:00Z' }),
    suspended: await key({ integration: away }),
  }
  await queryAsOwner(fixtures, sql`delete from auth.credentials where name = 'unknown'`)
  await queryAsOwner(
    fixtures,
    sql`update auth.credentials set revoked_at = now() where name = 'revoked'`,
  )
  const costs: [string, string[]][] = []
  for (const [name, as] of Object.entries(bad)) {
    const [code, done] = await costOf('getOrganization', { as, address: '198.51.100.9' })
    expect([name, code]).toEqual([name, 'unauthorized'])
    costs.push([name, done.map(one => one.text)])
  }
  const [, first] = costs[0] ?? []
  expect(first).toHaveLength(1)
  expect(costs.map(([, texts]) => texts)).toEqual(costs.map(() => first ?? []))
  // A key is found by its HMAC under a secret pepper, so a comparison's timing reveals nothing
  // about the key. A mistyped key fails its checksum and costs no query.
  expect(first?.[0]).toContain('k.hash = any (')
  const mistyped = await costOf('getOrganization', { as: `${fixtures.ada.test.slice(0, -1)}_` })
  expect(mistyped).toEqual(['unauthorized', []])
})
