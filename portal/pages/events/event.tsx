// One event: what it says, and where it went.
import type { Output } from '#contract/api.ts'
import type { MemberCall, PortalHandler } from '../../context.ts'
import { findInClinics } from '../../for-clinic.ts'
import { callForIntegration } from '../../for-integration.ts'
import { Copyable, Facts, Heading, RowForm, Time } from '#http/html/parts.tsx'
import { missing, problemText, refused } from '../../refused.tsx'
import { tenantTime } from '../../tenant-time.ts'
import { DeliveryTable } from '../webhooks/deliveries.tsx'
import { StateChange } from './list.tsx'

type Event = Output<'getEvent'>

const idOf = ({ names }: MemberCall) => ({ id: names['id'] ?? '' })

export const showEvent: PortalHandler = async (portal, call) => {
  const { found } = await findInClinics(call, 'getEvent', { names: idOf(call) })
  if (found.problem?.code === 'not_found') {
    return missing('There is no such event', call.pathOf('events'), 'All events')
  }
  if (found.problem) return refused(call, 'Event', found.problem)
  const event = found.value
  const isNew = await isNewEvent(call, event, portal.now())
  return {
    title: event.type,
    content: (
      <>
        <Heading title={<span class="address">{event.type}</span>} />
        <EventFacts call={call} event={event} />
        <Went
          call={call}
          deliveries={await deliveriesOf(call, event)}
          event={event}
          isNew={isNew}
        />
        <section class="part">
          <h2>As it is sent</h2>
          <Copyable label="The event" text={JSON.stringify(event, null, 2)} />
        </section>
      </>
    ),
  }
}

const EventFacts = ({ call, event }: { call: MemberCall; event: Event }) => (
  <Facts
    of={[
      [
        'Event id',
        <span key="id" class="id">
          {event.id}
        </span>,
      ],
      ['When', <Time key="at" at={event.created_at} />],
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
          <span class="quiet">its events</span>
        </>,
      ],
      ['State', <StateChange key="state" event={event} />],
      [
        'Organization',
        <span key="organization" class="id">
          {event.organization}
        </span>,
      ],
    ]}
  />
)

/** Null: the role may not read deliveries. */
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

/** Its deliveries are made a moment after an event, and most are answered within seconds. */
const newMilliseconds = 15_000

/** The clock of the sandbox decides about an event that is later than real time. */
async function isNewEvent(call: MemberCall, event: Event, now: number): Promise<boolean> {
  const made = Date.parse(event.created_at)
  const later = made - now > newMilliseconds ? await tenantTime(call, now) : now
  return Math.abs(later - made) < newMilliseconds
}

const watching = (path: string) => ({
  'hx-get': path,
  'hx-trigger': 'every 2s',
  'hx-select': '#went',
  'hx-target': '#went',
  'hx-swap': 'outerHTML',
})

function Went({ call, deliveries, event, isNew }: WentProps) {
  const again = call.pathOf('redeliverEvent', { id: event.id })
  const own = call.pathOf('event', { id: event.id }, { organization: event.organization })
  return (
    <section class="part" id="went" {...(isNew ? watching(own) : {})}>
      <div class="part-head">
        <h2>Where it went</h2>
        {deliveries !== null && (
          <RowForm call={call} path={again} class="inline">
            <input type="hidden" name="organization" value={event.organization} />
            <button class="button second small">Deliver again to all that subscribe</button>
          </RowForm>
        )}
      </div>
      {deliveries === null ? (
        <p class="quiet">
          Your role may not read deliveries: they need the scope <code>webhooks:manage</code>.
        </p>
      ) : deliveries.problem ? (
        <p class="note">{problemText(deliveries.problem)}</p>
      ) : deliveries.value.data.length === 0 ? (
        <p class="quiet">
          {isNew ? 'To no endpoint yet.' : 'To no endpoint: none subscribed to its type.'}{' '}
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
  if (again.problem) return refused(call, 'Deliver again', again.problem)
  return { redirect: call.pathOf('event', idOf(call), { organization: organization ?? undefined }) }
}
