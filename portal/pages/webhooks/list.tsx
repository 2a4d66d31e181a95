// The endpoints of an integration, with how each answers.
import { limits } from '#contract/limits.ts'
import type { Output } from '#contract/api.ts'
import type { ApiResult, MemberCall, PortalContext, PortalHandler } from '../../context.ts'
import { Badge, Copyable, Empty, Heading, RowForm, Table, TimeOrNever } from '#http/html/parts.tsx'
import { callForIntegration } from '../../for-integration.ts'
import { refused } from '../../refused.tsx'
import { deliveryCharts } from './charts.tsx'
import { EventTypeSelect, eventTypesText } from './event-types.tsx'

export type Endpoint = Output<'getWebhookEndpoint'>
export type Health = Extract<
  ApiResult<'listEndpointHealth'>,
  { problem: null }
>['value']['data'][number]

/** Endpoints are few: all of them are one page. */
export const allEndpoints = { query: { limit: String(limits.webhookEndpointsMax) } }

export const showWebhooks: PortalHandler = async (portal, call) => {
  const [endpoints, health] = [
    await callForIntegration(call, 'listWebhookEndpoints', allEndpoints),
    await callForIntegration(call, 'listEndpointHealth', allEndpoints),
  ]
  if (endpoints.problem) return refused(call, 'Webhooks', endpoints.problem)
  if (health.problem) return refused(call, 'Webhooks', health.problem)
  const found = endpoints.value.data
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
          lead="An endpoint is an address of yours that every event is posted to, signed, and tried again until it answers."
          action={found.length > 0 && call.mayOpen('newWebhook') ? create : undefined}
        />
        {found.length === 0 ? (
          <NoEndpoint portal={portal} call={call} />
        ) : (
          <>
            <Table
              caption="Endpoints"
              head={[
                'Endpoint',
                'State',
                'Events',
                'Failed in a row',
                'In 24 hours',
                'Last attempt',
              ]}
              rows={found.map(one => rowOf(call, one, healthOf.get(one.id)))}
            />
            {call.mode === 'test' && <Trigger call={call} endpoints={found} />}
            {await deliveryCharts(call, call.pathOf('webhooks'))}
          </>
        )}
      </>
    ),
  }
}

const rowOf = (call: MemberCall, endpoint: Endpoint, health: Health | undefined) => [
  <>
    <a class="address" href={call.pathOf('webhook', { id: endpoint.id })}>
      {endpoint.url}
    </a>
    {endpoint.description !== null && <div class="fine">{endpoint.description}</div>}
  </>,
  <EndpointState endpoint={endpoint} />,
  eventTypesText(endpoint.event_types),
  <Failures count={health?.failures ?? 0} />,
  health && countsText(health),
  <TimeOrNever at={health?.last_attempt_at ?? null} never="none in 24 hours" />,
]

export const EndpointState = ({ endpoint }: { endpoint: Endpoint }) => (
  <Badge tone={endpoint.status === 'enabled' ? 'good' : 'bad'}>{endpoint.status}</Badge>
)

/** How near the endpoint is to being disabled. */
export const Failures = ({ count }: { count: number }) =>
  count === 0 ? (
    <span class="quiet">none</span>
  ) : (
    <Badge tone={count >= limits.webhookFailuresNotified ? 'bad' : 'waiting'}>
      {count} of {limits.webhookFailuresMax}
    </Badge>
  )

export function countsText({ delivered, failed, pending }: Health): string {
  const parts = Object.entries({ delivered, failed, pending })
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${count} ${state}`)
  return parts.join(', ') || 'nothing sent'
}

/** A made-up event, sent like any other. */
const Trigger = ({ call, endpoints }: { call: MemberCall; endpoints: readonly Endpoint[] }) => {
  const enabled = endpoints.filter(({ status }) => status === 'enabled')
  return (
    <section class="part">
      <h2>Send a test event</h2>
      <p class="quiet">
        It is about a made-up resource, and it is signed and delivered like any other.
      </p>
      <RowForm call={call} path={call.pathOf('triggerWebhook')} class="filters">
        <EventTypeSelect />
        <div class="field">
          <label for="webhook_endpoint">Endpoint</label>
          <select id="webhook_endpoint" name="webhook_endpoint">
            <option value="">All that subscribe</option>
            {enabled.map(({ id, url }) => (
              <option key={id} value={id}>
                {url}
              </option>
            ))}
          </select>
        </div>
        <button class="button second small">Send</button>
      </RowForm>
    </section>
  )
}

const NoEndpoint = ({ portal, call }: { portal: PortalContext; call: MemberCall }) => (
  <Empty title="No endpoint yet">
    <p>
      Make one with the https address of your server. On your own machine, forward events with{' '}
      <a href={`${portal.site.url}/docs/cli#webhooks-on-your-machine`}>
        <code>svc listen</code>
      </a>
      . Without a server, poll <a href={`${portal.site.url}/docs/events`}>the event stream</a>{' '}
      instead.
    </p>
    {call.mayOpen('newWebhook') && (
      <p class="actions">
        <a class="button" href={call.pathOf('newWebhook')}>
          New endpoint
        </a>
      </p>
    )}
    <p>Or with your key:</p>
    <Copyable
      label="Create an endpoint with curl"
      text={`curl ${portal.api}/v1/webhook_endpoints \\
  -H "Authorization: Bearer $KEY" -H "Idempotency-Key: ${call.once()}" \\
  -H 'Content-Type: application/json' \\
  -d '{"url":"https://hooks.example.com/clinical","event_types":["*"]}'`}
    />
  </Empty>
)
