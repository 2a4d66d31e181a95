// How long a refusal takes must tell nothing either (contract/18, tests 1, 8 and 9). Clocks of a
// busy machine prove little, so it is shown by what is done: an id of somebody else and an id that
// never was run the same statements, and the database touches as many rows for the one as for the
// other. With FAULT_ROUNDS the thousand calls of each are timed as well.
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { type OperationId, table } from '#contract/api.ts'
import type { ConnectionPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { ask, type Asked } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { validCalls } from '../testing/valid-calls.ts'
import { ofOneTenant } from '../testing/sweep.ts'
import { unknownId, queryAsOwner } from '../testing/assertions.ts'

const isFull = process.env['FAULT_ROUNDS'] !== undefined
let fixtures: Fixtures
const bens = new Map<OperationId, Asked>()
beforeAll(async () => {
  fixtures = await openFixtures()
  for (const id of ofOneTenant) bens.set(id, await validCalls[id](fixtures, fixtures.ben.test))
  // Tables this small would be read from end to end, and every plan would touch all there is.
  await using owner = new SQL(fixtures.database.url, { max: 1 })
  const name = new URL(fixtures.database.url).pathname.slice(1)
  await owner.unsafe(`alter database ${name} set enable_seqscan = off`)
  await fixtures.reopen()
})
afterAll(() => fixtures.close())
afterEach(() => expect(fixtures.errors).toEqual([]))

type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Node[]
}
type Done = { text: string; touched: unknown[] }

/** Each step of a plan: where it looked, how often, and what it found and threw away there. */
const touchedBy = (node: Node): unknown[] => [
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

/** The same cast, in a house that writes down each statement, with what the database did for it. */
function watched(done: Done[]): Fixtures {
  const watch = (pool: ConnectionPool): ConnectionPool => ({
    ...pool,
    use: work =>
      pool.use(connection =>
        work({
          async run(statement) {
            const { text } = statement
            // A note that a key is used is made once a minute, whatever is asked for with it.
            if (!text.includes('set last_used_at')) {
              const [row] = await connection.run<{ 'QUERY PLAN': { Plan: Node }[] }>(
                sql`explain (analyze, costs off, timing off, format json) ${statement}`,
              )
              const plan = row?.['QUERY PLAN'][0]?.Plan
              done.push({ text, touched: plan ? touchedBy(plan) : [] })
            }
            return connection.run(statement)
          },
        }),
      ),
  })
  const { pools } = fixtures.context
  const context = {
    ...fixtures.context,
    pools: { test: watch(pools.test), live: watch(pools.live) },
  }
  return { ...fixtures, context }
}

/** What is done for a call, and the code that it is refused with. */
async function costOf(operation: OperationId, asked: Asked): Promise<[string | null, Done[]]> {
  const done: Done[] = []
  const { code } = await ask(watched(done), operation, asked)
  return [code, done]
}

test('an id of another tenant costs what an id that never was costs, wherever it stands', async () => {
  // Who came before is asked for by a shorter statement, whatever is asked next.
  await ask(fixtures, 'getOrganization')
  let compared = 0
  for (const [operation, validCall] of bens) {
    const { id } = validCall
    if (id === undefined) continue
    const asked = { ...validCall, as: fixtures.ada.test }
    const never = unknownId(id.split('_')[0] ?? '')
    const [code, hidden] = await costOf(operation, asked)
    expect([operation, code, hidden.length > 1]).toEqual([operation, 'not_found', true])
    expect([operation, hidden]).toEqual([
      operation,
      (await costOf(operation, { ...asked, id: never }))[1],
    ])
    compared++
  }
  expect(compared).toBe(ofOneTenant.filter(id => table[id].path.includes('{')).length)
})

test('a key that is unknown, revoked, expired or suspended costs one look-up, the same for each', async () => {
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
  await queryAsOwner(fixtures, sql`delete from auth.keys where name = 'unknown'`)
  await queryAsOwner(fixtures, sql`update auth.keys set revoked_at = now() where name = 'revoked'`)
  const costs: [string, string[]][] = []
  for (const [name, as] of Object.entries(bad)) {
    const [code, done] = await costOf('getOrganization', { as, address: '198.51.100.9' })
    expect([name, code]).toEqual([name, 'unauthorized'])
    costs.push([name, done.map(one => one.text)])
  }
  const [, first] = costs[0] ?? []
  expect(first).toHaveLength(1)
  expect(costs.map(([, texts]) => texts)).toEqual(costs.map(() => first ?? []))
  // A key is found by its HMAC under a pepper that no caller knows, so the place at which two of
  // them begin to differ says nothing of the key. One that was mistyped costs nothing at all.
  expect(first?.[0]).toContain('k.hash = $')
  const mistyped = await costOf('getOrganization', { as: `${fixtures.ada.test.slice(0, -1)}_` })
  expect(mistyped).toEqual(['unauthorized', []])
})

test.if(isFull)(
  'a thousand of each, taken in turns: the medians are less than 2 ms apart',
  async () => {
    const id = bens.get('getCase')?.id ?? ''
    const times: Record<'hidden' | 'never', number[]> = { hidden: [], never: [] }
    for (let turn = 0; turn < 1000; turn++) {
      for (const [name, asked] of [
        ['hidden', id],
        ['never', unknownId('case')],
      ] as const) {
        const began = performance.now()
        await ask(fixtures, 'getCase', { id: asked })
        times[name].push(performance.now() - began)
      }
    }
    const median = (all: number[]) => all.toSorted((a, b) => a - b)[all.length >> 1] ?? 0
    expect(Math.abs(median(times.hidden) - median(times.never))).toBeLessThan(2)
  },
  120_000,
)
