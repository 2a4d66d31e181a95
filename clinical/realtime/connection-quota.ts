// The places of an integration's connections, counted at all gateways together by the database. A
// gateway says how many it has when that changes, and again every few seconds: what it had when it
// died is free half a minute later.

import { randomHalf } from '#contract/ids.ts'
import { limits } from '#contract/limits.ts'
import type { Mode } from '#contract/operation.ts'
import { sql } from '#database/sql.ts'
import { randomBytes } from '#database/clock.ts'
import type { ModePools } from '../modes.ts'

const leaseSeconds = 30
const renewSeconds = 10

export type QuotaOwner = { mode: Mode; integration: string }

/** One integration in one mode. What is said of it is said in turn. */
type Account = QuotaOwner & { lastWork: Promise<unknown>; isReportQueued: boolean }

export type ConnectionQuota = {
  /** Calls `enter` and answers true when there is a place; no other is let in meanwhile. */
  acquire(whose: QuotaOwner, enter: () => void): Promise<boolean>
  /** Has the database know that there are fewer. */
  release(whose: QuotaOwner): void
  /** Says again what there is, when it is time to. */
  renew(): Promise<void>
  /** Gives all back: nobody is here any more. */
  close(): Promise<void>
}

export type ConnectionQuotaOptions = {
  pools: ModePools
  now(): number
  onError(failure: unknown): void
}

/** `count` are the connections of an integration that are here now. */
export function openConnectionQuota(
  { pools, now, onError }: ConnectionQuotaOptions,
  count: (whose: QuotaOwner) => number,
): ConnectionQuota {
  const name = randomHalf(randomBytes(16))
  const accounts = new Map<string, Account>()
  let renewedAt = now()
  const reserve = async ({ mode, integration }: QuotaOwner, wanted: number, most: number) => {
    const [row] = await pools[mode].use(connection =>
      connection.run<{ held: boolean }>(sql`
        select hold_seats(${integration}, ${name}, ${wanted}::int, ${most}::int,
                          ${leaseSeconds}::int) as held`),
    )
    return row?.held === true
  }
  const enqueue = <T>(whose: QuotaOwner, work: (one: Account) => Promise<T>): Promise<T> => {
    const key = `${whose.mode} ${whose.integration}`
    const one = accounts.get(key) ?? {
      ...whose,
      lastWork: Promise.resolve(),
      isReportQueued: false,
    }
    accounts.set(key, one)
    const done = one.lastWork.then(() => work(one))
    const turn = done
      .catch(() => undefined)
      .then(() => {
        if (one.lastWork === turn && count(one) === 0) accounts.delete(key)
      })
    one.lastWork = turn
    return done
  }
  const reportCount = (whose: QuotaOwner) =>
    enqueue(whose, one => {
      one.isReportQueued = false
      // What is here is told, whatever the others have.
      return reserve(one, count(one), 2 ** 31 - 1)
    })
  return {
    acquire: ({ mode, integration }, enter) =>
      enqueue({ mode, integration }, async whose => {
        const isHeld = await reserve(whose, count(whose) + 1, limits.realtimeConnectionsMax)
        if (isHeld) enter()
        return isHeld
      }),
    release(whose) {
      const one = accounts.get(`${whose.mode} ${whose.integration}`)
      // Many that leave at once are one change.
      if (one === undefined || one.isReportQueued) return
      one.isReportQueued = true
      // What could not be said is said when it is renewed, or is over by itself.
      reportCount(whose).catch(onError)
    },
    async renew() {
      if (now() - renewedAt < renewSeconds * 1000) return
      renewedAt = now()
      await Promise.all([...accounts.values()].map(reportCount))
    },
    async close() {
      await Promise.all([...accounts.values()].map(reportCount)).catch(onError)
    },
  }
}
