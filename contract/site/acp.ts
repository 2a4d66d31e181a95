// Definitions that the endpoints, discovery document and rows of the agentic checkout (ACP) share.

/** The supported protocol versions, oldest first. */
export const acpDates = [
  '2025-09-29',
  '2025-12-12',
  '2026-01-16',
  '2026-01-30',
  '2026-04-17',
] as const

export type AcpDate = (typeof acpDates)[number]

/** The version used when a request has none. */
export const acpNewest: AcpDate = '2026-04-17'

/** The version in an API-Version header. */
export const acpDateOf = (header: string | null): AcpDate | undefined =>
  acpDates.find(date => date === header?.trim())

export type MessageCode =
  | 'missing'
  | 'invalid'
  | 'not_found'
  | 'unsupported'
  | 'conflict'
  | 'rate_limited'

/** Older versions have only two codes, so every code except `missing` becomes `invalid`. */
export function messageCodeIn(date: AcpDate, code: MessageCode): MessageCode {
  return date >= '2026-01-30' || code === 'missing' ? code : 'invalid'
}

/** The only item on offer and its only fulfillment option. */
export const acpItem = {
  id: 'discovery-call',
  currency: 'usd',
  locale: 'en-US',
  delivery: 'booking-page',
} as const

const acpBase = '/api/acp'
export const acpSessions = `${acpBase}/checkout_sessions`

/** The longest Idempotency-Key that the protocol allows. */
export const acpKeyMax = 255

/** The discovery document at `/.well-known/acp.json`. */
export function acpDiscovery(site: string): object {
  return {
    protocol: {
      name: 'acp',
      version: acpNewest,
      supported_versions: acpDates,
      documentation_url: `${site}/developers`,
    },
    api_base_url: `${site}${acpBase}`,
    transports: ['rest'],
    capabilities: {
      services: ['checkout'],
      supported_currencies: [acpItem.currency],
      supported_locales: [acpItem.locale],
      // The document's schema is closed, so extensions are the only place for a seller's rules.
      // Each name states a rule, and its page explains it.
      extensions: [
        { name: 'completion_states_consent', spec: `${site}/agents.md#ask-your-person-first` },
        { name: 'cancellation_not_stored', spec: `${site}/agents.md#at-the-checkout` },
        { name: 'test_mode_by_reserved_domain', spec: `${site}/agents.md#at-the-checkout` },
      ],
    },
  }
}
