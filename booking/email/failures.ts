// The words of the mail to developers whose endpoint does not take what is sent to it: which one,
// in which mode, how many events, and what to do next. No event and no patient is in it.
import { limits } from '#contract/limits.ts'
import company from '#content/site.config.ts'
import type { Mode } from '#contract/operation.ts'
import type { Line, Prose } from './prose.ts'

/** The first of a row, the tenth, and the one after which nothing more is sent. */
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

const words: Record<FailureKind, (facts: FailureFacts) => { subject: string; lines: Line[] }> = {
  event_failed: ({ host }) => ({
    subject: `An event could not be delivered to ${host}`,
    lines: [
      `An event could not be delivered to ${host} in ${attempts} attempts over three days. It is still in the list of events, and can be sent again.`,
      `After ${most} such events in a row the endpoint is disabled. One that is delivered begins the count anew.`,
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
      `${failed} events in a row could not be delivered to ${host}, so the endpoint is disabled and what waited for it has failed.`,
      'Events go on being written. Read what was missed with GET /v1/events and since, then enable the endpoint with PATCH and status enabled.',
    ],
  }),
}

export function proseOfFailure(endpoint: string, kind: FailureKind, facts: FailureFacts): Prose {
  const { subject, lines } = words[kind](facts)
  const rows: [string, string][] = [
    ['Endpoint', endpoint],
    ['Mode', facts.mode],
    ['Failed in a row', String(facts.failed)],
  ]
  return {
    subject: `${subject} (${facts.mode} mode)`,
    lines: [
      ...lines,
      { rows },
      `GET /v1/webhook_endpoints/${endpoint}/deliveries?status=failed says what your endpoint answered.`,
      { label: 'Receiving webhooks', href: `${company.site}/docs/webhooks` },
    ],
    foot: ['You get this because this address is named for the integration. Each is sent once.'],
  }
}
