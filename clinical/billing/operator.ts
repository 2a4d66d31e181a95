// The operator's actions on prices and invoices. Each action calls a database function that makes
// the decision and writes the audit row (database/migrations/0006_administration.sql and
// 0017_invoicing.sql).

import type { Connection, Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { type Act, actOf, refusalOf } from '#auth/act.ts'

export type RefusedBilling =
  | 'unknown_integration'
  | 'unknown_organization'
  | 'in_the_past'
  | 'later_price'
  | 'unknown_charge'
  | 'is_a_reversal'
  | 'already_reversed'
  | 'unknown_invoice'
  | 'already_recorded'
  | 'not_open'
  | 'too_much'
  | 'paid_in_part'
  | 'credit_used'
  | 'too_early'

const decided = (connection: Connection, statement: Statement) =>
  refusalOf<RefusedBilling>(connection, statement)

export type NewPrice = {
  /** In minor units. */
  amount: number
  /** ISO 4217. */
  currency: string
  /** Null applies the price to all integrations. */
  integration: string | null
  organization: string | null
  /** RFC 3339; null means now. */
  from: string | null
}

export const addPrice = (connection: Connection, kind: string, price: NewPrice, act: Act) =>
  decided(
    connection,
    sql`billing.add_price(${kind}, ${JSON.stringify(price)}::text::jsonb, ${actOf(act)})`,
  )

export const reverseCharge = (connection: Connection, id: string, reason: string, act: Act) =>
  decided(connection, sql`live.reverse_charge(${id}, ${reason}, ${actOf(act)})`)

export type Payment = {
  number: string
  /** In minor units of the invoice's currency. */
  amount: number
  /** The transfer's or check's reference. Each is recorded once per integration. */
  reference: string
}

export const payInvoice = (connection: Connection, payment: Payment, act: Act) =>
  decided(
    connection,
    sql`live.pay_invoice(${payment.number}, ${payment.amount}::bigint, ${payment.reference}, ${actOf(act)})`,
  )

export const endInvoice = (
  connection: Connection,
  number: string,
  status: 'void' | 'uncollectible',
  act: Act,
) => decided(connection, sql`live.end_invoice(${number}, ${status}, ${actOf(act)})`)

export type PriceRow = Row & {
  kind: string
  amount: string
  currency: string
  integration: string | null
  organization: string | null
  valid_from: string
  valid_to: string | null
}

/** Lists current and future prices. */
export const listPrices = (connection: Connection): Promise<PriceRow[]> =>
  connection.run(sql`
    select kind, amount::text, currency, integration, organization, iso(valid_from) as valid_from,
           iso(valid_to) as valid_to
      from billing.prices where valid_to is null or valid_to > now()
     order by kind, integration nulls first, organization nulls first, valid_from, id`)

export type InvoiceRow = Row & {
  number: string
  integration: string
  name: string
  status: string
  period_start: string
  currency: string
  total: string
  amount_paid: string
  due_at: string
}

/** Lists invoices, optionally with one status. */
export const listAllInvoices = (
  connection: Connection,
  status: string | null,
): Promise<InvoiceRow[]> =>
  connection.run(sql`
    select i.number, t.integration, n.name, i.status, iso(i.period_start) as period_start,
           i.currency, i.total::text, i.amount_paid::text, iso(i.due_at) as due_at
      from live.invoices i
      join live.tenants t on t.id = i.tenant
      join auth.integrations n on n.id = t.integration
     where ${status}::text is null or i.status = ${status}::text
     order by i.created_at, i.number`)
