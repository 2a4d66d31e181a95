// Whether keys are valid, looked up in batches: one query at a time, and the keys that arrive while
// it runs go into the next. From an address with too many failed authentications a key that is not
// cached is checked here first. So a flood of invented keys costs a few queries a second instead of
// one a key, and a valid key from the same address is still accepted.

import type { ConnectionPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { validCredentials } from './principal.ts'

/** Takes the HMACs of a key or token under each pepper. */
export type KeyCheck = (hashes: readonly Uint8Array[]) => Promise<boolean>

/** So that a query takes milliseconds. */
const batchMax = 1000

type Waiting = Map<string, PromiseWithResolvers<boolean>>

export function openKeyCheck(pool: ConnectionPool): KeyCheck {
  let waiting: Waiting = new Map()
  let isUnderWay = false

  async function checkAll(): Promise<void> {
    while (waiting.size > 0) {
      const all = [...waiting]
      const batch = all.slice(0, batchMax)
      waiting = new Map(all.slice(batchMax))
      const hashes = batch.flatMap(([name]) => name.split(' '))
      await validAmong(pool, hashes).then(
        valid =>
          batch.forEach(([name, { resolve }]) =>
            resolve(name.split(' ').some(hash => valid.has(hash))),
          ),
        (failure: unknown) => batch.forEach(([, { reject }]) => reject(failure)),
      )
    }
    isUnderWay = false
  }

  return hashes => {
    const name = hashes.map(hash => hash.toHex()).join(' ')
    const entry = waiting.get(name) ?? Promise.withResolvers<boolean>()
    waiting.set(name, entry)
    if (!isUnderWay) {
      isUnderWay = true
      void checkAll()
    }
    return entry.promise
  }
}

/** The hashes, in hexadecimal, that belong to a valid key. */
async function validAmong(
  pool: ConnectionPool,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await pool.use(connection =>
    connection.run<{ hash: string }>(sql`
      select encode(k.hash, 'hex') as hash ${validCredentials}
         and k.hash = any (array(select decode(h, 'hex') from unnest(${hashes}::text[]) h))`),
  )
  return new Set(rows.map(({ hash }) => hash))
}
