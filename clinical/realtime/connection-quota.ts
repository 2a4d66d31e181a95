// An integration's connection quota, counted by the database across all gateways. A gateway reports
// its count when it changes, and again every few seconds; a dead gateway's count expires after half
// a minute. Decided in docs/decisions/0165-keep-files-free-of-sockets.md.

import { randomHalf } from '#contract/ids.ts'
import { limits } from '#contract/limits.ts'
import { type Mode, modes } from '#contract/operation.ts'
import { sql } from '#database/sql.ts'
import { randomBytes } from '#database/clock.ts'
import type { ModePools } from '../modes.ts'

const leaseSeconds = 30
const renewSeconds = 10
/** Existing connections are reported regardless of the limit. */
const uncapped = 2 ** 31 - 1
const reportsAtOnce = 100

export type QuotaOwner = { mode: Mode; integration: string }

/** One integration in one mode. Its reports are sent one after another. */
type Account = QuotaOwner & { lastWork: Promise<unknown>; isReportQueued: boolean }

type ConnectionQuota = {
  /** Calls `enter` and returns true if the quota allows it; admits one connection at a time. */
  acquire(owner: QuotaOwner, enter: () => void): Promise<boolean>
  /** Reports the lower count to the database. */
  release(owner: QuotaOwner): void
  /** Reports all due counts again. */
  renew(): Promise<void>
  /** Reports that this gateway has no connections left. */
  close(): Promise<void>
}

type ConnectionQuotaOptions = {
  pools: ModePools
  now(): number
  onError(failure: unknown): void
}

/** `count` returns an integration's current connections at this gateway. */
export function openConnectionQuota(
  { pools, now, onError }: ConnectionQuotaOptions,
  count: (owner: QuotaOwner) => number,
): ConnectionQuota {
  let renewedAt = now()
  let renewal = Promise.resolve()
  const { reserve, report } = statementsOf(pools)
  const { enqueue, known, ofMode } = openAccounts(count)
  const reportCount = (owner: QuotaOwner) =>
    enqueue(owner, one => {
      one.isReportQueued = false
      return reserve(one, count(one), uncapped)
    })
  /** Sends a batch in one statement, so reports for hundreds of integrations don't use the
   *  connections that calls need. All accounts stay locked until it ends. */
  const reportTogether = async (mode: Mode, batch: readonly Account[]) => {
    const written = Promise.withResolvers<void>()
    const turns = batch.map(one => {
      const turn = Promise.withResolvers<void>()
      void enqueue(one, () => {
        turn.resolve()
        return written.promise
      })
      return turn.promise
    })
    await Promise.all(turns)
    const counted = batch.map(one => ({ integration: one.integration, wanted: count(one) }))
    await report(mode, counted).finally(() => {
      written.resolve()
    })
  }
  const reportAll = async () => {
    for (const mode of modes) {
      const all = ofMode(mode)
      for (let at = 0; at < all.length; at += reportsAtOnce) {
        await reportTogether(mode, all.slice(at, at + reportsAtOnce))
      }
    }
  }
  return {
    acquire: ({ mode, integration }, enter) =>
      enqueue({ mode, integration }, async owner => {
        const isHeld = await reserve(owner, count(owner) + 1, limits.realtimeConnectionsMax)
        if (isHeld) enter()
        return isHeld
      }),
    release(owner) {
      const one = known(owner)
      // Connections that close at the same time share one report.
      if (one === undefined || one.isReportQueued) return
      one.isReportQueued = true
      // A failed report is repeated by renew, or expires.
      reportCount(owner).catch(onError)
    },
    async renew() {
      if (now() - renewedAt >= renewSeconds * 1000) {
        renewedAt = now()
        renewal = reportAll()
      }
      await renewal
    },
    close: () => reportAll().catch(onError),
  }
}

const keyOf = ({ mode, integration }: QuotaOwner) => `${mode} ${integration}`

/** Accounts with connections or waiting work. `enqueue` does each account's work in order. */
function openAccounts(count: (owner: QuotaOwner) => number) {
  const accounts = new Map<string, Account>()
  const enqueue = <T>(owner: QuotaOwner, work: (one: Account) => Promise<T>): Promise<T> => {
    const key = keyOf(owner)
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
  return {
    enqueue,
    known: (owner: QuotaOwner) => accounts.get(keyOf(owner)),
    ofMode: (mode: Mode) => [...accounts.values()].filter(one => one.mode === mode),
  }
}

/** Database queries for this gateway's reports. */
function statementsOf(pools: ModePools) {
  const name = randomHalf(randomBytes(16))
  const reserve = async ({ mode, integration }: QuotaOwner, wanted: number, most: number) => {
    const [row] = await pools[mode].use(connection =>
      connection.run<{ held: boolean }>(sql`
        select reserve_connections(${integration}, ${name}, ${wanted}::int, ${most}::int,
                          ${leaseSeconds}::int) as held`),
    )
    return row?.held === true
  }
  const report = (mode: Mode, counted: readonly { integration: string; wanted: number }[]) =>
    pools[mode].use(connection =>
      connection.run(sql`
        select reserve_connections(integration, ${name}, wanted, ${uncapped}::int, ${leaseSeconds}::int)
          from (select * from json_to_recordset(${JSON.stringify(counted)}::text::json)
                  as one (integration text, wanted int) order by integration collate "C") counted`),
    )
  return { reserve, report }
}
