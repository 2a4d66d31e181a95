// The connection quota of an integration, counted by the database across all gateways. A gateway
// reports its count when that changes, and again every few seconds; the count of a gateway that
// died expires after half a minute.

import { randomHalf } from '#contract/ids.ts'
import { limits } from '#contract/limits.ts'
import type { Mode } from '#contract/operation.ts'
import { sql } from '#database/sql.ts'
import { randomBytes } from '#database/clock.ts'
import type { ModePools } from '../modes.ts'

const leaseSeconds = 30
const renewSeconds = 10

export type QuotaOwner = { mode: Mode; integration: string }

/** One integration in one mode. Its reports are sent one after another. */
type Account = QuotaOwner & { lastWork: Promise<unknown>; isReportQueued: boolean }

type ConnectionQuota = {
  /** Calls `enter` and returns true when the quota allows it; admits one connection at a time. */
  acquire(owner: QuotaOwner, enter: () => void): Promise<boolean>
  /** Reports the lower count to the database. */
  release(owner: QuotaOwner): void
  /** Reports all counts again, if they are due. */
  renew(): Promise<void>
  /** Reports that this gateway has no connections any more. */
  close(): Promise<void>
}

type ConnectionQuotaOptions = {
  pools: ModePools
  now(): number
  onError(failure: unknown): void
}

/** `count` returns the current connections of an integration at this gateway. */
export function openConnectionQuota(
  { pools, now, onError }: ConnectionQuotaOptions,
  count: (owner: QuotaOwner) => number,
): ConnectionQuota {
  const name = randomHalf(randomBytes(16))
  const accounts = new Map<string, Account>()
  let renewedAt = now()
  const reserve = async ({ mode, integration }: QuotaOwner, wanted: number, most: number) => {
    const [row] = await pools[mode].use(connection =>
      connection.run<{ held: boolean }>(sql`
        select reserve_connections(${integration}, ${name}, ${wanted}::int, ${most}::int,
                          ${leaseSeconds}::int) as held`),
    )
    return row?.held === true
  }
  const enqueue = <T>(owner: QuotaOwner, work: (one: Account) => Promise<T>): Promise<T> => {
    const key = `${owner.mode} ${owner.integration}`
    const one = accounts.get(key) ?? {
      ...owner,
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
  const reportCount = (owner: QuotaOwner) =>
    enqueue(owner, one => {
      one.isReportQueued = false
      // Reports the existing connections, whatever the limit.
      return reserve(one, count(one), 2 ** 31 - 1)
    })
  return {
    acquire: ({ mode, integration }, enter) =>
      enqueue({ mode, integration }, async owner => {
        const isHeld = await reserve(owner, count(owner) + 1, limits.realtimeConnectionsMax)
        if (isHeld) enter()
        return isHeld
      }),
    release(owner) {
      const one = accounts.get(`${owner.mode} ${owner.integration}`)
      // Connections that close at the same time are one report.
      if (one === undefined || one.isReportQueued) return
      one.isReportQueued = true
      // A failed report is repeated by renew, or expires.
      reportCount(owner).catch(onError)
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
