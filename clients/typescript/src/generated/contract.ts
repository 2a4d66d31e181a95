// Generated from the contract by clients/generate/generate.ts; do not edit.

/** The version of this package. */
export const sdkVersion = '0.1.0'

/** What the names of keys begin with. */
export const slug = 'svc'

/** What the names of variables begin with. */
export const environmentPrefix = 'SVC'

/** The version of the API that this package was made for. */
export const apiVersion = '2026-11-20'

/** Where the API is, unless an option says otherwise. */
export const defaultBaseUrl = 'https://api.example.com'

/** The most items that a page can have. */
export const pageMax = 100

export const maxRetries = 2

export const timeoutSeconds = 30

export const uploadTimeoutSeconds = 120

export const pauseSeconds = { first: 0.5, longest: 8 } as const

export const retryAfterSecondsMax = 60

export const retriedStatuses: readonly number[] = [
  408, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527, 528, 529,
]

export const retriedCodes: readonly string[] = ['idempotency_in_progress']

export const tokenRenewalSeconds = 60

export const signatureToleranceSeconds = 300

export const ownHeaders: readonly string[] = [
  'accept',
  'api-version',
  'authorization',
  'content-length',
  'content-type',
  'host',
  'idempotency-key',
  'service-organization',
  'user-agent',
]

export const webhookHeaders = {
  signature: 'Service-Signature',
  event: 'Service-Event-Id',
  type: 'Service-Event-Type',
  delivery: 'Service-Delivery-Id',
} as const

/** Of the authorization server. */
export const tokenPath = '/api/auth/oauth2/token'

/** Where the API names its authorization server (RFC 9728). */
export const metadataPath = '/.well-known/oauth-protected-resource'

/** Where realtime messages come from. */
export const realtimePath = '/v1/realtime'

/** What a subscriber offers beside its token. */
export const realtimeProtocol = 'svc.v1'
