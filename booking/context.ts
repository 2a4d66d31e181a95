// The booking service's dependencies, and helpers that several operations use.
import company from '#content/site.config.ts'
import { momentOf as momentPart, openIdSequence, randomHalf } from '#contract/ids.ts'
import { now, randomBytes } from '#database/clock.ts'
import type { ConnectionPool, Row } from '#database/pool.ts'
import type { Statement } from '#database/sql.ts'
import type { Links } from './links.ts'
import type { Opening } from './opening.ts'

export type BookingContext = {
  /** Connects as app_site. */
  readonly pool: ConnectionPool
  readonly opening: Opening
  readonly links: Links
  /** Milliseconds since 1970. */
  now(): number
  /** Called after every write that queued email. */
  wake(): void
  /** Whether every booking is a dry run, as for a reserved domain. */
  readonly isDryRun: boolean
  /** The key for hashing callers' addresses. */
  readonly secret: string
  /** How many unconfirmed people can be booked per hour from one address. */
  readonly peoplePerHour: number
}

export const companyZone = company.booking.timeZone

export const run = <R extends Row>(parts: BookingContext, statement: Statement): Promise<R[]> =>
  parts.pool.use(connection => connection.run<R>(statement))

export const nowOf = (parts: BookingContext): Temporal.Instant =>
  Temporal.Instant.fromEpochMilliseconds(parts.now())

const nextId = openIdSequence(now, randomBytes)

/** An ID for a new row, greater than every earlier ID from this process. */
export const newId = (prefix: 'bkg' | 'clb' | 'mail'): string => `${prefix}_${nextId()}`

const noMoment = momentPart(0)

/** Derived from the person, so a retry gets the same ID. */
export function dryRunId(prefix: 'bkg' | 'clb', person: string): string {
  const drawn = new Bun.CryptoHasher('sha256').update(`dry run for ${person}`).digest()
  return `${prefix}_${noMoment}${randomHalf(drawn)}`
}

/** More than the number of concurrent writes that can affect one person. */
const attemptsMax = 12

/** Calls `decide` again whenever it returns null, which means that a concurrent write changed the
 *  facts. */
export async function decided<T>(decide: () => Promise<T | null>): Promise<T> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const answer = await decide()
    if (answer !== null) return answer
  }
  throw new Error(`a call changed in each of ${attemptsMax} attempts`)
}

/** A caller's name as one line of limited length. */
export const agentText = (agent: string | null): string | null =>
  agent?.replace(/\p{Cc}+/gu, ' ').slice(0, 200) ?? null
