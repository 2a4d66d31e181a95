// One invoice with its charges.
import type { ApiResult, PortalHandler } from '../../context.ts'
import { monthText } from '#http/html/dates.ts'
import { moneyText } from '#http/html/money.ts'
import { Facts, Heading, Id, Table, Time } from '#http/html/parts.tsx'
import { findInvoice, missingOr } from './invoice-files.ts'
import { InvoiceStatus } from './usage.tsx'

type Invoice = Extract<ApiResult<'getInvoice'>, { problem: null }>['value']

const invoice: PortalHandler = async (_portal, call) => {
  const found = await findInvoice(call)
  if (found.problem) return missingOr(call, found.problem)
  const { value } = found
  const charges = value.charges ?? []
  const fileOf = (row: 'invoicePdf' | 'invoiceCsv') => call.pathOf(row, { id: value.id })
  return {
    title: value.number,
    content: (
      <>
        <Heading title={value.number} lead={<InvoiceStatus of={value.status} />} />
        <p class="actions">
          <a class="button second small" href={fileOf('invoicePdf')}>
            PDF
          </a>
          <a class="button second small" href={fileOf('invoiceCsv')}>
            CSV
          </a>
        </p>
        <Facts of={factsOf(value)} />
        <section>
          <h2>Charges</h2>
          <Table
            caption="Charges"
            head={['Charge', 'Kind', 'For', 'Amount', 'Created']}
            rows={charges.map(charge => [
              <Id of={charge.id} />,
              <code>{charge.kind}</code>,
              <Id of={charge.resource.id} />,
              moneyText(charge.amount, charge.currency),
              <Time at={charge.created_at} />,
            ])}
          />
        </section>
      </>
    ),
  }
}

const factsOf = (value: Invoice) =>
  [
    ['Total', moneyText(value.total, value.currency)],
    ['Paid', moneyText(value.amount_paid, value.currency)],
    ['Amount due', moneyText(value.amount_due, value.currency)],
    ['Period', `${monthText(value.period_start)} (UTC)`],
    ['Issued', <Time at={value.issued_at} />],
    ['Due date', <Time at={value.due_at} />],
    ['ID', <Id of={value.id} />],
  ] as const

export const invoiceHandlers = { invoice } satisfies Record<string, PortalHandler>
