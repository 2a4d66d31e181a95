// The ledger of charges: its constraints, and how the API reads it. No API call completes a live
// visit, so these tests insert live charges as the owner.

import { beforeAll, describe, expect, test } from 'bun:test'
import { sqlState } from '#database/failures.ts'
import { sql, type Statement } from '#database/sql.ts'
import { invoke, invokeOk } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { bookedVisit, freeStarts } from '../testing/visits.ts'
import { expectFaults, queryAsOwner, expectRefused } from '../testing/assertions.ts'
import { type BillingTarget, createCharge, createInvoice, tenantOf } from '../testing/invoices.ts'

const fixtures = useFixtures()
let live: BillingTarget
beforeAll(async () => {
  live = { who: fixtures.ada, mode: 'live' }
})

const stateOf = (statement: Statement) =>
  queryAsOwner(fixtures, statement).then(
    () => 'accepted',
    failure => sqlState(failure),
  )
const denied = '42501'

describe('charges', () => {
  test('a completed visit is charged, and the event embeds the charge', async () => {
    const { id } = await bookedVisit(fixtures)
    await invokeOk(fixtures, 'startVisit', { id })
    await invokeOk(fixtures, 'completeVisit', { id })
    const query = { type: 'charge.created.v1', include_resource: 'true' }
    const [{ data, resource, status }] = (await invokeOk(fixtures, 'listEvents', { query })).data
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

  test('a visit isn’t completed if its charge can’t be written; other transitions charge nothing', async () => {
    const { id, patient, state } = await bookedVisit(fixtures)
    const [, starts_at] = await freeStarts(fixtures, state)
    await invokeOk(fixtures, 'rescheduleVisit', { id, body: { starts_at } })
    await invokeOk(fixtures, 'startVisit', { id })
    const written = async () => {
      const [row] = await queryAsOwner<{ charges: number; events: string[] }>(
        fixtures,
        sql`select (select count(*)::int from test.charges where resource_id = ${id}) as charges,
                   array(select e.type from test.events e where e.resource_id = ${id}
                          order by e.id) as events`,
      )
      return row
    }
    const before = await written()
    expect(before).toMatchObject({ charges: 0, events: { length: 3 } })
    await queryAsOwner(
      fixtures,
      sql`create function public.fail() returns trigger language plpgsql as
          'begin raise exception ''no space left''; end'`,
    )
    await queryAsOwner(
      fixtures,
      sql`create trigger zz_fail after insert on test.charges for each row
          execute function public.fail()`,
    )
    expect((await invoke(fixtures, 'completeVisit', { id })).code).toBe('internal_error')
    expect(await written()).toEqual(before)
    expect(await invokeOk(fixtures, 'getVisit', { id })).toMatchObject({
      status: 'started',
      patient,
    })
    await queryAsOwner(fixtures, sql`drop trigger zz_fail on test.charges`)
    await invokeOk(fixtures, 'completeVisit', { id })
    expect((await written())?.charges).toBe(1)
  })

  test('no role can change or remove a live charge, or change a test charge', async () => {
    const id = await createCharge(fixtures, live)
    const inTest = await createCharge(fixtures, { who: fixtures.ben, mode: 'test' })
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

  test('a resource is charged once, and a charge reversed once', async () => {
    const id = await createCharge(fixtures, live)
    const again = sql`
      insert into live.charges (tenant, id, kind, resource_type, resource_id, amount, currency, created_at)
      select tenant, 'chg_again', kind, resource_type, resource_id, amount, currency, created_at
        from live.charges where id = ${id}`
    expect(await stateOf(again)).toBe('23505')
    await createCharge(fixtures, live, { amount: -4900, reverses: id })
    const twice = createCharge(fixtures, live, { amount: -4900, reverses: id })
    expect(await twice.catch(sqlState)).toBe('23505')
  })

  test.each([
    ['an amount of zero', { amount: 0 }],
    ['a negative amount that reverses no charge', { amount: -1 }],
    ['a reversal of an unknown charge', { amount: -1, reverses: 'chg_unknown' }],
  ])('the database refuses %s', async (_what, line) => {
    expect(['23514', '23503']).toContain(
      (await createCharge(fixtures, live, line).catch(sqlState)) ?? '',
    )
  })
})

describe('getUsage 200', () => {
  const usage = (query: Record<string, string>, more: object = {}) =>
    invokeOk(fixtures, 'getUsage', { as: fixtures.ada.live, query, ...more })

  test('sums the window’s charges, with from inclusive and to exclusive', async () => {
    const month = { from: '2025-03-01', to: '2025-04-01' }
    const empty = await usage(month)
    expect(empty).toEqual({
      from: '2025-03-01T00:00:00.000Z',
      to: '2025-04-01T00:00:00.000Z',
      data: [],
    })
    const first = await createCharge(fixtures, live, { at: '2025-03-01T00:00:00.000Z' })
    await createCharge(fixtures, live, { at: '2025-03-31T23:59:59.999Z' })
    await createCharge(fixtures, live, { at: '2025-04-01T00:00:00.000Z' })
    await createCharge(fixtures, live, {
      at: '2025-03-10T00:00:00.000Z',
      amount: 700,
      kind: 'adjustment',
    })
    const of = (count: number, amount: number) => [
      { kind: 'adjustment', count: 1, amount: 700, currency: 'USD' },
      { kind: 'video_visit', count, amount, currency: 'USD' },
    ]
    expect((await usage(month)).data).toEqual(of(2, 9800))
    await createCharge(fixtures, live, {
      at: '2025-03-20T00:00:00.000Z',
      amount: -4900,
      reverses: first,
    })
    expect((await usage(month)).data).toEqual(of(1, 4900))
    const theirs = await invokeOk(fixtures, 'getUsage', { as: fixtures.ben.live, query: month })
    expect(theirs.data).toEqual([])
  })

  test('the window defaults to the current month so far', async () => {
    const at = Date.parse('2025-06-17T10:30:00.500Z')
    expect(await usage({}, { at })).toEqual({
      from: '2025-06-01T00:00:00.000Z',
      to: '2025-06-17T10:30:00.500Z',
      data: [],
    })
    const first = Date.parse('2025-06-01T00:00:00.000Z')
    expect(await usage({}, { at: first })).toMatchObject({ from: '2025-06-01T00:00:00.000Z' })
  })

  test('usage is empty in test mode, even after completed visits', async () => {
    const { id } = await bookedVisit(fixtures)
    await invokeOk(fixtures, 'startVisit', { id })
    await invokeOk(fixtures, 'completeVisit', { id })
    const rows = await queryAsOwner(
      fixtures,
      sql`select from test.charges where resource_id = ${id}`,
    )
    expect(rows).toHaveLength(1)
    expect((await invokeOk(fixtures, 'getUsage')).data).toEqual([])
    expect(await invokeOk(fixtures, 'listInvoices')).toEqual({ data: [], has_more: false })
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

  test('a window of exactly 366 days is accepted', async () => {
    await invokeOk(fixtures, 'getUsage', { at, query: { from: '2025-05-01', to: '2026-05-02' } })
  })
})

describe('getInvoice', () => {
  test('200: charges are in order, and a reversal names the charge it reverses', async () => {
    const as = fixtures.ada.live
    const first = await createCharge(fixtures, live)
    const back = await createCharge(fixtures, live, { amount: -4900, reverses: first })
    const second = await createCharge(fixtures, live)
    const id = await createInvoice(fixtures, live, [first, back, second])
    const found = await invokeOk(fixtures, 'getInvoice', { as, id })
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
    const listed = await invokeOk(fixtures, 'listInvoices', { as })
    const { charges: _, ...rest } = found
    expect(listed.data).toContainEqual(rest)
  })

  test('200: amount_due is zero when the invoice is paid or void', async () => {
    const as = fixtures.ada.live
    for (const [set, due] of [
      [sql`amount_paid = 900`, 4000],
      [sql`status = 'void'`, 0],
      [sql`status = 'uncollectible'`, 4900],
      [sql`status = 'paid', amount_paid = 4900, paid_at = now()`, 0],
    ] as const) {
      const id = await createInvoice(fixtures, live, [await createCharge(fixtures, live)])
      await queryAsOwner(fixtures, sql`update live.invoices set ${set} where id = ${id}`)
      expect((await invokeOk(fixtures, 'getInvoice', { as, id })).amount_due).toBe(due)
    }
  })

  test('the database refuses a charge on two invoices', async () => {
    const charge = await createCharge(fixtures, live)
    await createInvoice(fixtures, live, [charge])
    expect(await createInvoice(fixtures, live, [charge]).catch(sqlState)).toBe('23505')
  })

  test('404 in test mode for every ID, including live IDs', async () => {
    const id = await createInvoice(fixtures, live)
    expect((await invokeOk(fixtures, 'getInvoice', { as: fixtures.ada.live, id })).charges).toEqual(
      [],
    )
    await expectRefused(fixtures, 'getInvoice', 'not_found', { id })
  })
})

test('ledger: the gateway role can only insert charges', async () => {
  const tenant = await tenantOf(fixtures, live)
  await fixtures.context.pools.live.use(async connection => {
    await connection.run(sql`select set_config('app.tenant', ${tenant}, false)`)
    for (const statement of [
      sql`update charges set amount = 1`,
      sql`delete from charges`,
      sql`truncate charges`,
      sql`insert into invoice_lines (tenant, invoice, charge_tenant, charge)
          values (${tenant}::bigint, 'i', ${tenant}::bigint, 'c')`,
      sql`update invoices set status = 'paid'`,
    ]) {
      const state = await connection.run(statement).then(() => 'accepted', sqlState)
      expect(state).toBe(denied)
    }
  })
})
