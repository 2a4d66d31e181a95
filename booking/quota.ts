// Limits how many people can be booked or called back from one network in an hour, across all
// protocols and gateways. Each booking sends an email to an address that only its owner can
// confirm, so a request limit alone would let a caller email many people who didn't ask.
import { Problem } from '#contract/problems.ts'
import { isDuplicate } from '#database/failures.ts'
import type { Statement } from '#database/sql.ts'
import { secondsText } from '#http/limits/counter.ts'
import { networkOf } from '#http/limits/rate-limiter.ts'
import { hmacOf } from './idempotency/encrypt.ts'
import { type BookingContext, run } from './context.ts'

/** The values for counting one more person in a statement. */
export type PeopleQuota = { readonly network: Buffer; readonly peopleMax: number }

export const peopleQuotaOf = (parts: BookingContext, address: string | null): PeopleQuota => ({
  network: hmacOf(parts.secret, 'booking network', networkOf(address)),
  peopleMax: parts.peoplePerHour,
})

type Counted = { id: string | null; retry_seconds: number }

/**
 * Runs a statement that stores and counts one person. Returns false if a concurrent statement
 * conflicts. Throws `rate_limited` if the network's quota is used up.
 */
export async function runCounted(parts: BookingContext, statement: Statement): Promise<boolean> {
  const rows = await run<Counted>(parts, statement).catch((failure: unknown) => {
    if (isDuplicate(failure)) return null
    throw failure
  })
  const row = rows?.[0]
  if (row === undefined) return false
  if (row.id !== null) return true
  const seconds = Math.max(1, row.retry_seconds)
  throw new Problem('rate_limited', {
    detail: `At most ${parts.peoplePerHour} unconfirmed people can be booked from one IP address in an hour.`,
    hint: `Wait ${secondsText(seconds)}. The person may book the call at ${parts.links.times} from another network. A person who picks a time through the link in their email no longer counts.`,
    headers: { 'retry-after': String(seconds) },
  })
}
