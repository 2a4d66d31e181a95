// Emails to developers about failed webhook deliveries: the endpoint, the mode, the number of
// events, and what to do next. The emails contain no event and no patient data.
import { limits } from '#contract/limits.ts'
import type { Mode } from '#contract/operation.ts'
import type { MailLinks } from './links.ts'
import type { Prose } from './prose.ts'

/** The first consecutive failure, the tenth, and the one that disables the endpoint. */
export type FailureKind = 'event_failed' | 'events_failing' | 'endpoint_disabled'

type DeveloperFacts = { readonly email: string; readonly integration_id: string }

export type FailureFacts = DeveloperFacts & {
  readonly mode: Mode
  /** The endpoint's host. The URL's path and query may contain a secret. */
  readonly host: string
  /** Failed events in a row, so far. */
  readonly failed: number
}

const { webhookFailuresMax: most, webhookFailuresNotified: several, webhookRetrySeconds } = limits
const attempts = webhookRetrySeconds.length

type Text = { readonly subject: string; readonly lines: readonly string[] }

const texts: Record<FailureKind, (facts: FailureFacts) => Text> = {
  event_failed: ({ host }) => ({
    subject: `Webhook delivery to ${host} failed`,
    lines: [
      `We couldn’t deliver an event to ${host} in ${attempts} attempts over almost three days. The event is still in your event list, and you can redeliver it.`,
      `After ${most} failed events in a row we disable the endpoint. A successful delivery resets the count.`,
    ],
  }),
  events_failing: ({ host, failed }) => ({
    subject: `${failed} webhook deliveries in a row to ${host} failed`,
    lines: [
      `We couldn’t deliver ${failed} events in a row to ${host}. After ${most} we disable the endpoint.`,
    ],
  }),
  endpoint_disabled: ({ host, failed }) => ({
    subject: `Endpoint at ${host} disabled`,
    lines: [
      `We couldn’t deliver ${failed} events in a row to ${host}, so we disabled the endpoint. Its pending deliveries have failed.`,
      'Events are still recorded. Enable the endpoint, then redeliver what you missed, or fetch it with GET /v1/events?since=….',
    ],
  }),
}

export const developersFoot = [
  'You’re getting this because this address is your account’s developer email.',
]

const failuresFoot = [
  ...developersFoot,
  `We email you after 1, ${several} and ${most} failed events in a row.`,
]

export function proseOfFailure(
  endpoint: string,
  kind: FailureKind,
  facts: FailureFacts,
  { portal }: MailLinks,
): Prose {
  const { subject, lines } = texts[kind](facts)
  const [why = '', ...rest] = lines
  const href = `${portal}/${facts.integration_id}/${facts.mode}/webhooks/${endpoint}`
  const rows: [string, string][] = [
    ['Endpoint', endpoint],
    ['Mode', facts.mode],
    ['Consecutive failures', String(facts.failed)],
  ]
  return {
    subject: `${subject} (${facts.mode} mode)`,
    heading: subject,
    lines: [why, { label: 'View endpoint', href, isMain: true }, ...rest, { rows }],
    foot: failuresFoot,
  }
}
