// Every attempt of a delivery: when, how long it took, what was sent, and what was answered.
import { webhookHeaders } from '#contract/events.ts'
import { limits } from '#contract/limits.ts'
import { Badge, Facts, Time } from '#http/html/parts.tsx'
import type { Delivery } from '../webhooks/deliveries.tsx'
import { isAccepted } from './schedule.tsx'
import { millisecondsText, outcomeText } from '../webhooks/delivery-words.ts'

type Attempt = Delivery['attempts'][number]

/** The last one is open. */
export const Attempts = ({ delivery }: { delivery: Delivery }) => (
  <section class="part">
    <h2>Attempts</h2>
    {delivery.attempts.length === 0 ? (
      <p class="quiet">None yet.</p>
    ) : (
      <div class="attempts">
        {delivery.attempts.toReversed().map((one, at) => (
          <details key={one.attempt} open={at === 0}>
            <summary>
              <span class="attempt-number">{one.attempt}</span>
              <Badge tone={isAccepted(one) ? 'good' : 'bad'}>
                {outcomeText(one.http_status, one.error)}
              </Badge>
              <span class="quiet">{millisecondsText(one.latency_ms)}</span>
              <Time at={one.ended_at} />
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
    <h3>Answer</h3>
    {attempt.http_status === null ? (
      <p class="quiet">None: {outcomeText(null, attempt.error)}.</p>
    ) : (
      <>
        <pre class="source" tabindex={0} aria-label="Headers of the answer">
          {[`HTTP ${attempt.http_status}`, ...headerLines(attempt.response_headers ?? {})].join(
            '\n',
          )}
        </pre>
        {attempt.response_body === null || attempt.response_body === '' ? (
          <p class="quiet">Without a body.</p>
        ) : (
          <pre class="source" tabindex={0} aria-label="Beginning of the body">
            {attempt.response_body}
          </pre>
        )}
        <p class="fine">
          The first {limits.webhookAnswerBytesMax.toLocaleString('en-US')} bytes. Of a header that
          may hold a credential only the name is kept.
        </p>
      </>
    )}
  </>
)

const headerLines = (headers: Readonly<Record<string, string | null>>) =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value ?? '(not kept)'}`)

function Sent({ delivery, attempt }: { delivery: Delivery; attempt: Attempt }) {
  const { url, address, signature } = attempt
  return (
    <>
      <h3>Request</h3>
      <Facts
        of={[
          [
            'URL',
            <span key="url" class="address">
              {url ?? 'not kept'}
            </span>,
          ],
          [
            'Address',
            address === null ? (
              <span class="quiet">none was connected to</span>
            ) : (
              <>
                <code>{address}</code>
                {attempt.resolve_ms !== null && (
                  <span class="quiet">
                    {' '}
                    found and checked in {millisecondsText(attempt.resolve_ms)}
                  </span>
                )}
              </>
            ),
          ],
        ]}
      />
      {signature !== null && (
        <pre class="source" tabindex={0} aria-label="Request as it was sent">
          {[
            ...headerLines({ ...sentHeaders(delivery), [webhookHeaders.signature]: signature }),
            '',
            delivery.body ?? '(the event is gone)',
          ].join('\n')}
        </pre>
      )}
      {delivery.include_resource === true && signature !== null && (
        <p class="fine">
          With <code>data</code>, the resource as it was then, which is not kept.
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
