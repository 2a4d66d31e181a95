// An invoice as a PDF and its charges as CSV, for bookkeeping.
import type { Problem } from '#contract/problems.ts'
import { csvOf } from '#http/html/csv.ts'
import { majorUnits } from '#http/html/money.ts'
import type { MemberCall, PortalHandler } from '../../context.ts'
import { missing, refused } from '../../refused.tsx'

export const findInvoice = (call: MemberCall) =>
  call.api('getInvoice', { names: { id: call.names['id'] ?? '' } })

/** The page for an invoice that can’t be shown. */
export const missingOr = (call: MemberCall, problem: Problem) =>
  problem.code === 'not_found'
    ? missing('Invoice not found', call.pathOf('usage'), 'Usage and invoices')
    : refused(call, 'Invoice', problem)

const invoiceCsv: PortalHandler = async (_portal, call) => {
  const found = await findInvoice(call)
  if (found.problem) return missingOr(call, found.problem)
  const invoice = found.value
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
  const found = await findInvoice(call)
  if (found.problem) return missingOr(call, found.problem)
  const invoice = found.value
  // Loaded for the first requested invoice, because its libraries take 13 MB.
  const { pdfOf } = await import('./invoice-pdf.ts')
  const content = await pdfOf(invoice, portal, call.member.name)
  return { file: { name: `${invoice.number}.pdf`, type: 'application/pdf', content } }
}

export const invoiceFileHandlers = { invoiceCsv, invoicePdf } satisfies Record<
  string,
  PortalHandler
>
