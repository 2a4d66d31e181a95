// The shape of a call's body, its events, and their deliveries.
import type { MemberCall } from '../../context.ts'
import { Badge, Table, TimeOrNever } from '#http/html/parts.tsx'
import { outcomeText } from '../webhooks/delivery-words.ts'
import type { Details } from './details.ts'

/** No value is kept, so none can be shown. */
export function Body({ body, method }: Pick<Details, 'body' | 'method'>) {
  if (method === 'GET') return null
  return (
    <section class="part">
      <h2>Shape of the body</h2>
      {body === null ? (
        <p class="quiet">It has none, or the call was refused before the body was read.</p>
      ) : (
        <>
          {body.fields.length > 0 && (
            <Table
              caption="Fields of the body"
              head={['Field', 'Type', 'Items']}
              rows={body.fields.map(({ pointer, types, length }) => [
                <code key="field">{pointer}</code>,
                types.join(' or '),
                length ?? <span class="quiet">none</span>,
              ])}
            />
          )}
          {body.fields.length === 0 && body.unknown_fields === 0 && (
            <p class="quiet">An empty object.</p>
          )}
          {body.unknown_fields > 0 && (
            <p>
              {body.unknown_fields === 1 ? '1 field' : `${body.unknown_fields} fields`} that the
              operation does not know. Their names are not kept.
            </p>
          )}
        </>
      )}
    </section>
  )
}

const tones = { delivered: 'good', pending: 'waiting', failed: 'bad' } as const

export const Caused = ({ call, request }: { call: MemberCall; request: Details }) =>
  request.method === 'GET' ? null : (
    <>
      <section class="part">
        <h2>Events it caused</h2>
        {request.events.length === 0 ? (
          <p class="quiet">None.</p>
        ) : (
          <Table
            caption="Events"
            head={['Type', 'Event']}
            rows={request.events.map(({ id, type }) => [
              <code key="type">{type}</code>,
              <a key="id" class="id" href={call.pathOf('event', { id })}>
                {id}
              </a>,
            ])}
          />
        )}
      </section>
      {request.events.length > 0 && <Deliveries call={call} request={request} />}
    </>
  )

const Deliveries = ({ call, request: { deliveries } }: { call: MemberCall; request: Details }) => (
  <section class="part">
    <h2>Their deliveries</h2>
    {deliveries === null && (
      <p class="quiet">
        Your role may not read deliveries: they need the scope <code>webhooks:manage</code>.
      </p>
    )}
    {deliveries?.length === 0 && (
      <p class="quiet">
        No endpoint subscribes to them. <a href={call.pathOf('webhooks')}>Webhooks</a>
      </p>
    )}
    {deliveries !== null && deliveries.length > 0 && (
      <Table
        caption="Deliveries"
        head={['Delivery', 'Endpoint', 'State', 'Attempts', 'Answer', 'Next attempt']}
        rows={deliveries.map(one => [
          <a key="id" class="id" href={call.pathOf('delivery', { id: one.id })}>
            {one.id}
          </a>,
          <a key="endpoint" class="id" href={call.pathOf('webhook', { id: one.webhook_endpoint })}>
            {one.webhook_endpoint}
          </a>,
          <Badge key="state" tone={tones[one.status]}>
            {one.status}
          </Badge>,
          one.attempt,
          outcomeText(one.http_status, one.error),
          <TimeOrNever key="next" at={one.next_attempt_at} never="" />,
        ])}
      />
    )}
  </section>
)
