// The text of emails to developers about failed webhook deliveries: the endpoint, the mode, the
// number of events, and what to do next. They contain no event and no patient data.
import { limits } from '#contract/limits.ts'
import company from '#content/site.config.ts'
import type { Mode } from '#contract/operation.ts'
import type { Line, Prose } from './prose.ts'

/** The first consecutive failure, the tenth, and the one that disables the endpoint. */
export type FailureKind = 'event_failed' | 'events_failing' | 'endpoint_disabled'

export type FailureFacts = {
  readonly email: string
  readonly mode: Mode
  /** The endpoint's, without path and query: those may hold a secret. */
  readonly host: string
  /** Failed events in a row, so far. */
  readonly failed: number
}

const { webhookFailuresMax: most, webhookRetrySeconds } = limits
const attempts = webhookRetrySeconds.length

const texts: Record<FailureKind, (facts: FailureFacts) => { subject: string; lines: Line[] }> = {
  event_failed: ({ host }) => ({
    subject: `An event could not be delivered to ${host}`,
    lines: [
      `An event could not be delivered to ${host} in ${attempts} attempts over three days. The event is still in the list of events, and you can send it again.`,
      `After ${most} such events in a row the endpoint is disabled. A successful delivery resets the count.`,
    ],
  }),
  events_failing: ({ host, failed }) => ({
    subject: `${failed} events in a row could not be delivered to ${host}`,
    lines: [
      `${failed} events in a row could not be delivered to ${host}. After ${most} the endpoint is disabled, and nothing more is sent to it.`,
    ],
  }),
  endpoint_disabled: ({ host, failed }) => ({
    subject: `Nothing more is sent to ${host}: the endpoint is disabled`,
    lines: [
      `${failed} events in a row could not be delivered to ${host}, so the endpoint is disabled and its pending deliveries have failed.`,
      'Events are still recorded. Read the missed ones with GET /v1/events and since, then enable the endpoint with PATCH and status enabled.',
    ],
  }),
}

export function proseOfFailure(endpoint: string, kind: FailureKind, facts: FailureFacts): Prose {
  const { subject, lines } = texts[kind](facts)
  const rows: [string, string][] = [
    ['Endpoint', endpoint],
    ['Mode', facts.mode],
    ['Failed in a row', String(facts.failed)],
  ]
  return {
    subject: `${subject} (${facts.mode} mode)`,
    heading: subject,
    lines: [
      ...lines,
      { rows },
      `GET /v1/webhook_endpoints/${endpoint}/deliveries?status=failed lists the responses of your endpoint.`,
      { label: 'Receiving webhooks', href: `${company.site}/docs/webhooks` },
    ],
    foot: [
      'You receive this email because this address is registered for the integration. Each is sent once.',
    ],
  }
}
