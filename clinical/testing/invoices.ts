// Invoices for tests. In live mode the clinic's console completes visits, and billing closes once a
// month. No API operation does either, so a test writes the rows as the owner.

import type { Mode } from '#contract/operation.ts'
import { now } from '#database/clock.ts'
import { sql, type Statement } from '#database/sql.ts'
import type { Fixtures, IntegrationFixture } from './fixtures.ts'
import { queryAsOwner } from './assertions.ts'
import { idAt } from './ids.ts'

/** The integration and mode whose rows are written. */
export type BillingTarget = { who: IntegrationFixture; mode: Mode }

const literal = (text: string): Statement => sql([text] as unknown as TemplateStringsArray)

/** The tenant of an integration's rows in a mode. In live mode, it's the clinic's. */
export async function tenantOf(fixtures: Fixtures, { who, mode }: BillingTarget): Promise<string> {
  const [row] = await queryAsOwner<{ id: string }>(
    fixtures,
    sql`select id::text as id from ${literal(mode)}.tenants
         where integration = ${who.integration} and organization is not null and retired_at is null`,
  )
  return row?.id ?? ''
}

/** The integration's own tenant, which its invoices belong to. */
async function ownTenantOf(fixtures: Fixtures, { who, mode }: BillingTarget): Promise<string> {
  const [row] = await queryAsOwner<{ id: string }>(
    fixtures,
    sql`select id::text as id from ${literal(mode)}.tenants
         where integration = ${who.integration} and organization is null and retired_at is null`,
  )
  return row?.id ?? ''
}

export type ChargeOptions = { amount?: number; kind?: string; reverses?: string; at?: string }

/** Writes a charge, or a reversal, and returns its ID. */
export async function createCharge(
  fixtures: Fixtures,
  books: BillingTarget,
  options: ChargeOptions = {},
): Promise<string> {
  const { amount = 4900, kind = 'video_visit', reverses = null, at } = options
  const moment = at === undefined ? now() : Date.parse(at)
  const id = idAt('charge', moment)
  await queryAsOwner(
    fixtures,
    sql`insert into ${literal(books.mode)}.charges
          (tenant, id, kind, resource_type, resource_id, amount, currency, reverses, reason, created_at)
        values (${await tenantOf(fixtures, books)}::bigint, ${id}, ${kind}, 'visit',
                ${idAt('visit', moment)}, ${amount}::bigint, 'USD', ${reverses},
                ${reverses === null ? null : 'Charged in error.'},
                ${new Date(moment).toISOString()}::timestamptz)`,
  )
  return id
}

let months = 0

/** Writes an invoice for these charges, in a month without another invoice. Returns its ID. */
export async function createInvoice(
  fixtures: Fixtures,
  books: BillingTarget,
  lines: readonly string[] = [],
): Promise<string> {
  const start = Date.UTC(2020, months++, 1)
  const end = Date.UTC(2020, months, 1)
  // Later than the previous invoice, as the tenant's clock requires.
  const made = now() + months
  const id = idAt('invoice', made)
  const tenant = await ownTenantOf(fixtures, books)
  const [from, to] = [new Date(start).toISOString(), new Date(end).toISOString()]
  await queryAsOwner(
    fixtures,
    sql`insert into ${literal(books.mode)}.invoices (tenant, id, number, status, period_start,
          period_end, currency, total, issued_at, due_at, created_at)
        values (${tenant}::bigint, ${id}, ${`TEST-${months}`}, 'open', ${from}::timestamptz,
          ${to}::timestamptz, 'USD', (select coalesce(sum(amount), 0)
            from ${literal(books.mode)}.charges where id = any (${lines}::text[])),
          ${to}::timestamptz, ${to}::timestamptz + interval '30 days',
          ${new Date(made).toISOString()}::timestamptz)`,
  )
  for (const charge of lines) {
    await queryAsOwner(
      fixtures,
      sql`insert into ${literal(books.mode)}.invoice_lines (tenant, invoice, charge_tenant, charge)
          select ${tenant}::bigint, ${id}, tenant, id from ${literal(books.mode)}.charges
           where id = ${charge}`,
    )
  }
  return id
}
