// One invoice with its charges.
import { isId, prefixes } from '#contract/ids.ts'
import type { ApiResult, PortalHandler } from '../../context.ts'
import { moneyText } from '../../frame/money.ts'
import { Facts, Heading, Table, Time } from '../../frame/parts.tsx'
import { missing } from '../../refused.tsx'

type Invoice = Extract<ApiResult<'getInvoice'>, { problem: null }>['value']

const invoice: PortalHandler = async (_portal, call) => {
  const id = call.names['id'] ?? ''
  const result = isId(prefixes.invoice, id)
    ? await call.api('getInvoice', {
        names: { id },
        organization: call.query.get('organization'),
      })
    : null
  if (result?.problem !== null) {
    return missing('No such invoice', call.pathOf('usage'), 'Usage and invoices')
  }
  const { value } = result
  const charges = value.charges ?? []
  return {
    title: value.number,
    content: (
      <>
        <Heading title={value.number} lead={`${value.status}, in months of UTC`} />
        <Facts of={factsOf(value)} />
        <section>
          <h2>Charges</h2>
          <Table
            caption="Charges"
            head={['Charge', 'Kind', 'For', 'Amount', 'When']}
            rows={charges.map(charge => [
              <code>{charge.id}</code>,
              <code>{charge.kind}</code>,
              <code>{charge.resource.id}</code>,
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
    ['Due', moneyText(value.amount_due, value.currency)],
    [
      'Period',
      <>
        <Time at={value.period_start} /> to <Time at={value.period_end} />
      </>,
    ],
    ['Issued', <Time at={value.issued_at} />],
    ['Payable until', <Time at={value.due_at} />],
    ['Id', <code>{value.id}</code>],
  ] as const

export const invoiceHandlers = { invoice } satisfies Record<string, PortalHandler>
