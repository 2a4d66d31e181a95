// The command `npm run admin -- billing` manages prices, and charges and invoices outside the API.
import { parseArgs } from 'node:util'
import { actOfOperator, CommandFault, unknownCommand } from '#auth/operator.ts'
import type { Connection } from '#database/pool.ts'
import {
  addPrice,
  endInvoice,
  listAllInvoices,
  listPrices,
  payInvoice,
  type RefusedBilling,
  reverseCharge,
} from './operator.ts'

export const billingHelp = `Usage:
  npm run admin -- billing prices
  npm run admin -- billing price video_visit 4900 --currency USD [--integration int_…]
      [--organization org_…] [--from 2027-01-01T00:00:00Z]
  npm run admin -- billing invoices [--status open]
  npm run admin -- billing pay INV-000001 --amount 4900 --reference "wire 20261203-17"
  npm run admin -- billing void INV-000001
  npm run admin -- billing give-up INV-000001
  npm run admin -- billing reverse chg_… --reason "Billed for a visit that did not take place."

Amounts are in minor units: 4900 USD is 49 dollars.
price sets a price from a time on, now by default, and ends the one that it replaces. Charges keep
their amount. A price for an integration wins over one for a clinic, and both over the one for
everyone; 0 makes the kind free.
The worker creates invoices on the first of each month. pay records a payment once per reference.
void takes back an invoice on which nothing was paid; the worker invoices its charges again.
give-up marks an invoice that will not be paid, 90 days after it was due.
reverse adds a charge of the negative amount to the next invoice.`

type Flags = Partial<
  Record<
    | 'currency'
    | 'integration'
    | 'organization'
    | 'from'
    | 'status'
    | 'amount'
    | 'reference'
    | 'reason',
    string
  >
>
type Command = (connection: Connection, names: readonly string[], flags: Flags) => Promise<string>

/** Runs one command and returns what to print. */
export async function billingCommand(
  args: string[],
  { connection }: { connection: Connection },
): Promise<string> {
  const text = { type: 'string' } as const
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      currency: text,
      integration: text,
      organization: text,
      from: text,
      status: text,
      amount: text,
      reference: text,
      reason: text,
    },
  })
  const [command = '', ...names] = positionals
  const found = commands[command]
  if (found?.names !== names.length) throw unknownCommand(positionals)
  return found.run(connection, names, values)
}

async function showPrices(connection: Connection): Promise<string> {
  const prices = await listPrices(connection)
  return prices
    .map(one => {
      const whom = [one.integration ?? 'every integration', one.organization ?? 'every clinic']
      const until = one.valid_to === null ? '' : ` until ${one.valid_to}`
      return `${one.kind}\t${one.amount} ${one.currency}\t${whom.join(', ')}\tfrom ${one.valid_from}${until}`
    })
    .join('\n')
}

const changePrice: Command = async (connection, [kind = '', amount = ''], flags) => {
  const currency = flags.currency ?? 'USD'
  if (!/^[a-z][a-z_]{0,39}$/.test(kind)) throw new CommandFault('Name the kind, as video_visit.')
  if (!/^[A-Z]{3}$/.test(currency)) throw new CommandFault('--currency must be as USD.')
  const from = flags.from ?? null
  if (from !== null && Number.isNaN(Date.parse(from))) {
    throw new CommandFault('--from must be a moment, as 2027-01-01T00:00:00Z.')
  }
  const price = {
    amount: amountFrom(amount, 0),
    currency,
    integration: flags.integration ?? null,
    organization: flags.organization ?? null,
    from,
  }
  accept(await addPrice(connection, kind, price, actOfOperator()))
  return `${kind} costs ${price.amount} ${currency} from ${from ?? 'now'} on.`
}

async function showInvoices(
  connection: Connection,
  _names: readonly string[],
  { status }: Flags,
): Promise<string> {
  const invoices = await listAllInvoices(connection, status ?? null)
  if (invoices.length === 0) return 'There is no such invoice.'
  return invoices
    .map(one =>
      [
        one.number,
        one.status,
        `${one.integration} ${one.name}`,
        one.period_start.slice(0, 7),
        `${one.amount_paid} of ${one.total} ${one.currency}`,
        `due ${one.due_at.slice(0, 10)}`,
      ].join('\t'),
    )
    .join('\n')
}

const recordPayment: Command = async (connection, [number = ''], flags) => {
  const reference = flags.reference?.trim() ?? ''
  if (reference === '' || reference.length > 120) {
    throw new CommandFault('--reference must name the transfer or the check, in 120 characters.')
  }
  const amount = amountFrom(flags.amount ?? '', 1)
  accept(await payInvoice(connection, { number, amount, reference }, actOfOperator()))
  return `${amount} on ${number} is recorded.`
}

function end(status: 'void' | 'uncollectible', done: string): Command {
  return async (connection, [number = '']) => {
    accept(await endInvoice(connection, number, status, actOfOperator()))
    return `${number} ${done}`
  }
}

const reverse: Command = async (connection, [id = ''], flags) => {
  const reason = flags.reason?.trim() ?? ''
  if (reason === '') throw new CommandFault('--reason must say why, for those who read the ledger.')
  accept(await reverseCharge(connection, id, reason, actOfOperator()))
  return `${id} is reversed.`
}

const commands: Readonly<Record<string, { names: number; run: Command } | undefined>> = {
  prices: { names: 0, run: showPrices },
  price: { names: 2, run: changePrice },
  invoices: { names: 0, run: showInvoices },
  pay: { names: 1, run: recordPayment },
  void: { names: 1, run: end('void', 'is void. The worker makes another one of its charges.') },
  'give-up': { names: 1, run: end('uncollectible', 'is marked as one that will not be paid.') },
  reverse: { names: 1, run: reverse },
}

function amountFrom(text: string, least: number): number {
  const amount = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN
  if (amount >= least) return amount
  throw new CommandFault('An amount must be in minor units, as 4900 for 49 dollars.')
}

function accept(refusal: RefusedBilling | null): void {
  if (refusal !== null) throw new CommandFault(refusals[refusal])
}

const refusals: Record<RefusedBilling, string> = {
  unknown_integration: 'There is no integration of that id.',
  unknown_organization: 'There is no clinic of that id.',
  in_the_past: '--from must not be in the past: what was charged keeps its price.',
  later_price:
    'There is a price for the same from then or later. See: npm run admin -- billing prices',
  unknown_charge: 'There is no live charge of that id.',
  is_a_reversal: 'A reversal is not reversed. A mistaken one needs a new charge.',
  already_reversed: 'This charge is reversed already.',
  unknown_invoice: 'There is no invoice of that number. See: npm run admin -- billing invoices',
  already_recorded: 'A payment with this reference is recorded already.',
  not_open: 'The invoice is not open. See: npm run admin -- billing invoices',
  too_much: 'The amount must be at most what is owed. Pay back the rest, or record it on another.',
  paid_in_part: 'Something was paid on it. Reverse its charges instead.',
  credit_used: 'What it credits was paid from already. Void the invoice that used it first.',
  too_early: 'An invoice is given up 90 days after it was due, or later.',
}
