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

export type Whose = { mode: Mode; integration: string }

/** One integration in one mode. What is said of it is said in turn. */
type Account = Whose & { turn: Promise<unknown>; isToldNext: boolean }

export type ConnectionQuota = {
  /** Calls `enter` and answers true when there is a place; no other is let in meanwhile. */
  take(whose: Whose, enter: () => void): Promise<boolean>
  /** Has the database know that there are fewer. */
  give(whose: Whose): void
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
  count: (whose: Whose) => number,
): ConnectionQuota {
  const name = randomHalf(randomBytes(16))
  const accounts = new Map<string, Account>()
  let renewedAt = now()
  const hold = async ({ mode, integration }: Whose, wanted: number, most: number) => {
    const [row] = await pools[mode].use(connection =>
      connection.run<{ held: boolean }>(sql`
        select reserve_connections(${integration}, ${name}, ${wanted}::int, ${most}::int,
                          ${leaseSeconds}::int) as held`),
    )
    return row?.held === true
  }
  const inTurn = <T>(whose: Whose, work: (one: Account) => Promise<T>): Promise<T> => {
    const key = `${whose.mode} ${whose.integration}`
    const one = accounts.get(key) ?? { ...whose, turn: Promise.resolve(), isToldNext: false }
    accounts.set(key, one)
    const done = one.turn.then(() => work(one))
    const turn = done
      .catch(() => undefined)
      .then(() => {
        if (one.turn === turn && count(one) === 0) accounts.delete(key)
      })
    one.turn = turn
    return done
  }
  const toldInTurn = (whose: Whose) =>
    inTurn(whose, one => {
      one.isToldNext = false
      // What is here is told, whatever the others have.
      return hold(one, count(one), 2 ** 31 - 1)
    })
  return {
    take: ({ mode, integration }, enter) =>
      inTurn({ mode, integration }, async whose => {
        const isHeld = await hold(whose, count(whose) + 1, limits.realtimeConnectionsMax)
        if (isHeld) enter()
        return isHeld
      }),
    give(whose) {
      const one = accounts.get(`${whose.mode} ${whose.integration}`)
      // Many that leave at once are one change.
      if (one === undefined || one.isToldNext) return
      one.isToldNext = true
      // What could not be said is said when it is renewed, or is over by itself.
      toldInTurn(whose).catch(onError)
    },
    async renew() {
      if (now() - renewedAt < renewSeconds * 1000) return
      renewedAt = now()
      await Promise.all([...accounts.values()].map(toldInTurn))
    },
    async close() {
      await Promise.all([...accounts.values()].map(toldInTurn)).catch(onError)
    },
  }
}
