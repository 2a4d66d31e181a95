// Every attempt of a delivery: its time, duration, request and response.
import { webhookHeaders } from '#contract/events.ts'
import { limits } from '#contract/limits.ts'
import { Address, Badge, Facts, Time } from '#http/html/parts.tsx'
import type { Delivery } from '../webhooks/deliveries.tsx'
import { isAccepted } from './schedule.tsx'
import { millisecondsText, outcomeText } from '../webhooks/delivery-words.ts'

type Attempt = Delivery['attempts'][number]

/** The last attempt is expanded. */
export const Attempts = ({ delivery }: { delivery: Delivery }) => (
  <section class="part">
    <h2>Attempts</h2>
    {delivery.attempts.length === 0 ? (
      <p class="quiet">No attempts yet.</p>
    ) : (
      <div class="attempts">
        {delivery.attempts.toReversed().map((one, at) => (
          <details key={one.attempt} id={`attempt-${one.attempt}`} open={at === 0}>
            <summary>
              <span class="attempt-number">{one.attempt}</span>
              <Badge tone={isAccepted(one) ? 'good' : 'bad'}>
                {outcomeText(one.http_status, one.error)}
              </Badge>
              <span class="quiet">{millisecondsText(one.latency_ms)}</span>
              <Time at={one.ended_at} clock="sandbox" />
            </summary>
            <Answer attempt={one} />
            <Sent delivery={delivery} attempt={one} />
          </details>
        ))}
      </div>
    )}
  </section>
)

const Answer = ({ attempt }: { attempt: Attempt }) => (
  <>
    <h3>Response</h3>
    {attempt.http_status === null ? (
      <p class="quiet">None. {outcomeText(null, attempt.error)}.</p>
    ) : (
      <>
        <pre class="source" tabindex={0} aria-label="Response headers">
          {[`HTTP ${attempt.http_status}`, ...headerLines(attempt.response_headers ?? {})].join(
            '\n',
          )}
        </pre>
        {attempt.response_body === null || attempt.response_body === '' ? (
          <p class="quiet">Empty body.</p>
        ) : (
          <pre class="source" tabindex={0} aria-label="Response body">
            {attempt.response_body}
          </pre>
        )}
        <p class="fine">
          First {limits.webhookAnswerBytesMax.toLocaleString('en-US')} bytes. Values of headers that
          may hold credentials aren’t stored.
        </p>
      </>
    )}
  </>
)

const headerLines = (headers: Readonly<Record<string, string | null>>) =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value ?? '(not stored)'}`)

function Sent({ delivery, attempt }: { delivery: Delivery; attempt: Attempt }) {
  const { url, address, signature } = attempt
  return (
    <>
      <h3>Request</h3>
      <Facts
        of={[
          ['URL', <Address key="url" of={url ?? 'Not stored'} />],
          [
            'Address',
            address === null ? (
              <span class="quiet">Not connected</span>
            ) : (
              <>
                <code>{address}</code>
                {attempt.resolve_ms !== null && (
                  <span class="quiet"> resolved in {millisecondsText(attempt.resolve_ms)}</span>
                )}
              </>
            ),
          ],
        ]}
      />
      {signature !== null && (
        <pre class="source" tabindex={0} aria-label="Request as sent">
          {[
            ...headerLines({ ...sentHeaders(delivery), [webhookHeaders.signature]: signature }),
            '',
            delivery.body ?? '(event deleted)',
          ].join('\n')}
        </pre>
      )}
      {delivery.include_resource === true && signature !== null && (
        <p class="fine">
          Sent with <code>data</code>, the resource as of that time, which we don’t store.
        </p>
      )}
    </>
  )
}

const sentHeaders = ({ id, event, event_type }: Delivery) => ({
  'content-type': 'application/json',
  [webhookHeaders.event]: event,
  [webhookHeaders.type]: event_type,
  [webhookHeaders.delivery]: id,
})
