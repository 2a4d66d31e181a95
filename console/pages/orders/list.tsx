// The orders of a clinic by their status, the oldest first.
import { orderStatuses } from '#contract/states.ts'
import { Badge, Empty, Heading, NextPage, Table, Time } from '#http/html/parts.tsx'
import type { ConsoleCall, ConsoleHandler } from '../../context.ts'
import { refused } from '../../refused.tsx'
import { statusText } from '../../words.ts'
import { medicationName } from '../medications.ts'
import { addressText } from '../patient-facts.tsx'
import { TransmissionBadge } from './transmission.tsx'

export const showOrders: ConsoleHandler = async (_, call) => {
  const status = orderStatuses.find(one => one === call.query.get('status')) ?? 'created'
  const starting_after = call.query.get('after') ?? undefined
  const found = await call.perform('listPharmacyOrders', {
    id: null,
    query: { status, starting_after },
  })
  if (found.problem) return refused('Orders', found.problem)
  const { data, has_more } = found.value
  const next = has_more ? call.pathOf('orders', {}, { status, after: data.at(-1)?.id }) : null
  return {
    title: 'Orders',
    content: (
      <>
        <Heading title="Orders" lead="By their status, the oldest first." />
        <Tabs call={call} current={status} />
        {data.length === 0 ? (
          <Empty title="No order has this status">
            <p>An order is created when a clinician signs a plan.</p>
          </Empty>
        ) : (
          <Table
            caption="Orders"
            head={['Medication', 'Quantity', 'Ship to', 'Status', 'Created']}
            rows={data.map(order => [
              <a key="order" href={call.pathOf('order', { id: order.id })}>
                {medicationName(order.medication_id)}
              </a>,
              order.quantity,
              addressText(order.ship_to),
              <span key="status">
                <Badge tone={order.status === 'blocked' ? 'bad' : 'plain'}>
                  {statusText(order.status)}
                </Badge>
                <TransmissionBadge of={order.transmission} />
              </span>,
              <Time key="at" at={order.created_at} />,
            ])}
          />
        )}
        <NextPage
          next={next}
          first={starting_after ? call.pathOf('orders', {}, { status }) : null}
        />
      </>
    ),
  }
}

const Tabs = ({ call, current }: { call: ConsoleCall; current: string }) => (
  <nav class="tabs" aria-label="Status">
    {orderStatuses.map(status => (
      <a
        key={status}
        href={call.pathOf('orders', {}, { status })}
        aria-current={status === current ? 'page' : undefined}
      >
        {statusText(status)}
      </a>
    ))}
  </nav>
)
