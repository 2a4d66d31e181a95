// The ledger: what may never happen to it, and what is read of it. In live nothing of the API
// completes a visit, so its lines are written as the clinic's plane will write them.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sqlState } from '#database/failures.ts'
import { sql, type Statement } from '#database/sql.ts'
import { must } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { bookedVisit } from '../testing/visits.ts'
import { expectFaults, queryAsOwner, refused } from '../testing/assertions.ts'
import { type Books, charged, invoiced, tenantOf } from '../testing/invoices.ts'

let fixtures: Fixtures
let live: Books
beforeAll(async () => {
  fixtures = await openFixtures()
  live = { who: fixtures.ada, mode: 'live' }
})
afterAll(() => fixtures.close())

const stateOf = (statement: Statement) =>
  queryAsOwner(fixtures, statement).then(
    () => 'it went through',
    failure => sqlState(failure),
  )
const denied = '42501'

describe('a charge', () => {
  test('of a completed visit is told with its data, and is for that visit', async () => {
    const { id } = await bookedVisit(fixtures)
    await must(fixtures, 'startVisit', { id })
    await must(fixtures, 'completeVisit', { id })
    const query = { type: 'charge.created.v1', include_resource: 'true' }
    const [{ data, resource, status }] = (await must(fixtures, 'listEvents', { query })).data
    expect(status).toBe('pending')
    expect(data).toEqual({
      id: resource.id,
      kind: 'video_visit',
      status: 'pending',
      resource: { type: 'visit', id },
      amount: 4900,
      currency: 'USD',
      reverses: null,
      invoice: null,
      created_at: expect.any(String),
    })
  })

  test('is changed and removed by nobody in live, and changed by nobody in test', async () => {
    const id = await charged(fixtures, live)
    const inTest = await charged(fixtures, { who: fixtures.ben, mode: 'test' })
    for (const statement of [
      sql`update live.charges set amount = 1 where id = ${id}`,
      sql`delete from live.charges where id = ${id}`,
      sql`truncate live.charges cascade`,
      sql`update test.charges set amount = 1 where id = ${inTest}`,
    ]) {
      expect(await stateOf(statement)).toBe(denied)
    }
    const rows = await queryAsOwner<{ amount: string }>(
      fixtures,
      sql`select amount::text from live.charges where id = ${id}`,
    )
    expect(rows[0]?.amount).toBe('4900')
  })

  test('is raised once for a resource, and taken back once', async () => {
    const id = await charged(fixtures, live)
    const again = sql`
      insert into live.charges (tenant, id, kind, resource_type, resource_id, amount, currency, created_at)
      select tenant, 'chg_again', kind, resource_type, resource_id, amount, currency, created_at
        from live.charges where id = ${id}`
    expect(await stateOf(again)).toBe('23505')
    await charged(fixtures, live, { amount: -4900, reverses: id })
    const twice = charged(fixtures, live, { amount: -4900, reverses: id })
    expect(await twice.catch(sqlState)).toBe('23505')
  })

  test.each([
    ['costs nothing', { amount: 0 }],
    ['pays out without taking anything back', { amount: -1 }],
    ['takes back what there is not', { amount: -1, reverses: 'chg_nobody' }],
  ])('never %s', async (_what, line) => {
    expect(['23514', '23503']).toContain(
      (await charged(fixtures, live, line).catch(sqlState)) ?? '',
    )
  })
})

describe('getUsage 200', () => {
  const usage = (query: Record<string, string>, more: object = {}) =>
    must(fixtures, 'getUsage', { as: fixtures.ada.live, query, ...more })

  test('nets what was charged in the window, its first moment in and its last out', async () => {
    const month = { from: '2025-03-01', to: '2025-04-01' }
    const empty = await usage(month)
    expect(empty).toEqual({
      from: '2025-03-01T00:00:00.000Z',
      to: '2025-04-01T00:00:00.000Z',
      data: [],
    })
    const first = await charged(fixtures, live, { at: '2025-03-01T00:00:00.000Z' })
    await charged(fixtures, live, { at: '2025-03-31T23:59:59.999Z' })
    await charged(fixtures, live, { at: '2025-04-01T00:00:00.000Z' })
    await charged(fixtures, live, {
      at: '2025-03-10T00:00:00.000Z',
      amount: 700,
      kind: 'adjustment',
    })
    const of = (count: number, amount: number) => [
      { kind: 'adjustment', count: 1, amount: 700, currency: 'USD' },
      { kind: 'video_visit', count, amount, currency: 'USD' },
    ]
    expect((await usage(month)).data).toEqual(of(2, 9800))
    await charged(fixtures, live, {
      at: '2025-03-20T00:00:00.000Z',
      amount: -4900,
      reverses: first,
    })
    expect((await usage(month)).data).toEqual(of(1, 4900))
    const theirs = await must(fixtures, 'getUsage', { as: fixtures.ben.live, query: month })
    expect(theirs.data).toEqual([])
  })

  test('left out, the window is the month until now', async () => {
    const at = Date.parse('2025-06-17T10:30:00.500Z')
    expect(await usage({}, { at })).toEqual({
      from: '2025-06-01T00:00:00.000Z',
      to: '2025-06-17T10:30:00.500Z',
      data: [],
    })
    const first = Date.parse('2025-06-01T00:00:00.000Z')
    expect(await usage({}, { at: first })).toMatchObject({ from: '2025-06-01T00:00:00.000Z' })
  })

  test('in test mode it is empty, whatever was completed', async () => {
    const { id } = await bookedVisit(fixtures)
    await must(fixtures, 'startVisit', { id })
    await must(fixtures, 'completeVisit', { id })
    const rows = await queryAsOwner(
      fixtures,
      sql`select from test.charges where resource_id = ${id}`,
    )
    expect(rows).toHaveLength(1)
    expect((await must(fixtures, 'getUsage')).data).toEqual([])
    expect(await must(fixtures, 'listInvoices')).toEqual({ data: [], has_more: false })
  })
})

describe('getUsage 400', () => {
  const at = Date.parse('2026-06-17T10:30:00Z')
  test.each<[Record<string, string>, [string, string]]>([
    [{ from: '2026-05-01', to: '2026-05-01' }, ['?to', 'too_small']],
    [{ to: '2026-05-31' }, ['?to', 'too_small']],
    [{ from: '2026-06-18' }, ['?from', 'too_large']],
    [{ from: '2025-05-01', to: '2026-05-02T00:00:00.001Z' }, ['?to', 'too_large']],
    [{ from: '2025-01-01' }, ['?from', 'too_large']],
    [{ to: '2028-01-01' }, ['?to', 'too_large']],
  ])('%p', async (query, fault) => {
    expect(await expectFaults(fixtures, 'getUsage', { at, query })).toEqual([fault])
  })

  test('a window of exactly 366 days is one', async () => {
    await must(fixtures, 'getUsage', { at, query: { from: '2025-05-01', to: '2026-05-02' } })
  })
})

describe('getInvoice', () => {
  test('200 with its charges in order, and a reversal with what it takes back', async () => {
    const as = fixtures.ada.live
    const first = await charged(fixtures, live)
    const back = await charged(fixtures, live, { amount: -4900, reverses: first })
    const second = await charged(fixtures, live)
    const id = await invoiced(fixtures, live, [first, back, second])
    const found = await must(fixtures, 'getInvoice', { as, id })
    expect(found).toMatchObject({ id, status: 'open', total: 4900, amount_due: 4900 })
    const lines = found.charges.map((one: Record<string, unknown>) => [
      one['id'],
      one['status'],
      one['invoice'],
      one['reverses'],
    ])
    expect(lines).toEqual(
      [first, back, second]
        .toSorted()
        .map(one => [one, 'invoiced', id, one === back ? first : null]),
    )
    const listed = await must(fixtures, 'listInvoices', { as })
    const { charges: _, ...rest } = found
    expect(listed.data).toContainEqual(rest)
  })

  test('what is paid, void or more than paid is owed no more', async () => {
    const as = fixtures.ada.live
    for (const [set, due] of [
      [sql`amount_paid = 900`, 4000],
      [sql`amount_paid = 9900`, 0],
      [sql`status = 'void'`, 0],
      [sql`status = 'uncollectible'`, 4900],
      [sql`status = 'paid', amount_paid = 4900, paid_at = now()`, 0],
    ] as const) {
      const id = await invoiced(fixtures, live, [await charged(fixtures, live)])
      await queryAsOwner(fixtures, sql`update live.invoices set ${set} where id = ${id}`)
      expect((await must(fixtures, 'getInvoice', { as, id })).amount_due).toBe(due)
    }
  })

  test('a charge stands on one invoice at most', async () => {
    const charge = await charged(fixtures, live)
    await invoiced(fixtures, live, [charge])
    expect(await invoiced(fixtures, live, [charge]).catch(sqlState)).toBe('23505')
  })

  test('404 in test for every id, those of live too', async () => {
    const id = await invoiced(fixtures, live)
    expect((await must(fixtures, 'getInvoice', { as: fixtures.ada.live, id })).charges).toEqual([])
    await refused(fixtures, 'getInvoice', 'not_found', { id })
  })
})

test('the gateway adds to the ledger and can do nothing else to it', async () => {
  const tenant = await tenantOf(fixtures, live)
  await fixtures.context.pools.live.use(async connection => {
    await connection.run(sql`select set_config('app.tenant', ${tenant}, false)`)
    for (const statement of [
      sql`update charges set amount = 1`,
      sql`delete from charges`,
      sql`truncate charges`,
      sql`insert into invoice_lines (tenant, charge, invoice) values (${tenant}::bigint, 'c', 'i')`,
      sql`update invoices set status = 'paid'`,
    ]) {
      const state = await connection.run(statement).then(() => 'it went through', sqlState)
      expect(state).toBe(denied)
    }
  })
})
