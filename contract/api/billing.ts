// Billing: the charge ledger, as usage and as invoices.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { define } from '../operation.ts'
import { closed, idOf, listOf, moment, named, nullable, oneOf, openWord, text } from '../shapes.ts'
import { chargeStatuses, invoiceStatuses } from '../states.ts'
import { page } from './answers.ts'

const kind = openWord(['video_visit'], { description: 'More kinds may be added.' })
const currency = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' })
const minor = (description: string) => Type.Integer({ description })

export const Charge = named('Charge', 'An entry in the charge ledger. Entries never change.', {
  id: idOf('charge'),
  kind,
  status: oneOf(chargeStatuses),
  resource: Type.Object(
    { type: Type.String(), id: Type.String() },
    { description: 'The resource the charge is for.' },
  ),
  amount: minor('In minor units. Negative for a reversal.'),
  currency,
  reverses: nullable(idOf('charge', { description: 'The charge this one reverses.' })),
  invoice: nullable(idOf('invoice')),
  created_at: moment(),
})

export const Usage = named('Usage', 'Charge totals for a time window, by kind.', {
  from: moment({ description: 'Inclusive.' }),
  to: moment({ description: 'Exclusive.' }),
  data: Type.Array(
    Type.Object({
      kind,
      count: Type.Integer({ description: 'Number of charges minus reversals.' }),
      amount: minor('In minor units, net of reversals.'),
      currency,
    }),
    { description: 'One entry per kind and currency, ordered by kind. Empty in test mode.' },
  ),
})

const invoice = {
  id: idOf('invoice'),
  number: text(1, 40, { description: 'A unique, human-readable number.' }),
  status: oneOf(invoiceStatuses),
  period_start: moment({ description: 'Inclusive.' }),
  period_end: moment({ description: 'Exclusive.' }),
  currency,
  total: minor('The sum of its charges, in minor units. If negative, it pays later invoices.'),
  amount_due: minor('The amount still owed, in minor units. Never negative.'),
  amount_paid: minor(
    'The amount paid, in minor units, including credit from earlier negative invoices.',
  ),
  issued_at: moment(),
  due_at: moment({ description: '30 days after issued_at.' }),
  paid_at: nullable(moment()),
  created_at: moment(),
}

export const Invoice = named('Invoice', "A month's charges. Live mode only.", {
  ...invoice,
  charges: Type.Optional(
    Type.Array(Charge, { description: 'Present when you read a single invoice, not in lists.' }),
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
    summary: 'Read charge totals for a time window, by kind.',
    description: `The window can span at most ${limits.usageWindowDays} days.`,
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
      'One invoice per month and currency covers the charges from every clinic. Invoices are issued ' +
      'on the first of the following month. Empty in test mode.',
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
    description: 'Test mode has no invoices, so every ID returns 404.',
    status: 200,
    returns: Invoice,
  },
})
