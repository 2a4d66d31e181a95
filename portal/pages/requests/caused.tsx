// The shape of a request's body, its events, and their deliveries.
import type { MemberCall } from '../../context.ts'
import { Id, Table, TimeOrNever } from '#http/html/parts.tsx'
import { DeliveryStatus } from '../webhooks/deliveries.tsx'
import { outcomeText } from '../webhooks/delivery-words.ts'
import type { Details } from './details.ts'

/** Values aren't stored, so only names and types are shown. */
export function Body({ body, method }: Pick<Details, 'body' | 'method'>) {
  if (method === 'GET') return null
  return (
    <section class="part">
      <h2>Request body</h2>
      {body === null ? (
        <p class="quiet">No body, or the request was refused before its body was read.</p>
      ) : (
        <>
          {body.fields.length > 0 && (
            <Table
              caption="Body fields"
              head={['Field', 'Type', 'Items']}
              rows={body.fields.map(({ pointer, types, length }) => [
                <code key="field">{pointer}</code>,
                types.join(' or '),
                length ?? <span class="quiet">–</span>,
              ])}
            />
          )}
          {body.fields.length === 0 && body.unknown_fields === 0 && (
            <p class="quiet">Empty object.</p>
          )}
          {body.unknown_fields > 0 && (
            <p>
              {body.unknown_fields === 1
                ? '1 unknown field'
                : `${body.unknown_fields} unknown fields`}
              . Names of unknown fields aren’t stored.
            </p>
          )}
        </>
      )}
    </section>
  )
}

export const Caused = ({ call, request }: { call: MemberCall; request: Details }) =>
  request.method === 'GET' ? null : (
    <>
      <section class="part">
        <h2>Events</h2>
        {request.events.length === 0 ? (
          <p class="quiet">No events.</p>
        ) : (
          <Table
            caption="Events"
            head={['Type', 'Event']}
            rows={request.events.map(({ id, type }) => [
              <code key="type">{type}</code>,
              <Id key="id" of={id} href={call.pathOf('event', { id })} />,
            ])}
          />
        )}
      </section>
      {request.events.length > 0 && <Deliveries call={call} request={request} />}
    </>
  )

const Deliveries = ({ call, request: { deliveries } }: { call: MemberCall; request: Details }) => (
  <section class="part">
    <h2>Deliveries</h2>
    {deliveries === null && (
      <p class="quiet">
        Your role can’t read deliveries. They need the <code>webhooks:manage</code> scope.
      </p>
    )}
    {deliveries?.length === 0 && (
      <p class="quiet">
        No endpoint subscribes to these events. <a href={call.pathOf('webhooks')}>Webhooks</a>
      </p>
    )}
    {deliveries !== null && deliveries.length > 0 && (
      <Table
        caption="Deliveries"
        head={['Delivery', 'Endpoint', 'Status', 'Attempts', 'Response', 'Next attempt']}
        rows={deliveries.map(one => [
          <Id key="id" of={one.id} href={call.pathOf('delivery', { id: one.id })} />,
          <Id
            key="endpoint"
            of={one.webhook_endpoint}
            href={call.pathOf('webhook', { id: one.webhook_endpoint })}
          />,
          <DeliveryStatus key="status" status={one.status} />,
          one.attempt,
          outcomeText(one.http_status, one.error),
          <TimeOrNever key="next" at={one.next_attempt_at} never="" />,
        ])}
      />
    )}
  </section>
)
