// The network behavior of every client, with each number defined once so the languages agree.

import { webhookHeaders } from '#contract/events.ts'

/** A header as documentation writes it. */
const titled = (name: string) => name.replaceAll(/\b[a-z]/g, letter => letter.toUpperCase())

export const transport = {
  /** Attempts after the first one. */
  maxRetries: 2,
  /** The time limit for each attempt of a request or an upload. */
  timeoutSeconds: 30,
  uploadTimeoutSeconds: 120,
  /** A pause lasts a random time between 0 and `first · 2^n`, at most `longest`. */
  pauseSeconds: { first: 0.5, longest: 8 },
  /** The client doesn't wait out a longer Retry-After; the error reports it. */
  retryAfterSecondsMax: 60,
  /** Statuses that are retried, as failed connections are; 520 and up come from a CDN. */
  retriedStatuses: [408, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527, 528, 529],
  /**
   * Problem codes that are retried although their statuses aren't, because the condition passes by
   * itself.
   */
  retriedCodes: ['idempotency_in_progress'],
  /** An access token is renewed this long before it expires. */
  tokenRenewalSeconds: 60,
  /** Seconds between a signature's time and the receiver's clock. */
  signatureToleranceSeconds: 300,
  /** Headers that callers can't set. */
  ownHeaders: [
    'accept',
    'api-version',
    'authorization',
    'content-length',
    'content-type',
    'host',
    'idempotency-key',
    'service-organization',
    'user-agent',
  ],
  /** A webhook's headers. */
  webhookHeaders: {
    signature: titled(webhookHeaders.signature),
    event: titled(webhookHeaders.event),
    type: titled(webhookHeaders.type),
    delivery: titled(webhookHeaders.delivery),
  },
} as const
