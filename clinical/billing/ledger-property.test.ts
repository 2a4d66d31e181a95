// After any history of charges, reversals, runs, payments and voids, invoiced and open amounts add
// up to the ledger, and no charge is on two invoices. FUZZ_CASES sets the number of histories.

import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { drawn } from '../testing/fuzz/draw.ts'
import {
  billing,
  chargeAt,
  invoicesOf,
  type Ledger,
  makeInvoicesAt,
  openLedger,
  reverseAt,
} from '../testing/ledgers.ts'

const fixtures = useFixtures()
const histories = Number(process.env['FUZZ_CASES'] ?? 40)

type Step =
  | { does: 'charge'; day: number; amount: number; clinic: 0 | 1; currency: 'USD' | 'EUR' }
  | { does: 'reverse'; which: number; day: number }
  | { does: 'run'; month: number }
  | { does: 'pay'; which: number; share: number }
  | { does: 'void'; which: number }

/** Day 0 is January 1, 2025. */
const momentOf = (day: number) => new Date(Date.UTC(2025, 0, 1 + day, 12)).toISOString()

const history = drawn<Step[]>(draw => {
  let day = 0
  return Array.from({ length: 10 + draw.below(30) }, (): Step => {
    day += draw.below(12)
    const which = draw.below(8)
    if (draw.percent(40)) {
      const clinic = draw.pick([0, 1] as const)
      const currency = draw.percent(80) ? 'USD' : 'EUR'
      return { does: 'charge', day, amount: 1 + draw.below(9999), clinic, currency }
    }
    if (draw.percent(40)) return { does: 'reverse', which, day }
    if (draw.percent(60)) return { does: 'run', month: Math.floor(day / 30) }
    return draw.percent(60)
      ? { does: 'pay', which, share: 1 + draw.below(100) }
      : { does: 'void', which }
  })
})

async function play(ledger: Ledger, steps: readonly Step[]): Promise<void> {
  const charges: string[] = []
  for (const [at, step] of steps.entries()) {
    if (step.does === 'charge') {
      const { amount, currency, clinic } = step
      const tenant = ledger.tenants[clinic]
      charges.push(
        await chargeAt(fixtures, ledger, momentOf(step.day), { amount, currency, tenant }),
      )
    } else if (step.does === 'reverse') {
      const charge = charges.splice(step.which % (charges.length || 1), 1)[0]
      if (charge !== undefined) await reverseAt(fixtures, ledger, charge, momentOf(step.day))
    } else if (step.does === 'run') {
      await makeInvoicesAt(fixtures, new Date(Date.UTC(2025, step.month, 1)).toISOString())
    } else {
      const rows = await invoicesOf(fixtures, ledger)
      const invoice = rows[step.which % (rows.length || 1)]
      if (invoice === undefined) continue
      const amount = String(Math.ceil((invoice.total * ('share' in step ? step.share : 0)) / 100))
      await (step.does === 'void'
        ? billing(fixtures, 'void', invoice.number)
        : billing(fixtures, 'pay', invoice.number, '--amount', amount, '--reference', `${at}`))
    }
  }
}

async function expectBalance(ledger: Ledger): Promise<void> {
  const rows = await queryAsOwner(
    fixtures,
    sql`select sum(c.amount)::int as ledger, count(*)::int as charges,
               coalesce(sum(c.amount) filter (where l.charge is null), 0)::int as uninvoiced,
               count(l.charge)::int as lines
          from live.charges c join live.tenants t on t.id = c.tenant
          left join live.invoice_lines l on l.charge_tenant = c.tenant and l.charge = c.id
         where t.integration = ${ledger.integration}`,
  )
  const sums = { ledger: 0, charges: 0, uninvoiced: 0, lines: 0, ...rows[0] }
  const invoices = await invoicesOf(fixtures, ledger)
  const counted = invoices.filter(({ status }) => status !== 'void')
  const total = (of: (one: (typeof invoices)[number]) => number) =>
    counted.reduce((sum, one) => sum + of(one), 0)
  expect(total(one => one.total) + (sums.uninvoiced ?? 0)).toBe(sums.ledger ?? 0)
  expect(total(one => one.lines)).toBe(sums.lines)
  for (const one of counted) expect(one.sum).toBe(one.total)
  for (const one of invoices.filter(({ status }) => status === 'void')) expect(one.lines).toBe(0)
  for (const currency of ['USD', 'EUR']) {
    const of = counted.filter(one => one.currency === currency)
    const left = of.reduce((sum, { total: sumOf }) => sum + Math.max(-sumOf, 0), 0)
    const used = of.reduce((sum, { credit }) => sum + credit, 0)
    expect(used).toBeLessThanOrEqual(left)
  }
  for (const { status, total: owed, paid } of counted) {
    expect([status, paid === Math.max(owed, 0)]).toEqual([status, status === 'paid'])
  }
}

test('ledger: invoiced and open charges add up to the ledger after any history', async () => {
  let played = 0
  await fc.assert(
    fc.asyncProperty(history, async steps => {
      const ledger = await openLedger(fixtures)
      await play(ledger, steps)
      await expectBalance(ledger)
      // Once all months are over, nothing is left to invoice.
      await makeInvoicesAt(fixtures, '2026-07-01T00:00:00Z')
      await expectBalance(ledger)
      played++
    }),
    { seed: 20_261_123, numRuns: histories, endOnFailure: true },
  )
  expect(played).toBeGreaterThanOrEqual(histories)
}, 3_600_000)
