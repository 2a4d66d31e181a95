// Live invoices: their contents, when they're created, and how the operator manages them.

import { describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { invokeOk } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import {
  billing,
  chargeAt,
  invoicesOf,
  type Ledger,
  makeInvoices,
  makeInvoicesAt,
  openLedger,
  reverseAt,
} from '../testing/ledgers.ts'
import { createCharge } from '../testing/invoices.ts'
import { countWaiting, runIntoLock } from '../testing/races.ts'

const fixtures = useFixtures()

describe('the job', () => {
  test('creates one invoice per month and currency, with all clinics’ charges', async () => {
    const ledger = await openLedger(fixtures)
    const [, second] = ledger.tenants
    await chargeAt(fixtures, ledger, '2026-01-01T00:00:00.000Z')
    await chargeAt(fixtures, ledger, '2026-01-31T23:59:59.999Z', { tenant: second })
    await chargeAt(fixtures, ledger, '2026-01-15T00:00:00.000Z', { amount: 700, currency: 'EUR' })
    await chargeAt(fixtures, ledger, '2026-02-01T00:00:00.000Z', { amount: 1 })
    await chargeAt(fixtures, ledger, '2026-04-01T00:00:00.000Z')
    expect(await makeInvoicesAt(fixtures, '2026-04-01T00:00:00.000Z')).toBe(3)
    const of = (month: string, currency: string, total: number, lines: number) => ({
      month,
      currency,
      total,
      lines,
      sum: total,
      status: 'open',
      paid: 0,
    })
    expect(await invoicesOf(fixtures, ledger)).toMatchObject([
      of('2026-01', 'EUR', 700, 1),
      of('2026-01', 'USD', 9800, 2),
      of('2026-02', 'USD', 1, 1),
    ])
    expect(await makeInvoicesAt(fixtures, '2026-04-30T23:59:59.000Z')).toBe(0)
    expect(await makeInvoicesAt(fixtures, '2026-05-01T00:00:00.000Z')).toBe(1)
  })

  test('an integration reads its own invoices, with every clinic’s charges', async () => {
    const { ada, ben } = fixtures
    const mine = await createCharge(
      fixtures,
      { who: ada, mode: 'live' },
      { at: '2025-07-03T00:00:00Z' },
    )
    const other = await queryAsOwner<{ id: string }>(
      fixtures,
      sql`with clinic as (
            insert into auth.organizations (id, name, slug) values ('org_other', 'O', 'other')
            returning id)
          insert into live.tenants (integration, organization)
          select ${ada.integration}, id from clinic returning id::text as id`,
    )
    const tenant = other[0]?.id ?? ''
    const theirs = await chargeAt(
      fixtures,
      { integration: ada.integration, tenants: [tenant, tenant] },
      '2025-07-04T00:00:00Z',
    )
    await makeInvoices(fixtures)
    const as = ada.live
    const { data } = await invokeOk(fixtures, 'listInvoices', { as })
    expect(data).toMatchObject([
      {
        status: 'open',
        period_start: '2025-07-01T00:00:00.000Z',
        period_end: '2025-08-01T00:00:00.000Z',
        total: 9800,
        amount_due: 9800,
      },
    ])
    const found = await invokeOk(fixtures, 'getInvoice', { as, id: data[0].id })
    expect(found.charges).toMatchObject([
      { id: mine, status: 'invoiced', invoice: found.id },
      { id: theirs, status: 'invoiced', invoice: found.id },
    ])
    expect(Date.parse(found.due_at) - Date.parse(found.issued_at)).toBe(30 * 86_400_000)
    expect((await invokeOk(fixtures, 'listInvoices', { as: ben.live })).data).toEqual([])
  })

  test('an invoice of zero or less is paid immediately, and its credit pays later invoices', async () => {
    const ledger = await openLedger(fixtures)
    const old = await chargeAt(fixtures, ledger, '2026-01-05T00:00:00Z', { amount: 5000 })
    await makeInvoicesAt(fixtures, '2026-02-01T00:00:00Z')
    await reverseAt(fixtures, ledger, old, '2026-02-02T00:00:00Z')
    await chargeAt(fixtures, ledger, '2026-02-03T00:00:00Z', { amount: 1000 })
    await chargeAt(fixtures, ledger, '2026-03-03T00:00:00Z', { amount: 3000 })
    await chargeAt(fixtures, ledger, '2026-04-03T00:00:00Z', { amount: 3000 })
    await makeInvoicesAt(fixtures, '2026-05-01T00:00:00Z')
    const rows = await invoicesOf(fixtures, ledger)
    expect(rows.map(({ total, credit, paid, status }) => [total, credit, paid, status])).toEqual([
      [5000, 0, 0, 'open'],
      [-4000, 0, 0, 'paid'],
      [3000, 3000, 3000, 'paid'],
      [3000, 1000, 1000, 'open'],
    ])
    const [, credit] = rows
    expect(await billing(fixtures, 'void', credit?.number ?? '')).toContain(
      'credit was already used',
    )
  })

  test('a charge that commits while its month is closing is on that month’s invoice', async () => {
    const ledger = await openLedger(fixtures)
    const { tenants } = ledger
    await chargeAt(fixtures, ledger, '2026-01-05T00:00:00Z')
    const lock = sql`select from live.tenants where id = ${tenants[1]}::bigint for no key update`
    await runIntoLock(
      fixtures,
      lock,
      [() => makeInvoicesAt(fixtures, '2026-02-01T00:00:00Z')],
      connection =>
        connection.run(sql`
          insert into live.charges (tenant, id, kind, resource_type, resource_id, amount, currency, created_at)
          values (${tenants[1]}::bigint, 'chg_in_the_last_moment', 'video_visit', 'visit', 'v', 300, 'USD',
                  '2026-01-31T23:59:59.999Z')`),
    )
    expect(await invoicesOf(fixtures, ledger)).toMatchObject([{ total: 5200, lines: 2 }])
  })

  test('concurrent workers create each invoice once, and a killed one leaves no partial invoice', async () => {
    const ledgers: Ledger[] = []
    for (let at = 0; at < 6; at++) ledgers.push(await openLedger(fixtures))
    for (const ledger of ledgers) {
      await chargeAt(fixtures, ledger, '2026-01-05T00:00:00Z')
      await chargeAt(fixtures, ledger, '2026-02-05T00:00:00Z', { amount: 100 })
    }
    const at = '2026-03-01T00:00:00Z'
    // The last ledger waits for this lock after the others' invoices are created.
    const last = ledgers.at(-1)?.tenants[1] ?? ''
    await fixtures.owner.use(async connection => {
      await connection.run(sql`begin`)
      await connection.run(
        sql`select from live.tenants where id = ${last}::bigint for no key update`,
      )
      const killed = makeInvoicesAt(fixtures, at).then(
        () => 'ended',
        () => 'killed',
      )
      await until(async () => (await countWaiting(fixtures)) === 1)
      await connection.run(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`)
      expect(await killed).toBe('killed')
      await connection.run(sql`rollback`)
    })
    const before = await Promise.all(ledgers.map(ledger => invoicesOf(fixtures, ledger)))
    expect(before.map(rows => rows.length)).toEqual([2, 2, 2, 2, 2, 0])
    await Promise.all(Array.from({ length: 4 }, () => makeInvoicesAt(fixtures, at)))
    await makeInvoicesAt(fixtures, at)
    for (const ledger of ledgers) {
      expect(await invoicesOf(fixtures, ledger)).toMatchObject([
        { total: 4900, lines: 1 },
        { total: 100, lines: 1 },
      ])
    }
  })

  test('emails the integration’s billing address, or each owner if there’s none', async () => {
    const ledger = await openLedger(fixtures)
    await queryAsOwner(
      fixtures,
      sql`update auth.integrations set billing_email = 'billing@example.com'
           where id = ${ledger.integration}`,
    )
    await chargeAt(fixtures, ledger, '2026-01-05T00:00:00Z')
    await makeInvoicesAt(fixtures, '2026-02-01T00:00:00Z')
    const [made] = await invoicesOf(fixtures, ledger)
    const emails = await queryAsOwner(
      fixtures,
      sql`select audience, facts->>'email' as email, facts->'due' as due, facts->>'month' as month
            from site.emails where kind = 'invoice_made' and facts->>'number' = ${made?.number ?? ''}`,
    )
    expect([...emails]).toEqual([
      {
        audience: 'person',
        email: 'billing@example.com',
        due: 4900,
        month: '2026-01-01T00:00:00.000Z',
      },
    ])
  })

  test('waits until five minutes after the month ends, and records who created the invoice', async () => {
    const ledger = await openLedger(fixtures)
    await chargeAt(fixtures, ledger, '2026-01-05T00:00:00Z')
    await makeInvoices(fixtures)
    const [made] = await invoicesOf(fixtures, ledger)
    const entries = await queryAsOwner(
      fixtures,
      sql`select actor, surface, action, outcome from audit.entries where target = ${made?.id ?? ''}`,
    )
    expect(entries).toEqual([
      { actor: 'worker', surface: 'worker', action: 'createInvoice', outcome: 'ok' },
    ])
  })
})

test("invoices: months are UTC months, whatever the session's time zone", async () => {
  const ledger = await openLedger(fixtures)
  await chargeAt(fixtures, ledger, '2026-03-31T23:59:59.999Z', { amount: 100 })
  await chargeAt(fixtures, ledger, '2026-04-01T02:00:00.000Z', { amount: 200 })
  await chargeAt(fixtures, ledger, '2026-11-01T05:30:00.000Z', { amount: 300 })
  await fixtures.owner.use(async connection => {
    await connection.run(sql`select set_config('timezone', 'America/New_York', false)`)
    const next = sql`select live.invoice_next('2026-12-01T00:00:00Z') as made`
    while ((await connection.run<{ made: number | null }>(next))[0]?.made !== null) continue
    await connection.run(sql`select set_config('timezone', 'UTC', false)`)
  })
  const found = await invoicesOf(fixtures, ledger)
  expect(found.map(({ month, total }) => [month, total])).toEqual([
    ['2026-03', 100],
    ['2026-04', 200],
    ['2026-11', 300],
  ])
})
