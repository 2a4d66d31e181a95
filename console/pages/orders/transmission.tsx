// What became of an order at the pharmacy of the clinic, in words.
import type { Transmission } from '#contract/console/orders.ts'
import { Badge, Time } from '#http/html/parts.tsx'
import type { ComponentChildren } from 'preact'
import type { Static } from 'typebox'

type Shown = Static<typeof Transmission> | null

const reasons: Readonly<Record<string, string>> = {
  blocked_address: 'its address leads into a private network',
  connection_failed: 'the connection to it failed',
  disconnected: 'the clinic is no longer connected to it',
  dns_failure: 'its host was not found',
  interrupted: 'the sending was interrupted again and again',
  order_moved: 'the order had changed',
  redirected: 'it led to another address',
  rejected: 'it refused the order',
  timeout: 'it did not answer in time',
  tls_failure: 'its certificate is not valid',
  protocol_failure: 'its answer was not valid HTTP',
  unavailable: 'it could not take the order',
  unreadable_answer: 'its answer had no reference for the order',
}

/** After these the pharmacy cannot have the order. */
const notReceived: ReadonlySet<string> = new Set([
  'blocked_address',
  'disconnected',
  'dns_failure',
  'rejected',
  'tls_failure',
])

function reasonOf({ error, http_status, detail }: NonNullable<Shown>): string {
  const said = detail === null ? '' : `: “${detail}”`
  const status = http_status === null ? '' : ` (HTTP ${http_status})`
  return `${reasons[error ?? ''] ?? 'it was not accepted'}${status}${said}`
}

/** Above an order that waits for a person. */
export function TransmissionNote({ of }: { of: Shown }) {
  if (of?.status !== 'stopped') return null
  const isRefused = notReceived.has(of.error ?? '')
  return (
    <p class="note">
      {of.pharmacy} {isRefused ? 'does not have' : 'has not confirmed'} this order: {reasonOf(of)}.{' '}
      {isRefused
        ? 'Send it again, or do it by hand.'
        : 'It may have received it all the same: ask there before you do it by hand.'}
    </p>
  )
}

export function transmissionFacts(of: Shown): readonly (readonly [string, ComponentChildren])[] {
  if (of === null) return []
  const { pharmacy, status, attempts, due_at, reference } = of
  const tried = attempts === 1 ? 'tried once' : `tried ${attempts} times`
  const state = {
    due:
      attempts === 0 ? (
        'It is being sent.'
      ) : (
        <>
          Not sent yet, {tried}: {reasonOf(of)}. Next attempt <Time at={due_at} />
        </>
      ),
    accepted: reference === null ? 'It has the order.' : `It has the order as ${reference}.`,
    stopped: `Not sent, ${tried}.`,
    by_hand: 'Not sent: done by hand.',
  }[status]
  return [
    ['Pharmacy', pharmacy],
    ['Transmission', state],
  ]
}

/** In a list of orders. */
export const TransmissionBadge = ({ of }: { of: Shown }) =>
  of?.status === 'stopped' ? (
    <>
      {' '}
      <Badge tone="bad">Not sent</Badge>
    </>
  ) : null
