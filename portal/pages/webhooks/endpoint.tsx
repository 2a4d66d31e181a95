// One endpoint: its settings, its health and its actions.
import { limits } from '#contract/limits.ts'
import type { MemberCall, PortalHandler } from '../../context.ts'
import {
  Address,
  Confirm,
  Facts,
  Heading,
  Id,
  RowForm,
  Time,
  TimeOrNever,
} from '#http/html/parts.tsx'
import { callForIntegration } from '../../for-integration.ts'
import { refused } from '../../refused.tsx'
import { DeliveryTable } from './deliveries.tsx'
import { deliveryCharts } from './charts.tsx'
import { destinationFacts } from './destinations.tsx'
import { type Destination, findEndpoint, missingOr } from './find.tsx'
import {
  allEndpoints,
  countsText,
  type Endpoint,
  EndpointStatus,
  Failures,
  type Health,
} from './list-parts.tsx'

export const showWebhook: PortalHandler = async (_portal, call) => {
  const [found, health] = [
    await findEndpoint(call),
    await callForIntegration(call, 'listEndpointHealth', allEndpoints),
  ]
  if (found.problem) return missingOr(call, found.problem)
  if (health.problem) return refused(call, 'Endpoint', health.problem)
  const { value: endpoint, destination } = found
  const latest = await callForIntegration(call, 'listNewestDeliveries', {
    query: { webhook_endpoint: endpoint.id, limit: '10' },
  })
  const own = health.value.data.find(({ id }) => id === endpoint.id)
  return {
    title: endpoint.url,
    content: (
      <>
        <Heading
          title={<Address of={endpoint.url} />}
          lead={endpoint.description ?? undefined}
          action={
            call.mayOpen('editWebhook') ? (
              <a class="button second" href={call.pathOf('editWebhook', { id: endpoint.id })}>
                Edit
              </a>
            ) : undefined
          }
        />
        <EndpointFacts endpoint={endpoint} destination={destination} health={own} />
        <Changes call={call} endpoint={endpoint} hasSecret={destination === null} />
        {latest.problem === null && latest.value.data.length > 0 && (
          <section class="part">
            <div class="part-head">
              <h2>Latest deliveries</h2>
              <a href={call.pathOf('deliveries', {}, { webhook_endpoint: endpoint.id })}>
                All deliveries
              </a>
            </div>
            <DeliveryTable call={call} deliveries={latest.value.data.slice(0, 10)} of="endpoint" />
          </section>
        )}
        {await deliveryCharts(call, call.pathOf('webhook', { id: endpoint.id }), endpoint.id)}
      </>
    ),
  }
}

const EndpointFacts = ({
  endpoint,
  destination,
  health,
}: {
  endpoint: Endpoint
  destination: Destination | null
  health?: Health | undefined
}) => (
  <Facts
    of={[
      ['ID', <Id of={endpoint.id} />],
      ...(destination === null ? [] : destinationFacts(destination)),
      ['Status', <EndpointStatus endpoint={endpoint} />],
      ...(endpoint.disabled_at === null
        ? []
        : [['Disabled', <Time at={endpoint.disabled_at} clock="sandbox" />] as const]),
      [
        'Events',
        endpoint.event_types.includes('*')
          ? 'All, including future types'
          : endpoint.event_types.join(', '),
      ],
      [
        'Data',
        endpoint.include_resource ? 'Full resource with each event' : 'IDs and statuses only',
      ],
      [
        'Consecutive failures',
        <>
          <Failures count={health?.failures ?? 0} />{' '}
          <span class="fine">
            A delivery fails after {limits.webhookRetrySeconds.length} attempts.{' '}
            {limits.webhookFailuresMax} failures in a row disable the endpoint.
          </span>
        </>,
      ],
      ['Last 24 hours', health ? countsText(health) : 'None sent'],
      [
        'Secret',
        destination !== null ? (
          <span class="quiet">Stored encrypted, never shown</span>
        ) : endpoint.previous_secret_expires_at === null ? (
          <span class="quiet">Shown once, at creation</span>
        ) : (
          <>
            The previous secret also signs until{' '}
            <Time at={endpoint.previous_secret_expires_at} clock="sandbox" />.
          </>
        ),
      ],
      ['Created', <Time at={endpoint.created_at} clock="sandbox" />],
      ['Updated', <TimeOrNever at={endpoint.updated_at} never="Never" clock="sandbox" />],
    ]}
  />
)

type ChangesProps = { call: MemberCall; endpoint: Endpoint; hasSecret: boolean }

function Changes({ call, endpoint: { id, status }, hasSecret }: ChangesProps) {
  return (
    <div class="row-actions">
      {status === 'enabled' && call.mode === 'test' && (
        <RowForm call={call} path={call.pathOf('triggerWebhook')} class="inline">
          <input type="hidden" name="type" value="order.shipped.v1" />
          <input type="hidden" name="webhook_endpoint" value={id} />
          <button class="button second small">Send test event</button>
        </RowForm>
      )}
      <a class="button second small" href={call.pathOf('replays', { id })}>
        Replay events
      </a>
      {hasSecret && call.mayOpen('rotateWebhook') && (
        <Confirm
          call={call}
          path={call.pathOf('rotateWebhook', { id })}
          label="Rotate secret"
          question={`Deliveries are signed with both secrets for ${limits.webhookSecretGraceHours} hours. Any older secret stops signing right away.`}
          action="Rotate secret"
        />
      )}
      {status === 'enabled' ? (
        <Confirm
          call={call}
          path={call.pathOf('disableWebhook', { id })}
          label="Disable"
          question="Pending deliveries fail, and nothing is sent until you enable the endpoint again."
          action="Disable endpoint"
        />
      ) : (
        call.mayOpen('enableWebhook') && (
          <RowForm call={call} path={call.pathOf('enableWebhook', { id })} class="inline">
            <button class="button second small">Enable</button>
          </RowForm>
        )
      )}
      {call.mayOpen('deleteWebhook') && (
        <Confirm
          call={call}
          path={call.pathOf('deleteWebhook', { id })}
          label="Delete"
          question="Its secret is deleted and pending deliveries fail. You can’t undo this."
          action="Delete endpoint"
        />
      )}
    </div>
  )
}
