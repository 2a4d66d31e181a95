// A delivery in a list.
import type { ApiResult, MemberCall } from '../../context.ts'
import { Address, Ago, Badge, Table } from '#http/html/parts.tsx'
import { kindNames } from './destinations.tsx'
import { millisecondsText, outcomeText } from './delivery-words.ts'

export type DeliverySummary = Extract<
  ApiResult<'listNewestDeliveries'>,
  { problem: null }
>['value']['data'][number]

/** A delivery with its attempts. */
export type Delivery = Extract<ApiResult<'getDelivery'>, { problem: null }>['value']

export const deliveryStatusWords = {
  delivered: 'Delivered',
  pending: 'Pending',
  failed: 'Failed',
} as const
const tones = { delivered: 'good', pending: 'waiting', failed: 'bad' } as const

export const DeliveryStatus = ({ status }: Pick<DeliverySummary, 'status'>) => (
  <Badge tone={tones[status]}>{deliveryStatusWords[status]}</Badge>
)

/** The form that the delivery checkboxes belong to. */
export const redeliverFormId = 'redeliver'

const Selection = ({ id, type }: { id: string; type: string }) => (
  <input
    type="checkbox"
    name="delivery"
    value={id}
    form={redeliverFormId}
    aria-label={`Select ${type}`}
  />
)

/** `of` is what all deliveries share, so the table doesn't repeat it. */
export const DeliveryTable = (props: {
  call: MemberCall
  deliveries: readonly DeliverySummary[]
  of?: 'event' | 'endpoint'
  /** Adds a checkbox for the redelivery form to each delivery. */
  isSelectable?: boolean
}) => (
  <Table
    caption="Deliveries"
    head={[
      ...(props.isSelectable === true ? ['Select'] : []),
      props.of === 'event' ? 'Endpoint' : 'Event',
      'Status',
      'Attempts',
      'Response',
      'Created',
    ]}
    rows={props.deliveries.map(one => [
      ...(props.isSelectable === true ? [<Selection id={one.id} type={one.event_type} />] : []),
      <>
        <a href={props.call.pathOf('delivery', { id: one.id })}>
          <Address of={props.of === 'event' ? (one.url ?? 'Deleted endpoint') : one.event_type} />
        </a>
        {one.redelivery && <span class="fine"> redelivery</span>}
        {props.of === undefined && (
          <div class="fine">
            <Address of={one.url ?? 'Deleted endpoint'} />
          </div>
        )}
        {props.of !== 'endpoint' && one.kind !== null && one.kind !== 'https' && (
          <div class="fine">{kindNames[one.kind]}</div>
        )}
      </>,
      <DeliveryStatus status={one.status} />,
      one.attempt,
      <>
        {outcomeText(one.http_status, one.error)}{' '}
        <span class="quiet">{millisecondsText(one.latency_ms)}</span>
      </>,
      <Ago at={one.created_at} clock="sandbox" />,
    ])}
  />
)
