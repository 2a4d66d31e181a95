// Billing: the ledger of charges, as usage and as invoices.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { define } from '../operation.ts'
import { closed, idOf, listOf, moment, named, nullable, oneOf, openWord, text } from '../shapes.ts'
import { chargeStatuses, invoiceStatuses } from '../states.ts'
import { page } from './answers.ts'

const kind = openWord(['video_visit'], { description: 'More kinds may be added.' })
const currency = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' })
const minor = (description: string) => Type.Integer({ description })

export const Charge = named('Charge', 'One entry of the charge ledger. Entries never change.', {
  id: idOf('charge'),
  kind,
  status: oneOf(chargeStatuses),
  resource: Type.Object(
    { type: Type.String(), id: Type.String() },
    { description: 'What the charge is for.' },
  ),
  amount: minor('Minor units; negative on a reversal.'),
  currency,
  reverses: nullable(idOf('charge', { description: 'The charge that it reverses.' })),
  invoice: nullable(idOf('invoice')),
  created_at: moment(),
})

export const Usage = named('Usage', 'Totals of the charge ledger over a time window, by kind.', {
  from: moment({ description: 'Inclusive.' }),
  to: moment({ description: 'Exclusive.' }),
  data: Type.Array(
    Type.Object({
      kind,
      count: Type.Integer({ description: 'Charges minus reversals.' }),
      amount: minor('Minor units, reversals subtracted.'),
      currency,
    }),
    { description: 'One entry per kind and currency, ordered by kind. Empty in test mode.' },
  ),
})

const invoice = {
  id: idOf('invoice'),
  number: text(1, 40, { description: 'Unique and readable by people.' }),
  status: oneOf(invoiceStatuses),
  period_start: moment({ description: 'Inclusive.' }),
  period_end: moment({ description: 'Exclusive.' }),
  currency,
  total: minor('Minor units: the sum of its charges. Below zero, it pays later invoices.'),
  amount_due: minor('Minor units still owed, never negative.'),
  amount_paid: minor('Minor units, with what earlier invoices below zero left.'),
  issued_at: moment(),
  due_at: moment({ description: '30 days after issued_at.' }),
  paid_at: nullable(moment()),
  created_at: moment(),
}

export const Invoice = named('Invoice', 'One month of charges. Live mode only.', {
  ...invoice,
  charges: Type.Optional(
    Type.Array(Charge, { description: 'Only when one invoice is read, not in the list.' }),
  ),
})

export const billing = define({
  getUsage: {
    method: 'GET',
    path: '/v1/usage',
    tag: 'Billing',
    scope: 'billing:read',
    mode: 'both',
    tool: false,
    summary: 'Read the charges of a time window in totals, by kind.',
    description: `The window can be at most ${limits.usageWindowDays} days.`,
    query: closed({
      from: Type.Optional(
        moment({ description: 'Inclusive. Default: the first of the current month, UTC.' }),
      ),
      to: Type.Optional(moment({ description: 'Exclusive, after from. Default: now.' })),
    }),
    status: 200,
    returns: Usage,
  },
  listInvoices: {
    method: 'GET',
    path: '/v1/invoices',
    tag: 'Billing',
    scope: 'billing:read',
    mode: 'both',
    tool: false,
    summary: 'List invoices.',
    description:
      'One for each month and currency, with the charges of every clinic. Made on the first of the ' +
      'next month. Empty in test mode.',
    query: closed(page('invoice')),
    status: 200,
    returns: listOf(Invoice),
  },
  getInvoice: {
    method: 'GET',
    path: '/v1/invoices/{id}',
    tag: 'Billing',
    scope: 'billing:read',
    mode: 'both',
    tool: false,
    summary: 'Read an invoice with its charges.',
    description: 'In test mode there is none, so every id answers 404.',
    status: 200,
    returns: Invoice,
  },
})
