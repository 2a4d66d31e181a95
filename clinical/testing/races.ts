// Forces races: calls run into a lock that another transaction holds, so each of them has read its
// facts before the first can write.

import type { Connection } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { queryAsOwner } from './assertions.ts'
import type { Fixtures } from './fixtures.ts'

/** Returns how many sessions wait for a lock. Don't call this in a transaction, which reads the
 *  list of sessions only once. */
export async function countWaiting(fixtures: Fixtures): Promise<number> {
  const rows = await queryAsOwner(
    fixtures,
    sql`select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows.length
}

/** Takes a lock and starts the calls one after another, each once the earlier calls are waiting for
 *  a lock or done. Then runs `change` in the transaction that holds the lock, commits it, and
 *  returns the calls' results. */
export async function runIntoLock<T>(
  fixtures: Fixtures,
  lock: Statement,
  calls: readonly (() => Promise<T>)[],
  change: (connection: Connection) => Promise<unknown> = async () => undefined,
): Promise<T[]> {
  const started: Promise<T>[] = []
  let over = 0
  await fixtures.owner.use(async connection => {
    await connection.run(sql`begin`)
    await connection.run(lock)
    for (const call of calls) {
      started.push(call().finally(() => over++))
      await until(async () => over + (await countWaiting(fixtures)) >= started.length)
    }
    await change(connection)
    await connection.run(sql`commit`)
  })
  return Promise.all(started)
}

/** Returns a call's result while another transaction holds a lock, or 'waits' if it waits for a
 *  lock, which is then released. */
export async function whileLocked<T>(
  fixtures: Fixtures,
  lock: Statement,
  call: () => Promise<T>,
): Promise<T | 'waits'> {
  let isOver = false
  const { calling, isWaiting } = await fixtures.owner.use(async connection => {
    await connection.run(sql`begin`)
    await connection.run(lock)
    const calling = call().finally(() => (isOver = true))
    await until(async () => isOver || (await countWaiting(fixtures)) > 0)
    const isWaiting = !isOver
    await connection.run(sql`commit`)
    return { calling, isWaiting }
  })
  const result = await calling
  return isWaiting ? 'waits' : result
}
