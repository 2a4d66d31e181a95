// An order's status at the clinic's pharmacy, in words.
import type { Transmission } from '#contract/console/orders.ts'
import { Badge, Time } from '#http/html/parts.tsx'
import type { ComponentChildren } from 'preact'
import type { Static } from 'typebox'

type TransmissionView = Static<typeof Transmission> | null

const reasons: Readonly<Record<string, string>> = {
  blocked_address: 'its URL resolves to a private network',
  connection_failed: 'the connection failed',
  disconnected: 'the clinic is no longer connected to it',
  dns_failure: 'DNS lookup failed',
  interrupted: 'sending was interrupted repeatedly',
  order_moved: 'the order had changed',
  redirected: 'its URL redirected',
  rejected: 'it refused the order',
  timeout: 'it didn’t respond in time',
  tls_failure: 'its certificate isn’t valid',
  protocol_failure: 'its response wasn’t valid HTTP',
  unavailable: 'it couldn’t take the order',
  unreadable_answer: 'its response had no reference for the order',
}

/** After one of these errors, the pharmacy can't have the order. */
const notReceived: ReadonlySet<string> = new Set([
  'blocked_address',
  'disconnected',
  'dns_failure',
  'rejected',
  'tls_failure',
])

function reasonOf({ error, http_status, detail }: NonNullable<TransmissionView>): string {
  const said = detail === null ? '' : `: “${detail}”`
  const status = http_status === null ? '' : ` (HTTP ${http_status})`
  return `${reasons[error ?? ''] ?? 'it wasn’t accepted'}${status}${said}`
}

/** Shown above an order waiting for a person. */
export function TransmissionNote({ of }: { of: TransmissionView }) {
  if (of?.status !== 'stopped') return null
  const isRefused = notReceived.has(of.error ?? '')
  return (
    <p class="note">
      {of.pharmacy} {isRefused ? 'doesn’t have' : 'hasn’t confirmed'} this order: {reasonOf(of)}.{' '}
      {isRefused
        ? 'Send it again, or fill it yourself.'
        : 'They may still have it, so ask before you fill it yourself.'}
    </p>
  )
}

export function transmissionFacts(
  of: TransmissionView,
): readonly (readonly [string, ComponentChildren])[] {
  if (of === null) return []
  const { pharmacy, status, attempts, due_at, reference } = of
  const tried = attempts === 1 ? 'tried once' : `tried ${attempts} times`
  const state = {
    due:
      attempts === 0 ? (
        'Sending'
      ) : (
        <>
          Not sent yet, {tried}: {reasonOf(of)}. Next attempt <Time at={due_at} />
        </>
      ),
    accepted: reference === null ? 'Accepted' : `Accepted as ${reference}`,
    stopped: `Not sent, ${tried}.`,
    by_hand: 'Not sent: filled by the clinic',
  }[status]
  return [
    ['Pharmacy', pharmacy],
    ['Transmission', state],
  ]
}

/** The badge in a list of orders. */
export const TransmissionBadge = ({ of }: { of: TransmissionView }) =>
  of?.status === 'stopped' ? (
    <>
      {' '}
      <Badge tone="bad">Not sent</Badge>
    </>
  ) : null
