// The endpoints of an account and their health.
import type { MemberCall, PortalContext, PortalHandler } from '../../context.ts'
import { Address, AgoOrNever, Copyable, Empty, Heading, RowForm, Table } from '#http/html/parts.tsx'
import { curlOf } from '../../curl.ts'
import { callForIntegration } from '../../for-integration.ts'
import { refused } from '../../refused.tsx'
import { deliveryCharts } from './charts.tsx'
import { Destinations } from './destinations.tsx'
import { EventTypeSelect, eventTypesText } from './event-types.tsx'
import type { Destination } from './find.tsx'
import {
  allEndpoints,
  countsText,
  type Endpoint,
  EndpointStatus,
  Failures,
  type Health,
} from './list-parts.tsx'

export const showWebhooks: PortalHandler = async (portal, call) => {
  const [endpoints, destinations, health, charts] = await Promise.all([
    callForIntegration(call, 'listWebhookEndpoints', allEndpoints),
    callForIntegration(call, 'listDestinations', allEndpoints),
    callForIntegration(call, 'listEndpointHealth', allEndpoints),
    deliveryCharts(call, call.pathOf('webhooks')),
  ])
  if (endpoints.problem) return refused(call, 'Webhooks', endpoints.problem)
  if (destinations.problem) return refused(call, 'Webhooks', destinations.problem)
  if (health.problem) return refused(call, 'Webhooks', health.problem)
  const [found, others] = [endpoints.value.data, destinations.value.data]
  const healthOf = new Map(health.value.data.map(one => [one.id, one]))
  const create = (
    <a class="button" href={call.pathOf('newWebhook')}>
      New endpoint
    </a>
  )
  return {
    title: 'Webhooks',
    content: (
      <>
        <Heading
          title="Webhooks"
          lead="We POST signed events to your endpoint and retry until it responds."
          action={found.length > 0 && call.mayOpen('newWebhook') ? create : undefined}
        />
        {found.length === 0 ? (
          <NoEndpoint portal={portal} call={call} />
        ) : (
          <Table
            caption="Endpoints"
            head={[
              'Endpoint',
              'Status',
              'Events',
              'Consecutive failures',
              'Last 24 hours',
              'Last attempt',
            ]}
            rows={found.map(one => rowOf(call, one, healthOf.get(one.id)))}
          />
        )}
        <Destinations call={call} destinations={others} healthOf={healthOf} />
        {found.length + others.length > 0 && (
          <>
            {call.mode === 'test' && <Trigger call={call} endpoints={[...found, ...others]} />}
            {charts}
          </>
        )}
      </>
    ),
  }
}

const rowOf = (call: MemberCall, endpoint: Endpoint, health: Health | undefined) => [
  <>
    <a href={call.pathOf('webhook', { id: endpoint.id })}>
      <Address of={endpoint.url} />
    </a>
    {endpoint.description !== null && <div class="fine">{endpoint.description}</div>}
  </>,
  <EndpointStatus endpoint={endpoint} />,
  eventTypesText(endpoint.event_types),
  <Failures count={health?.failures ?? 0} />,
  countsText(health),
  <AgoOrNever at={health?.last_attempt_at ?? null} never="None in 24 hours" clock="sandbox" />,
]

type TriggerProps = { call: MemberCall; endpoints: readonly (Endpoint | Destination)[] }

/** Sends a synthetic event, which is delivered like any other. */
const Trigger = ({ call, endpoints }: TriggerProps) => {
  const enabled = endpoints.filter(({ status }) => status === 'enabled')
  return (
    <section class="part">
      <h2>Test event</h2>
      <p class="quiet">Uses a synthetic resource. Signed and delivered like any other event.</p>
      <RowForm call={call} path={call.pathOf('triggerWebhook')} class="filters">
        <EventTypeSelect />
        <div class="field">
          <label for="webhook_endpoint">Endpoint</label>
          <select id="webhook_endpoint" name="webhook_endpoint">
            <option value="">All subscribed endpoints</option>
            {enabled.map(({ id, url }) => (
              <option key={id} value={id}>
                {url}
              </option>
            ))}
          </select>
        </div>
        <button class="button second small">Send test event</button>
      </RowForm>
    </section>
  )
}

const NoEndpoint = ({ portal, call }: { portal: PortalContext; call: MemberCall }) => (
  <Empty title="No endpoints yet">
    <p>
      Add your server’s https:// URL. To receive events on your own machine, run{' '}
      <a href={`${portal.site.url}/docs/cli#webhooks-on-your-machine`}>
        <code>svc listen</code>
      </a>
      . Without a server, poll <a href={`${portal.site.url}/docs/events`}>the event stream</a>.
    </p>
    {call.mayOpen('newWebhook') ? (
      <p class="actions">
        <a class="button" href={call.pathOf('newWebhook')}>
          New endpoint
        </a>
      </p>
    ) : (
      <p>
        Only owners can add live endpoints. Ask an owner to add one, or to give you permission for
        24 hours.
      </p>
    )}
    <p>Or use the API:</p>
    <Copyable
      label="Create an endpoint with curl"
      text={curlOf('createWebhookEndpoint', {
        api: portal.api,
        key: call.once(),
        body: { url: 'https://…', event_types: ['*'] },
      })}
    />
  </Empty>
)
