// An invoice as a PDF and its charges as CSV, for bookkeeping.
import { isId, prefixes } from '#contract/ids.ts'
import { csvOf } from '#http/html/csv.ts'
import { majorUnits } from '#http/html/money.ts'
import type { MemberCall, PortalHandler } from '../../context.ts'
import { missing } from '../../refused.tsx'
import type { Invoice } from './invoice-pdf.ts'

/** The invoice in the path, or null if the account has none with that ID. */
export async function invoiceOf(call: MemberCall): Promise<Invoice | null> {
  const id = call.names['id'] ?? ''
  if (!isId(prefixes.invoice, id)) return null
  const organization = call.query.get('organization')
  const result = await call.api('getInvoice', { names: { id }, organization })
  return result.problem === null ? result.value : null
}

export const noSuchInvoice = (call: MemberCall) =>
  missing('Invoice not found', call.pathOf('usage'), 'Usage and invoices')

const invoiceCsv: PortalHandler = async (_portal, call) => {
  const invoice = await invoiceOf(call)
  if (invoice === null) return noSuchInvoice(call)
  const head = ['charge', 'kind', 'for', 'amount', 'currency', 'reverses', 'created_at']
  const rows = (invoice.charges ?? []).map(one => [
    one.id,
    one.kind,
    one.resource.id,
    majorUnits(one.amount, one.currency),
    one.currency,
    one.reverses,
    one.created_at,
  ])
  return {
    file: {
      name: `${invoice.number}.csv`,
      type: 'text/csv; charset=utf-8',
      content: csvOf(head, rows),
    },
  }
}

const invoicePdf: PortalHandler = async (portal, call) => {
  const invoice = await invoiceOf(call)
  if (invoice === null) return noSuchInvoice(call)
  // Loaded for the first requested invoice, because its libraries take 13 MB.
  const { pdfOf } = await import('./invoice-pdf.ts')
  const content = await pdfOf(invoice, portal, call.member.name)
  return { file: { name: `${invoice.number}.pdf`, type: 'application/pdf', content } }
}

export const invoiceFileHandlers = { invoiceCsv, invoicePdf } satisfies Record<
  string,
  PortalHandler
>
