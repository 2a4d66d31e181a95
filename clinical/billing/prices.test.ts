// The price list: which price applies to whom and when, and which price a charge keeps.

import { describe, expect, test } from 'bun:test'
import { sqlState } from '#database/failures.ts'
import { type Statement, sql } from '#database/sql.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { invokeOk } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { billing } from '../testing/ledgers.ts'
import { bookedVisit } from '../testing/visits.ts'

const fixtures = useFixtures()

/** Returns the price of a kind for Ada's brand at the clinic, or null if the kind has no price. */
async function amountOf(kind: string, at: string | null = null): Promise<number | null> {
  const [row] = await queryAsOwner<{ amount: number | null }>(
    fixtures,
    sql`select p.amount::int as amount from billing.price_of(
          ${kind}, ${fixtures.ada.integration}, ${fixtures.clinic},
          coalesce(${at}::timestamptz, now())) p`,
  )
  return row?.amount ?? null
}

const set = (kind: string, amount: number, ...more: string[]) =>
  billing(fixtures, 'price', kind, String(amount), ...more)

describe('a price', () => {
  test('for an integration overrides one for a clinic, and both override the general price', async () => {
    const kind = 'case_review'
    const integration = ['--integration', fixtures.ada.integration]
    const clinic = ['--organization', fixtures.clinic]
    expect(await amountOf(kind)).toBe(null)
    for (const [amount, more] of [
      [400, []],
      [300, clinic],
      [200, integration],
      [100, [...integration, ...clinic]],
    ] as const) {
      expect(await set(kind, amount, ...more)).toContain(`${kind} costs ${amount} USD`)
      expect(await amountOf(kind)).toBe(amount)
    }
    await set(kind, 1, '--integration', fixtures.ben.integration)
    expect(await amountOf(kind)).toBe(100)
    expect(await billing(fixtures, 'prices')).toContain(
      `${kind}\t300 USD\tevery integration, ${fixtures.clinic}\tfrom `,
    )
  })

  test('applies from its start until the next one’s start', async () => {
    const kind = 'order_fulfilment'
    await set(kind, 100)
    await set(kind, 200, '--from', '2040-01-01T00:00:00Z')
    expect(await amountOf(kind, '2039-12-31T23:59:59.999Z')).toBe(100)
    expect(await amountOf(kind, '2040-01-01T00:00:00Z')).toBe(200)
    expect(await amountOf(kind, '2020-01-01T00:00:00Z')).toBe(null)
    expect(await set(kind, 300, '--from', '2039-01-01T00:00:00Z')).toContain('starts then or later')
  })

  test('for the past, or for something that doesn’t exist, is refused', async () => {
    expect(await set('other', 1, '--from', '2026-01-01T00:00:00Z')).toContain('not be in the past')
    expect(await set('other', 1, '--integration', 'int_x')).toContain('No integration')
    expect(await set('other', 1, '--organization', 'org_x')).toContain('No clinic')
  })

  test('is never changed or removed, and two of the same kind never overlap', async () => {
    await set('fixed', 100)
    const stateOf = (statement: Statement) =>
      queryAsOwner(fixtures, statement).then(() => 'accepted', sqlState)
    for (const statement of [
      sql`update billing.prices set amount = 1 where kind = 'fixed'`,
      sql`update billing.prices set amount = 1, valid_to = now() + interval '1 day' where kind = 'fixed'`,
      sql`delete from billing.prices where kind = 'fixed'`,
      sql`truncate billing.prices`,
    ]) {
      expect(await stateOf(statement)).toBe('42501')
    }
    const overlapping = sql`
      insert into billing.prices (kind, amount, currency, valid_from)
      values ('fixed', 1, 'USD', '2030-01-01')`
    expect(await stateOf(overlapping)).toBe('23P01')
  })
})

describe('a completed visit', () => {
  /** Completes a visit, and returns the completion event and all later events. */
  const complete = async () => {
    const { id } = await bookedVisit(fixtures)
    await invokeOk(fixtures, 'startVisit', { id })
    await invokeOk(fixtures, 'completeVisit', { id })
    const { data } = await invokeOk(fixtures, 'listEvents', {
      query: { include_resource: 'true', limit: '100' },
    })
    const types: string[] = data.map((one: { type: string }) => one.type)
    return data.slice(types.lastIndexOf('visit.completed.v1'))
  }
  const mine = () => ['--integration', fixtures.ada.integration]

  test('is charged at the integration’s price at that time', async () => {
    const [, first] = await complete()
    expect(first).toMatchObject({ type: 'charge.created.v1', data: { amount: 4900 } })
    await set('video_visit', 700, ...mine())
    const [, second] = await complete()
    expect(second).toMatchObject({ type: 'charge.created.v1', data: { amount: 700 } })
    const rows = await queryAsOwner<{ amount: number }>(
      fixtures,
      sql`select amount::int as amount from test.charges where id = ${first.resource.id}`,
    )
    expect(rows[0]?.amount).toBe(4900)
  })

  test('a free visit has no charge and no charge event', async () => {
    await set('video_visit', 0, ...mine())
    const written = await complete()
    expect(written.map((one: { type: string }) => one.type)).toEqual(['visit.completed.v1'])
    const rows = await queryAsOwner(
      fixtures,
      sql`select from test.charges where resource_id = ${written[0].resource.id}`,
    )
    expect(rows).toHaveLength(0)
  })
})
