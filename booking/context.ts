// What the desk stands on, and the few steps that all of its answers take.
import company from '#content/site.config.ts'
import { momentOf as momentPart, randomHalf } from '#contract/ids.ts'
import type { ConnectionPool, Row } from '#database/pool.ts'
import type { Statement } from '#database/sql.ts'
import type { Links } from './links.ts'
import type { Opening } from './opening.ts'

export type BookingContext = {
  /** Of the role app_site. */
  readonly pool: ConnectionPool
  readonly opening: Opening
  readonly links: Links
  /** Milliseconds since 1970. */
  now(): number
  random(count: number): Uint8Array
  /** Told after every write that queued mail. */
  wake(): void
  /** Everybody is answered as an address at a reserved domain is. */
  readonly isDryRun: boolean
}

export const companyZone = company.booking.timeZone

export const run = <R extends Row>(parts: BookingContext, statement: Statement): Promise<R[]> =>
  parts.pool.use(connection => connection.run<R>(statement))

export const nowOf = (parts: BookingContext): Temporal.Instant =>
  Temporal.Instant.fromEpochMilliseconds(parts.now())

export const newId = (parts: BookingContext, prefix: 'bkg' | 'clb' | 'mail'): string =>
  `${prefix}_${momentPart(parts.now())}${randomHalf(parts.random(16))}`

/** The same for the same person each time, as a recorded one would be. */
export function dryRunId(prefix: 'bkg' | 'clb', person: string): string {
  const drawn = new Bun.CryptoHasher('sha256').update(`rehearsal of ${person}`).digest()
  return `${prefix}_${momentPart(0)}${randomHalf(drawn)}`
}

/** More twins than ever write at the same person at once. */
const attemptsMax = 12

/** Decides again while others change what was decided on; null says that they did. */
export async function decided<T>(decide: () => Promise<T | null>): Promise<T> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const answer = await decide()
    if (answer !== null) return answer
  }
  throw new Error('a call kept changing while it was decided')
}

/** What a caller says of itself, kept as one line of bounded length. */
export const agentText = (agent: string | null): string | null =>
  agent?.replace(/\p{Cc}+/gu, ' ').slice(0, 200) ?? null
