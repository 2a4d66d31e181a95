// The clinic's orders by status: those to fill, oldest first, and past ones, newest first.
import { pastOrderStatuses } from '#contract/console/orders.ts'
import { orderStatuses } from '#contract/states.ts'
import { Empty, Heading, NextPage, Pager, Table, Time } from '#http/html/parts.tsx'
import type { ComponentChildren } from 'preact'
import type { ConsoleCall, ConsoleHandler, OperationResult } from '../../context.ts'
import { refused } from '../../refused.tsx'
import { statusText } from '#http/html/status-text.ts'
import { medicationName } from '../medications.ts'
import { addressText } from '../patient-facts.tsx'
import { patientName } from '../patient-name.ts'
import { orderNumber } from './number.ts'
import { OrderState } from './state.tsx'
import { TransmissionBadge } from './transmission.tsx'

/** Orders that couldn't be sent to the pharmacy have a list of their own. */
const lists = [...orderStatuses, 'not_sent'] as const
type List = (typeof lists)[number]
type Listed = Extract<
  OperationResult<'listPharmacyOrders'>,
  { problem: null }
>['value']['data'][number]

export const showOrders: ConsoleHandler = (_, call) => {
  const status = lists.find(one => one === call.query.get('status'))
  const past = pastOrderStatuses.find(one => one === status)
  return past === undefined ? ordersToFill(call, status) : pastOrders(call, past)
}

/** Oldest first, because those wait the longest. */
async function ordersToFill(call: ConsoleCall, status: List | undefined) {
  const starting_after = call.query.get('after') ?? undefined
  const found = await call.perform('listPharmacyOrders', {
    id: null,
    query: { ...filterOf(status), starting_after },
  })
  if (found.problem) return refused('Orders', found.problem)
  const { data, has_more } = found.value
  const at = (after?: string) => call.pathOf('orders', {}, { status, after })
  const pager = (
    <NextPage
      next={has_more ? at(data.at(-1)?.id) : null}
      first={starting_after === undefined ? null : at()}
    />
  )
  return ordersPage(call, status, data, pager)
}

const filterOf = (list: List | undefined) =>
  list === undefined ? { view: 'open' } : list === 'not_sent' ? { view: list } : { status: list }

/** Newest first, because those are looked up most. */
async function pastOrders(call: ConsoleCall, status: (typeof pastOrderStatuses)[number]) {
  const before = call.query.get('before') ?? undefined
  const found = await call.perform('listPastOrders', { id: null, query: { status, before } })
  if (found.problem) return refused('Orders', found.problem)
  const { data, has_more } = found.value
  const at = (last?: string) => call.pathOf('orders', {}, { status, before: last })
  const pager = (
    <Pager
      older={has_more ? at(data.at(-1)?.id) : null}
      newer={before === undefined ? null : at()}
      newerText="Latest"
    />
  )
  return ordersPage(call, status, data, pager)
}

const titleOf = (list: List | undefined) =>
  list === undefined
    ? 'Open orders'
    : list === 'not_sent'
      ? 'Orders not sent'
      : `${statusText(list)} orders`

const ordersPage = (
  call: ConsoleCall,
  status: List | undefined,
  data: readonly Listed[],
  pager: ComponentChildren,
) => ({
  title: titleOf(status),
  content: (
    <>
      <Heading title="Orders" />
      <div id="results" class="stack-of">
        <Tabs call={call} current={status} />
        {data.length === 0 ? (
          <Empty title={status === undefined ? 'No open orders' : 'No orders with this status'}>
            <p>Orders appear here when a clinician signs a plan.</p>
          </Empty>
        ) : (
          <Table
            caption="Orders"
            head={['Order', 'Patient', 'Medication', 'Quantity', 'Ship to', 'Status', 'Created']}
            rows={data.map(order => rowOf(call, order))}
          />
        )}
        {pager}
      </div>
    </>
  ),
})

const rowOf = (call: ConsoleCall, order: Listed) => [
  <a key="order" class="moment" href={call.pathOf('order', { id: order.id })}>
    {orderNumber(order.id)}
  </a>,
  patientName(order.recipient),
  medicationName(order.medication_id),
  order.quantity,
  addressText(order.ship_to),
  <span key="status">
    <OrderState status={order.status} />
    <TransmissionBadge of={order.transmission} />
  </span>,
  <Time key="at" at={order.created_at} />,
]

type TabsProps = {
  readonly call: ConsoleCall
  readonly current: List | undefined
}

/** Refreshed with the list, because an order that isn't sent adds a tab. */
const Tabs = ({ call, current }: TabsProps) => (
  <nav class="tabs" aria-label="Status">
    {[
      undefined,
      ...(call.work?.stopped || current === 'not_sent' ? (['not_sent'] as const) : []),
      ...orderStatuses,
    ].map(status => (
      <a
        key={status ?? 'open'}
        href={call.pathOf('orders', {}, { status })}
        aria-current={status === current ? 'page' : undefined}
      >
        {status === undefined ? 'Open' : statusText(status)}
      </a>
    ))}
  </nav>
)
