// One delivery: its place in the retry schedule, and its attempts.
import { limits } from '#contract/limits.ts'
import type { ApiResult, MemberCall, PortalHandler } from '../../context.ts'
import { callForIntegration } from '../../for-integration.ts'
import { Address, Facts, Heading, Id, RowForm, Time } from '#http/html/parts.tsx'
import { refreshing } from '../../frame/refreshing.ts'
import { missing, refused } from '../../refused.tsx'
import { tenantTime } from '../../tenant-time.ts'
import { Attempts } from './attempts.tsx'
import { Repeat } from './repeat.tsx'
import { type Delivery, DeliveryStatus } from '../webhooks/deliveries.tsx'
import { Schedule } from './schedule.tsx'
import { outcomeText } from '../webhooks/delivery-words.ts'

/** Finds a delivery with its event, which is visible only to a connection set to its clinic. */
async function findDelivery(call: MemberCall): Promise<ApiResult<'getDelivery'>> {
  const names = { id: call.names['id'] ?? '' }
  const found = await callForIntegration(call, 'getDelivery', { names })
  if (found.problem || found.value.body !== null) return found
  return call.api('getDelivery', { names, organization: found.value.organization })
}

const missingOr = (call: MemberCall, problem: NonNullable<ApiResult<'getDelivery'>['problem']>) =>
  problem.code === 'not_found'
    ? missing('Delivery not found', call.pathOf('deliveries'), 'All deliveries')
    : refused(call, 'Delivery', problem)

export const showDelivery: PortalHandler = async (portal, call) => {
  const found = await findDelivery(call)
  if (found.problem) return missingOr(call, found.problem)
  const delivery = found.value
  const isPending = delivery.next_attempt_at !== null
  const isWatched = isPending && isDueSoon(delivery, tenantTime(call, portal.now()))
  return {
    title: `Delivery of ${delivery.event_type}`,
    content: (
      <>
        <Heading
          title={<Address of={delivery.event_type} />}
          lead={<Address of={`to ${delivery.url ?? 'a deleted endpoint'}`} />}
          action={delivery.endpoint_status === 'enabled' && <Again call={call} id={delivery.id} />}
        />
        <div id="delivery" {...(isWatched && refreshing('delivery', call.pathOf('delivery'), 5))}>
          <DeliveryFacts call={call} delivery={delivery} />
          <Schedule delivery={delivery} />
          <Attempts delivery={delivery} />
        </div>
        <Repeat delivery={delivery} />
      </>
    ),
  }
}

/** Whether the next attempt is due within a minute. Only then does the page refresh itself. */
const isDueSoon = ({ next_attempt_at: next }: Delivery, now: number) =>
  next !== null && Date.parse(next) - now < 60_000

const Again = ({ call, id }: { call: MemberCall; id: string }) => (
  <RowForm call={call} path={call.pathOf('redeliverDelivery', { id })} class="inline">
    <button class="button second">Redeliver</button>
  </RowForm>
)

const DeliveryFacts = ({ call, delivery }: { call: MemberCall; delivery: Delivery }) => (
  <Facts
    of={[
      ['Status', <StatusText key="status" delivery={delivery} />],
      [
        'Event',
        <Id key="event" of={delivery.event} href={call.pathOf('event', { id: delivery.event })} />,
      ],
      [
        'Endpoint',
        delivery.url === null ? (
          <Id of={delivery.webhook_endpoint} />
        ) : (
          <Id
            of={delivery.webhook_endpoint}
            href={call.pathOf('webhook', { id: delivery.webhook_endpoint })}
          />
        ),
      ],
      ['Delivery ID', <Id key="id" of={delivery.id} />],
      ['Created', <Time key="at" at={delivery.created_at} clock="sandbox" />],
      ...(delivery.redelivery ? [['Type', 'Redelivery'] as const] : []),
    ]}
  />
)

function StatusText({ delivery }: { delivery: Delivery }) {
  const { status, attempt, next_attempt_at: next, error } = delivery
  const made = `${attempt} of ${limits.webhookRetrySeconds.length} attempts`
  return (
    <>
      <DeliveryStatus status={status} />{' '}
      <span class="quiet">
        {status === 'failed' && error !== null ? `${outcomeText(null, error)} after ${made}` : made}
      </span>
      {next !== null && (
        <>
          , next <Time at={next} clock="sandbox" />
        </>
      )}
    </>
  )
}

export const redeliverDelivery: PortalHandler = async (_portal, call) => {
  const found = await findDelivery(call)
  if (found.problem) return missingOr(call, found.problem)
  const { event, webhook_endpoint, organization } = found.value
  const again = await call.api('redeliverEvent', {
    names: { id: event },
    body: { webhook_endpoint },
    organization,
  })
  if (again.problem) return refused(call, 'Redeliver', again.problem)
  const [made] = again.value.data
  return {
    redirect: call.pathOf('delivery', { id: made?.id ?? '' }),
    toast: { text: 'Redelivery scheduled' },
  }
}
