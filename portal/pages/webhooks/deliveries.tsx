// A delivery in a list.
import type { ApiResult, MemberCall } from '../../context.ts'
import { Badge, Table, Time } from '#http/html/parts.tsx'
import { millisecondsText, outcomeText } from './delivery-words.ts'

export type DeliverySummary = Extract<
  ApiResult<'listNewestDeliveries'>,
  { problem: null }
>['value']['data'][number]

/** With each of its attempts. */
export type Delivery = Extract<ApiResult<'getDelivery'>, { problem: null }>['value']

const tones = { delivered: 'good', pending: 'waiting', failed: 'bad' } as const

export const DeliveryState = ({ status }: Pick<DeliverySummary, 'status'>) => (
  <Badge tone={tones[status]}>{status}</Badge>
)

/** `of`: what all of them have in common, and need not be repeated. */
export const DeliveryTable = (props: {
  call: MemberCall
  deliveries: readonly DeliverySummary[]
  of?: 'event' | 'endpoint'
}) => (
  <Table
    caption="Deliveries"
    head={[props.of === 'event' ? 'Endpoint' : 'Event', 'State', 'Attempts', 'Answer', 'Made']}
    rows={props.deliveries.map(one => [
      <>
        <a class="address" href={props.call.pathOf('delivery', { id: one.id })}>
          {props.of === 'event' ? (one.url ?? 'a deleted endpoint') : one.event_type}
        </a>
        {one.redelivery && <span class="fine"> again</span>}
        {props.of === undefined && (
          <div class="fine address">{one.url ?? 'a deleted endpoint'}</div>
        )}
      </>,
      <DeliveryState status={one.status} />,
      one.attempt,
      <>
        {outcomeText(one.http_status, one.error)}{' '}
        <span class="quiet">{millisecondsText(one.latency_ms)}</span>
      </>,
      <Time at={one.created_at} />,
    ])}
  />
)
