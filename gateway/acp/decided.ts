import type { AcpDate } from '#contract/site/acp.ts'
import { secondsText } from '#http/limits/counter.ts'
import type { HttpRequest } from '#http/http-request.ts'
import type { Cart } from './session-body.ts'
import type { Body } from './read.ts'
import type { Refusal } from './refusals.ts'

/** The request that a checkout endpoint decides on. */
export type CheckoutRequest = {
  readonly request: HttpRequest
  readonly date: AcpDate
  readonly body: Body
  readonly id: string
}

export type Decided = { readonly cart: Cart; readonly isDryRun?: boolean } | Refusal

/** The Allow header lists the methods that are currently accepted. */
export const isCompleted: Refusal = {
  status: 405,
  code: 'session_completed',
  word: 'conflict',
  message:
    'This session is completed. To book another call, create another session: POST /api/acp/checkout_sessions.',
  headers: { allow: 'OPTIONS' },
}

export const isBeingCompleted = (seconds: number): Refusal => ({
  status: 409,
  code: 'idempotency_in_flight',
  word: 'conflict',
  message: `Another call is completing this session. Try again in ${secondsText(seconds)}.`,
  headers: { 'retry-after': String(seconds) },
})
