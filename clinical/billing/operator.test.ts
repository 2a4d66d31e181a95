// The operator manages invoices and charges through `npm run admin -- billing`.

import { describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { invokeOk } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import {
  billing,
  chargeAt,
  invoicesOf,
  type Ledger,
  makeInvoicesAt,
  openLedger,
  reverse,
} from '../testing/ledgers.ts'
import { createCharge } from '../testing/invoices.ts'

const fixtures = useFixtures()

describe('the operator', () => {
  const openInvoice = async (amount = 4900) => {
    const ledger = await openLedger(fixtures)
    const charge = await chargeAt(fixtures, ledger, '2026-01-05T00:00:00Z', { amount })
    await makeInvoicesAt(fixtures, '2026-02-01T00:00:00Z')
    const [invoice] = await invoicesOf(fixtures, ledger)
    if (invoice === undefined) throw new Error('no invoice was created')
    return { ledger, charge, number: invoice.number }
  }
  const statusOf = async (ledger: Ledger) =>
    (await invoicesOf(fixtures, ledger)).map(({ status, paid }) => [status, paid])

  test('records payments, each reference once, up to the amount due', async () => {
    const { ledger, number } = await openInvoice()
    const pay = (amount: string, reference: string) =>
      billing(fixtures, 'pay', number, '--amount', amount, '--reference', reference)
    expect(await pay('4901', 'wire 1')).toContain('must not exceed the balance')
    expect(await pay('900', 'wire 1')).toBe(`Recorded 900 for ${number}.`)
    expect(await pay('900', 'wire 1')).toContain('already recorded')
    expect(await statusOf(ledger)).toEqual([['open', 900]])
    expect(await billing(fixtures, 'void', number)).toContain('partly paid')
    expect(await pay('4000', 'wire 2')).toContain('Recorded')
    expect(await statusOf(ledger)).toEqual([['paid', 4900]])
    expect(await pay('1', 'wire 3')).toContain('not open')
    expect(await billing(fixtures, 'invoices', '--status', 'paid')).toContain(
      `${number}\tpaid\t${ledger.integration} Billed\t2026-01\t4900 of 4900 USD`,
    )
  })

  test('one of two concurrent payments of the full amount due is recorded', async () => {
    const { ledger, number } = await openInvoice()
    const pay = (reference: string) =>
      billing(fixtures, 'pay', number, '--amount', '4900', '--reference', reference)
    const said = await Promise.all([pay('a'), pay('b')])
    expect(said.filter(text => text.startsWith('Recorded'))).toHaveLength(1)
    expect(await statusOf(ledger)).toEqual([['paid', 4900]])
  })

  test('voids an invoice, and the next run creates another for the same month', async () => {
    const { ledger, charge, number } = await openInvoice()
    expect(await billing(fixtures, 'void', number)).toContain('is void')
    expect(await billing(fixtures, 'void', number)).toContain('not open')
    expect(await makeInvoicesAt(fixtures, '2026-04-01T00:00:00Z')).toBe(1)
    const rows = await invoicesOf(fixtures, ledger)
    expect(rows.map(({ month, status, lines }) => [month, status, lines])).toEqual([
      ['2026-01', 'void', 0],
      ['2026-01', 'open', 1],
    ])
    expect(rows[1]?.number).not.toBe(number)
    expect(charge).toStartWith('chg_')
  })

  test('writes off an invoice 90 days after its due date; it can still be paid', async () => {
    const { ledger, number } = await openInvoice()
    expect(await billing(fixtures, 'give-up', number)).toContain('90 days')
    await queryAsOwner(
      fixtures,
      sql`update live.invoices set due_at = now() - interval '90 days 1 second' where number = ${number}`,
    )
    expect(await billing(fixtures, 'give-up', number)).toContain('written off')
    expect(await statusOf(ledger)).toEqual([['uncollectible', 0]])
    await billing(fixtures, 'pay', number, '--amount', '4900', '--reference', 'late')
    expect(await statusOf(ledger)).toEqual([['paid', 4900]])
  })

  test('reverses a charge once, with an event, and the reversal is on the next invoice', async () => {
    const { ada } = fixtures
    const charge = await createCharge(fixtures, { who: ada, mode: 'live' })
    const results = await Promise.all([reverse(fixtures, charge), reverse(fixtures, charge)])
    expect(results.toSorted()).toEqual(['already_reversed', null])
    const query = { type: 'charge.created.v1', include_resource: 'true' }
    const { data } = await invokeOk(fixtures, 'listEvents', { as: ada.live, query })
    expect(data).toMatchObject([
      {
        status: 'pending',
        previous_status: null,
        data: { amount: -4900, reverses: charge, invoice: null },
      },
    ])
    const back = data[0].resource.id
    expect(await billing(fixtures, 'reverse', back, '--reason', 'x')).toContain(
      'cannot be reversed',
    )
    expect(await billing(fixtures, 'reverse', 'chg_unknown', '--reason', 'x')).toContain(
      'No live charge',
    )
    expect(await billing(fixtures, 'reverse', charge)).toContain('--reason')
  })

  test('every change and every refusal has an audit row for the operator', async () => {
    const { number } = await openInvoice()
    await billing(fixtures, 'pay', number, '--amount', '9999', '--reference', 'x')
    await billing(fixtures, 'void', number)
    const rows = await queryAsOwner(
      fixtures,
      sql`select actor, surface, action, outcome, code from audit.entries where target = ${number}
           order by seq`,
    )
    const who = { actor: 'operator', surface: 'cli' }
    expect(rows).toEqual([
      { ...who, action: 'payInvoice', outcome: 'refused', code: 'too_much' },
      { ...who, action: 'voidInvoice', outcome: 'ok', code: null },
    ])
  })

  test.each([
    [['pay', 'INV-1', '--amount', '1.50', '--reference', 'x'], 'minor units'],
    [['pay', 'INV-1', '--amount', '0', '--reference', 'x'], 'minor units'],
    [['pay', 'INV-1', '--amount', '1'], '--reference'],
    [['pay', 'INV-999999', '--amount', '1', '--reference', 'x'], 'No invoice'],
    [['price', 'video_visit', '4,900'], 'minor units'],
    [['price', 'Video', '1'], 'Name the kind'],
    [['price', 'video_visit', '1', '--currency', 'usd'], '--currency'],
    [['price', 'video_visit', '1', '--from', 'soon'], '--from'],
    [['charge'], "doesn't match any usage"],
  ])('%p is refused: %s', async (args, words) => {
    expect(await billing(fixtures, ...args)).toContain(words)
  })
})
