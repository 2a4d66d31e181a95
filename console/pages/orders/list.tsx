// The clinic's orders by status, oldest first.
import { orderStatuses } from '#contract/states.ts'
import { Badge, Empty, Heading, NextPage, Table, Time } from '#http/html/parts.tsx'
import type { ConsoleCall, ConsoleHandler } from '../../context.ts'
import { refused } from '../../refused.tsx'
import { statusText } from '../../words.ts'
import { medicationName } from '../medications.ts'
import { addressText } from '../patient-facts.tsx'
import { patientName } from '../patient-name.ts'
import { orderNumber } from './number.ts'
import { TransmissionBadge } from './transmission.tsx'

export const showOrders: ConsoleHandler = async (_, call) => {
  const status = orderStatuses.find(one => one === call.query.get('status'))
  const starting_after = call.query.get('after') ?? undefined
  const found = await call.perform('listPharmacyOrders', {
    id: null,
    query: { ...(status === undefined ? { view: 'open' } : { status }), starting_after },
  })
  if (found.problem) return refused('Orders', found.problem)
  const { data, has_more } = found.value
  const next = has_more ? call.pathOf('orders', {}, { status, after: data.at(-1)?.id }) : null
  return {
    title: status === undefined ? 'Open orders' : `${statusText(status)} orders`,
    content: (
      <>
        <Heading title="Orders" />
        <Tabs call={call} current={status} />
        <div id="results">
          {data.length === 0 ? (
            <Empty title={status === undefined ? 'No open orders' : 'No orders with this status'}>
              <p>Orders appear here when a clinician signs a plan.</p>
            </Empty>
          ) : (
            <Table
              caption="Orders"
              head={['Order', 'Patient', 'Medication', 'Quantity', 'Ship to', 'Status', 'Created']}
              rows={data.map(order => [
                <a key="order" class="moment" href={call.pathOf('order', { id: order.id })}>
                  {orderNumber(order.id)}
                </a>,
                patientName(order.recipient),
                medicationName(order.medication_id),
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
        </div>
      </>
    ),
  }
}

const Tabs = ({ call, current }: { call: ConsoleCall; current: string | undefined }) => (
  <nav class="tabs" aria-label="Status">
    {[undefined, ...orderStatuses].map(status => (
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
