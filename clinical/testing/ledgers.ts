// Ledgers for invoice tests: an integration with two clinics in live mode, charges at given times,
// and helpers that run the job and the operator's commands.

import { actOfOperator } from '#auth/operator.ts'
import type { Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { billingCommand } from '../billing/billing-command.ts'
import { invoicingJob } from '../billing/invoicing-job.ts'
import { reverseCharge } from '../billing/operator.ts'
import { queryAsOwner } from './assertions.ts'
import type { Fixtures } from './fixtures.ts'
import { idAt } from './ids.ts'

export type Ledger = {
  integration: string
  /** The integration's tenants at its two clinics. */
  tenants: readonly [string, string]
}

let made = 0

export async function openLedger(fixtures: Fixtures): Promise<Ledger> {
  const integration = idAt('integration', ++made)
  const [first, second] = ['one', 'two'].map(name => `org_${name}_${made}`)
  await queryAsOwner(
    fixtures,
    sql`insert into auth.integrations (id, name) values (${integration}, 'Billed')`,
  )
  const rows = await queryAsOwner<{ id: string }>(
    fixtures,
    sql`with clinic as (
          insert into auth.organizations (id, name, slug)
          select x, x, replace(x, '_', '-') from unnest(${[first ?? '', second ?? '']}::text[]) x
          returning id)
        insert into live.tenants (integration, organization) select ${integration}, id from clinic
        returning id::text as id`,
  )
  const [one, two] = rows.map(({ id }) => id)
  if (one === undefined || two === undefined) throw new Error('no tenants were created')
  return { integration, tenants: [one, two] }
}

type NewCharge = { amount?: number; currency?: string; tenant?: string }

/** Writes a charge at a given time, and returns its ID. */
export async function chargeAt(
  fixtures: Fixtures,
  { tenants }: Ledger,
  at: string,
  { amount = 4900, currency = 'USD', tenant = tenants[0] }: NewCharge = {},
): Promise<string> {
  const id = idAt('charge', Date.parse(at))
  await queryAsOwner(
    fixtures,
    sql`insert into live.charges (tenant, id, kind, resource_type, resource_id, amount, currency, created_at)
        values (${tenant}::bigint, ${id}, 'video_visit', 'visit', ${`visit of ${id}`},
                ${amount}::bigint, ${currency}, ${at}::timestamptz)`,
  )
  return id
}

/** Reverses a charge like the operator's command, but at a given time. */
export async function reverseAt(
  fixtures: Fixtures,
  ledger: Ledger,
  charge: string,
  at: string,
): Promise<void> {
  await queryAsOwner(
    fixtures,
    sql`insert into live.charges (tenant, id, kind, resource_type, resource_id, amount, currency,
                                  reverses, reason, created_at)
        select tenant, ${idAt('charge', Date.parse(at))}, kind, resource_type,
               resource_id, -amount, currency, id, 'In error.', ${at}::timestamptz
          from live.charges where tenant = any (${ledger.tenants}::bigint[]) and id = ${charge}`,
  )
}

/** Runs the job once, as of now. */
export const makeInvoices = async (fixtures: Fixtures) =>
  invoicingJob.run(fixtures.workerContext, ['live'], () => null)

/** Runs the job as of a given time, one integration after another. */
export async function makeInvoicesAt(fixtures: Fixtures, at: string): Promise<number> {
  let sum = 0
  for (;;) {
    const [row] = await fixtures.workerContext.pools.live.use(connection =>
      connection.run<{ made: number | null }>(
        sql`select live.invoice_next(${at}::timestamptz) as made`,
      ),
    )
    if (row?.made === null || row === undefined) return sum
    sum += row.made
  }
}

export type InvoiceRow = Row & {
  id: string
  number: string
  status: string
  month: string
  currency: string
  total: number
  credit: number
  paid: number
  lines: number
  sum: number
}

/** An integration's invoices, in the order they were created. */
export async function invoicesOf(
  fixtures: Fixtures,
  { integration }: Ledger,
): Promise<InvoiceRow[]> {
  const rows = await queryAsOwner<InvoiceRow>(
    fixtures,
    sql`select i.id, i.number, i.status, to_char(i.period_start at time zone 'UTC', 'YYYY-MM') as month,
               i.currency, i.total::int, i.credit::int, i.amount_paid::int as paid,
               count(l.charge)::int as lines, coalesce(sum(c.amount), 0)::int as sum
          from live.invoices i join live.tenants t on t.id = i.tenant
          left join live.invoice_lines l on l.tenant = i.tenant and l.invoice = i.id
          left join live.charges c on c.tenant = l.charge_tenant and c.id = l.charge
         where t.integration = ${integration}
         group by i.tenant, i.id order by i.created_at, i.number`,
  )
  return [...rows]
}

/** Runs `npm run admin -- billing …`; returns what it prints, or its refusal's message. */
export const billing = (fixtures: Fixtures, ...args: string[]): Promise<string> =>
  fixtures.owner.use(connection =>
    billingCommand(args, { connection }).catch((refused: Error) => refused.message),
  )

export const reverse = (fixtures: Fixtures, charge: string) =>
  fixtures.owner.use(connection => reverseCharge(connection, charge, 'In error.', actOfOperator()))
