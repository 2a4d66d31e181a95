// The guide to what is charged, each with its test.
import type { Proofs } from '../proof.ts'

export const billing: Proofs = {
  'docs/billing.md': [
    [
      'A charge is one line of a ledger, and is never changed',
      'clinical/billing/ledger.test.ts',
      'no role can change or remove a live charge, or change a test charge',
    ],
    [
      'Where a visit costs you nothing, no charge is made and no event is sent',
      'clinical/billing/prices.test.ts',
      'that costs nothing has no charge, and no event of one',
    ],
    [
      'A charge is on one invoice at most, which the database refuses to break',
      'clinical/billing/ledger.test.ts',
      'the database refuses a charge on two invoices',
    ],
    [
      'a charge keeps the amount of the moment in which the visit was completed',
      'clinical/billing/prices.test.ts',
      'is charged what the integration pays at that moment',
    ],
    [
      'given up 90 days after it was due',
      'clinical/billing/operator.test.ts',
      'gives an invoice up 90 days after it was due; it can still be paid',
    ],
    [
      'once for each visit',
      'clinical/billing/ledger.test.ts',
      'a resource is charged once, and a charge is reversed once',
    ],
    [
      'the same amount with a minus, and `reverses` names the line it takes back',
      'clinical/billing/operator.test.ts',
      'reverses a charge once, with an event; its reversal is on the next invoice',
    ],
    [
      'over a window whose first moment is in and whose last is not',
      'clinical/billing/ledger.test.ts',
      'sums the charges of the window, from inclusive and to exclusive',
    ],
    [
      'nothing of the sandbox is owed',
      'clinical/billing/ledger.test.ts',
      'in test mode usage is empty, even when visits were completed',
    ],
    [
      'it is the current month of UTC until now',
      'clinical/billing/ledger.test.ts',
      'the window defaults to the current month until now',
    ],
    [
      'The sandbox has none, so the list is empty and every id is `not_found`',
      'clinical/billing/ledger.test.ts',
      '404 in test mode for every id, live ids included',
    ],
    [
      'one for you in each currency, whichever clinics the charges come from',
      'clinical/billing/invoicing.test.ts',
      'makes one invoice for each month and currency, of the charges of all clinics',
    ],
    [
      'The billing email of your settings gets a message; without one, every owner does',
      'clinical/billing/invoicing.test.ts',
      'emails the billing address of the integration, or else each owner',
    ],
    [
      'In the portal it is a page, a PDF, and its charges are a CSV',
      'portal/pages/organization/usage.test.ts',
      'an invoice is kept as CSV and as PDF, by members of the integration only',
    ],
    [
      'An invoice that is `void` has no charges: they are on the one that replaced it',
      'clinical/billing/operator.test.ts',
      'voids an invoice: the next run makes another of the same month',
    ],
    [
      'it may be below zero',
      'clinical/billing/invoicing.test.ts',
      'a total of zero or less is paid at once, and the rest pays later invoices',
    ],
    [
      '| `charges[].reverses` | the line that this one takes back, or null |',
      'clinical/billing/ledger.test.ts',
      '200: charges are in order, and a reversal names the charge that it reverses',
    ],
    [
      'what came in or was left by an earlier invoice below zero, and what is owed; never negative',
      'clinical/billing/ledger.test.ts',
      '200: amount_due is zero when the invoice is paid or void',
    ],
    [
      'from 00:05 UTC',
      'clinical/billing/invoicing.test.ts',
      'waits until five minutes after the end of the month, and writes who made it',
    ],
    [
      'no case, no decision, no message, no order, no event',
      'sweeps/table-claims.test.ts',
      'billing: a completed visit is the one thing that raises a charge',
    ],
    [
      '| `count` | charges minus reversals |',
      'clinical/billing/ledger.test.ts',
      'sums the charges of the window, from inclusive and to exclusive',
    ],
    [
      'The list shows an invoice without its lines, and `GET /v1/invoices/{id}` adds `charges`',
      'clinical/billing/ledger.test.ts',
      '200: charges are in order, and a reversal names the charge that it reverses',
    ],
    [
      'It is empty, because this is a test key',
      'clinical/billing/ledger.test.ts',
      'in test mode usage is empty, even when visits were completed',
    ],
    [
      '| `insufficient_scope` | the key lacks `billing:read` |',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a key with every scope but ${scope}',
    ],
    [
      '| `charges[].resource` | what the line was raised for: a visit and its id |',
      'clinical/billing/ledger.test.ts',
      'a completed visit is charged, and the event embeds the charge',
    ],
    [
      'its `status` is `completed`',
      'clinical/billing/ledger.test.ts',
      'a completed visit is charged, and the event embeds the charge',
    ],
    [
      '| `period_start`, `period_end` | the month; the end is not in it |',
      'clinical/billing/invoicing.test.ts',
      'makes one invoice for each month and currency, of the charges of all clinics',
    ],
    [
      '`GET /v1/usage` has the sums of one clinic at a time.',
      'portal/pages/organization/usage.test.ts',
      'where several clinics granted access, each is shown by itself',
    ],
    [
      'A charge that you do not know names its visit in `resource`',
      'clinical/billing/ledger.test.ts',
      'a completed visit is charged, and the event embeds',
    ],
  ],
}
