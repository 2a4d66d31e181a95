// Deliveries to all endpoints, newest first.
import { momentOf } from '#http/html/form-text.ts'
import { deliveryStatuses } from '#contract/api/webhooks.ts'
import { eventTypes } from '#contract/events.ts'
import type { MemberCall, PortalHandler } from '../../context.ts'
import { callForIntegration } from '../../for-integration.ts'
import { Choice, FilterChips, FilterForm, MomentFields, same } from '#http/html/filter-form.tsx'
import { Empty, Heading, Pager } from '#http/html/parts.tsx'
import { LiveNote } from '../../frame/live-note.tsx'
import { chipsOf, filtersOf, isPaged, newestPageOf, positionOf } from '../../newest-page.ts'
import { statusText } from '#http/html/status-text.ts'
import { RedeliverForm, resendable } from './redeliver.tsx'
import { faultsOf } from '../../form-faults.ts'
import { refused } from '../../refused.tsx'
import { allEndpoints, type Endpoint } from '../webhooks/list-parts.tsx'
import {
  type DeliverySummary,
  deliveryStatusWords,
  DeliveryTable,
} from '../webhooks/deliveries.tsx'

const names = ['webhook_endpoint', 'status', 'event_type', 'event', 'since', 'until'] as const
const filterLabels = {
  webhook_endpoint: 'Endpoint',
  status: 'Status',
  event_type: 'Type',
  event: 'Event',
  since: 'From',
  until: 'Before',
}
/** An endpoint or a destination. */
type Receiver = Pick<Endpoint, 'id' | 'url'>
type Filters = ReturnType<typeof filtersOf<(typeof names)[number]>>

export const showDeliveries: PortalHandler = async (_portal, call) => {
  const filters = filtersOf(call, names)
  const { since, until } = filters
  const query = { ...filters, since: momentOf(since), until: momentOf(until), ...positionOf(call) }
  const found = await callForIntegration(call, 'listNewestDeliveries', { query })
  if (found.problem && found.problem.code !== 'invalid_request') {
    return refused(call, 'Deliveries', found.problem)
  }
  const [endpoints, destinations] = [
    await callForIntegration(call, 'listWebhookEndpoints', allEndpoints),
    await callForIntegration(call, 'listDestinations', allEndpoints),
  ]
  const listed: Receiver[] = [
    ...(endpoints.problem ? [] : endpoints.value.data),
    ...(destinations.problem ? [] : destinations.value.data),
  ]
  const faults = found.problem ? faultsOf(found.problem) : {}
  return {
    title: 'Deliveries',
    status: found.problem ? 422 : 200,
    content: (
      <>
        <Heading title="Deliveries" lead="Deliveries to your endpoints in the last 30 days." />
        <Filter call={call} filters={filters} endpoints={listed} faults={faults} />
        <div id="results">
          <FilterChips
            path={call.pathOf('deliveries')}
            chips={chipsOf(call, 'deliveries', filters, filterLabels, wordsOf(listed))}
          />
          {found.problem ? (
            <p class="note">Fix the marked filter to see deliveries.</p>
          ) : (
            <Results call={call} filters={filters} deliveries={found.value.data} />
          )}
        </div>
      </>
    ),
  }
}

const wordsOf = (endpoints: readonly Receiver[]) => (name: string, value: string) => {
  if (name === 'status') return statusText(value)
  return name === 'webhook_endpoint'
    ? (endpoints.find(({ id }) => id === value)?.url ?? value)
    : value
}

type FilterProps = {
  readonly call: MemberCall
  readonly filters: Filters
  readonly endpoints: readonly Receiver[]
  readonly faults: Readonly<Record<string, string | undefined>>
}

const Filter = ({ call, filters, endpoints, faults }: FilterProps) => (
  <FilterForm
    path={call.pathOf('deliveries')}
    isFiltered={Object.keys(filters).length > 0}
    isFolded
    isOpen={Object.keys(faults).length > 0}
  >
    <Choice
      name="webhook_endpoint"
      label="Endpoint"
      value={filters.webhook_endpoint}
      options={endpointOptions(endpoints, filters.webhook_endpoint)}
      fault={faults['webhook_endpoint']}
    />
    <Choice
      name="status"
      label="Status"
      value={filters.status}
      options={deliveryStatuses.map(one => [one, deliveryStatusWords[one]] as const)}
      fault={faults['status']}
    />
    <Choice
      name="event_type"
      label="Event type"
      value={filters.event_type}
      options={eventTypes.map(same)}
      fault={faults['event_type']}
    />
    {filters.event !== undefined && <input type="hidden" name="event" value={filters.event} />}
    <MomentFields since={filters.since} until={filters.until} faults={faults} />
  </FilterForm>
)

/** A deleted endpoint stays in the list while it’s chosen. */
function endpointOptions(endpoints: readonly Receiver[], chosen: string | undefined) {
  const options = endpoints.map(({ id, url }) => [id, url] as const)
  const isKnown = chosen === undefined || endpoints.some(({ id }) => id === chosen)
  return isKnown ? options : [...options, same(chosen)]
}

type ResultsProps = Pick<FilterProps, 'call' | 'filters'> & {
  readonly deliveries: readonly DeliverySummary[]
}

function Results({ call, filters, deliveries }: ResultsProps) {
  if (deliveries.length === 0 && (Object.keys(filters).length > 0 || isPaged(call))) {
    return (
      <p class="quiet">
        No matching deliveries. <a href={call.pathOf('deliveries')}>Clear filters</a>
      </p>
    )
  }
  if (deliveries.length === 0) {
    return (
      <Empty title="No deliveries yet">
        <p>
          Events go to every endpoint that subscribes to their type. Create an endpoint
          {call.mode === 'test' && (
            <>
              , or run <code>svc listen</code> on your machine and{' '}
              <code>svc trigger order.shipped.v1</code> in another terminal
            </>
          )}
          .
        </p>
        <a class="button" href={call.pathOf('webhooks')}>
          Webhooks
        </a>
      </Empty>
    )
  }
  const { shown, older, newer, ...live } = newestPageOf(call, 'deliveries', filters, deliveries)
  const count = older === null && newer === null ? resendable(shown).length : null
  return (
    <>
      <LiveNote {...live} />
      <RedeliverForm call={call} filters={filters} count={count} />
      <DeliveryTable call={call} deliveries={shown} isSelectable />
      <Pager older={older} newer={newer} />
    </>
  )
}
