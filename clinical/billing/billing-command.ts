// `npm run admin -- billing` manages prices, charges and invoices outside the API.
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
price sets a price starting at a time, by default now, and ends the price it replaces. Existing
charges keep their amount. An integration's price overrides a clinic's, and both override the
default; 0 makes the kind free.
The worker creates invoices on the first of each month. pay records a payment once per reference.
void cancels an unpaid invoice; the worker invoices its charges again.
give-up writes off an invoice 90 days or more after it was due.
reverse adds a charge with the negative amount to the next invoice.`

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

/** Runs one command and returns its output. */
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
  if (!/^[a-z][a-z_]{0,39}$/.test(kind))
    throw new CommandFault('Name the kind, such as video_visit.')
  if (!/^[A-Z]{3}$/.test(currency)) throw new CommandFault('--currency must be a code such as USD.')
  const from = flags.from ?? null
  if (from !== null && Number.isNaN(Date.parse(from))) {
    throw new CommandFault('--from must be a timestamp, such as 2027-01-01T00:00:00Z.')
  }
  const price = {
    amount: amountFrom(amount, 0),
    currency,
    integration: flags.integration ?? null,
    organization: flags.organization ?? null,
    from,
  }
  accept(await addPrice(connection, kind, price, actOfOperator()))
  return `${kind} costs ${price.amount} ${currency} starting ${from ?? 'now'}.`
}

async function showInvoices(
  connection: Connection,
  _names: readonly string[],
  { status }: Flags,
): Promise<string> {
  const invoices = await listAllInvoices(connection, status ?? null)
  if (invoices.length === 0) return 'No matching invoices.'
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
    throw new CommandFault(
      '--reference must name the transfer or check, in at most 120 characters.',
    )
  }
  const amount = amountFrom(flags.amount ?? '', 1)
  accept(await payInvoice(connection, { number, amount, reference }, actOfOperator()))
  return `Recorded ${amount} for ${number}.`
}

function end(status: 'void' | 'uncollectible', done: string): Command {
  return async (connection, [number = '']) => {
    accept(await endInvoice(connection, number, status, actOfOperator()))
    return `${number} ${done}`
  }
}

const reverse: Command = async (connection, [id = ''], flags) => {
  const reason = flags.reason?.trim() ?? ''
  if (reason === '') throw new CommandFault('--reason must say why.')
  accept(await reverseCharge(connection, id, reason, actOfOperator()))
  return `Reversed ${id}.`
}

const commands: Readonly<Record<string, { names: number; run: Command } | undefined>> = {
  prices: { names: 0, run: showPrices },
  price: { names: 2, run: changePrice },
  invoices: { names: 0, run: showInvoices },
  pay: { names: 1, run: recordPayment },
  void: { names: 1, run: end('void', 'is void. The worker will invoice its charges again.') },
  'give-up': { names: 1, run: end('uncollectible', 'is written off.') },
  reverse: { names: 1, run: reverse },
}

function amountFrom(text: string, least: number): number {
  const amount = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN
  if (amount >= least) return amount
  throw new CommandFault('The amount must be in minor units, such as 4900 for 49 dollars.')
}

function accept(refusal: RefusedBilling | null): void {
  if (refusal !== null) throw new CommandFault(refusals[refusal])
}

const refusals: Record<RefusedBilling, string> = {
  unknown_integration: 'No integration has this ID.',
  unknown_organization: 'No clinic has this ID.',
  in_the_past: '--from must not be in the past, because charges keep their price.',
  later_price:
    'A price for this already starts then or later. See: npm run admin -- billing prices',
  unknown_charge: 'No live charge has this ID.',
  is_a_reversal: 'A reversal cannot be reversed. Add a new charge instead.',
  already_reversed: 'This charge was already reversed.',
  unknown_invoice: 'No invoice has this number. See: npm run admin -- billing invoices',
  already_recorded: 'A payment with this reference was already recorded.',
  not_open: 'The invoice is not open. See: npm run admin -- billing invoices',
  too_much:
    'The amount must not exceed the balance. Refund the rest, or record it on another invoice.',
  paid_in_part: 'The invoice is partly paid. Reverse its charges instead.',
  credit_used: 'Its credit was already used. Void the invoice that used it first.',
  too_early: 'An invoice can be written off starting 90 days after it was due.',
}
