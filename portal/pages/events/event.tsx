// One event: its content and its deliveries.
import type { Output } from '#contract/api.ts'
import type { MemberCall, PortalHandler } from '../../context.ts'
import { findInClinics } from '../../for-clinic.ts'
import { callForIntegration } from '../../for-integration.ts'
import {
  Address,
  Copyable,
  CopyButton,
  Facts,
  Heading,
  Id,
  RowForm,
  Time,
} from '#http/html/parts.tsx'
import { refreshing } from '../../frame/refreshing.ts'
import { missing, problemText, refused } from '../../refused.tsx'
import { tenantTime } from '../../tenant-time.ts'
import { DeliveryTable } from '../webhooks/deliveries.tsx'
import { StatusChange } from './list.tsx'

type Event = Output<'getEvent'>

const idOf = ({ names }: MemberCall) => ({ id: names['id'] ?? '' })

export const showEvent: PortalHandler = async (portal, call) => {
  const { found } = await findInClinics(call, 'getEvent', { names: idOf(call) })
  if (found.problem?.code === 'not_found') {
    return missing('Event not found', call.pathOf('events'), 'All events')
  }
  if (found.problem) return refused(call, 'Event', found.problem)
  const event = found.value
  const isNew = isNewEvent(call, event, portal.now())
  return {
    title: event.type,
    content: (
      <>
        <Heading title={<Address of={event.type} />} />
        <EventFacts call={call} event={event} />
        <Went
          call={call}
          deliveries={await deliveriesOf(call, event)}
          event={event}
          isNew={isNew}
        />
        <section class="part">
          <h2>Payload</h2>
          <Copyable label="Event payload" text={JSON.stringify(event, null, 2)} />
        </section>
      </>
    ),
  }
}

const EventFacts = ({ call, event }: { call: MemberCall; event: Event }) => (
  <Facts
    of={[
      ['Event ID', <Id key="id" of={event.id} />],
      ['Created', <Time key="at" at={event.created_at} clock="sandbox" />],
      [
        'Resource',
        <>
          <a
            class="id"
            href={call.pathOf(
              'events',
              {},
              { resource: event.resource.id, organization: event.organization },
            )}
          >
            {event.resource.id}
          </a>{' '}
          <CopyButton text={event.resource.id} />
        </>,
      ],
      ['Status', <StatusChange key="status" event={event} />],
      ['Clinic', <Id key="organization" of={event.organization} />],
    ]}
  />
)

/** Null if the role can't read deliveries. */
async function deliveriesOf(call: MemberCall, { id }: Event) {
  const query = { event: id, limit: '100' }
  const found = await callForIntegration(call, 'listNewestDeliveries', { query })
  return found.problem?.code === 'insufficient_scope' ? null : found
}

type WentProps = {
  readonly call: MemberCall
  readonly deliveries: Awaited<ReturnType<typeof deliveriesOf>>
  readonly event: Event
  readonly isNew: boolean
}

/** Deliveries follow an event within a second, and most get a response within seconds. */
const newMilliseconds = 15_000

/** Uses the clock that dated the event. A reset leaves no events in the future. */
const isNewEvent = (call: MemberCall, { created_at: at }: Event, now: number): boolean =>
  Math.abs(tenantTime(call, now) - Date.parse(at)) < newMilliseconds

function Went({ call, deliveries, event, isNew }: WentProps) {
  const again = call.pathOf('redeliverEvent', { id: event.id })
  const own = call.pathOf('event', { id: event.id }, { organization: event.organization })
  return (
    <section class="part" id="went" {...(isNew && refreshing('went', own, 2))}>
      <div class="part-head">
        <h2>Deliveries</h2>
        {deliveries !== null && (
          <RowForm call={call} path={again} class="inline">
            <input type="hidden" name="organization" value={event.organization} />
            <button class="button second small">Redeliver to all endpoints</button>
          </RowForm>
        )}
      </div>
      {deliveries === null ? (
        <p class="quiet">
          Your role can’t read deliveries. They need the <code>webhooks:manage</code> scope.
        </p>
      ) : deliveries.problem ? (
        <p class="note">{problemText(deliveries.problem)}</p>
      ) : deliveries.value.data.length === 0 ? (
        <p class="quiet">
          {isNew ? 'No deliveries yet.' : 'No endpoint subscribes to this type.'}{' '}
          <a href={call.pathOf('webhooks')}>Webhooks</a>
        </p>
      ) : (
        <DeliveryTable call={call} deliveries={deliveries.value.data} of="event" />
      )}
    </section>
  )
}

export const redeliverEvent: PortalHandler = async (_portal, call) => {
  const organization = call.form.get('organization')
  const again = await call.api('redeliverEvent', { names: idOf(call), body: {}, organization })
  if (again.problem) return refused(call, 'Redeliver', again.problem)
  return {
    redirect: call.pathOf('event', idOf(call), { organization: organization ?? undefined }),
    toast: { text: 'Redelivery scheduled' },
  }
}
