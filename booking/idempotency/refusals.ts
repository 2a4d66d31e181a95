// Refusals of requests with an Idempotency-Key, the same in all of the site's protocols.
import { secondsText } from '#http/limits/counter.ts'

export type KeyRefusal = {
  readonly status: 409 | 422
  readonly code: 'idempotency_conflict' | 'idempotency_in_flight'
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
}

export const keyConflict: KeyRefusal = {
  status: 422,
  code: 'idempotency_conflict',
  message: 'This Idempotency-Key was used with another body. Send this request with a new key.',
}

export const keyInFlight = (seconds: number): KeyRefusal => ({
  status: 409,
  code: 'idempotency_in_flight',
  message: `The first call with this Idempotency-Key is still running. Try again in ${secondsText(seconds)}.`,
  headers: { 'retry-after': String(seconds) },
})
