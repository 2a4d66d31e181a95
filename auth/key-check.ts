// Checks whether keys are valid, in batches: one query runs at a time, and keys that arrive in the
// meantime join the next query. Uncached keys from an address with too many failed authentications
// are checked here first. So a flood of made-up keys costs a few queries a second instead of one
// per key, and a valid key from the same address is still accepted.

import { createBatches } from '#database/batches.ts'
import type { ConnectionPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { hashArray } from './pepper.ts'
import { validCredentials } from './principal.ts'

/** Checks a key or token by its HMACs under each pepper. */
export type KeyCheck = (hashes: readonly Uint8Array[]) => Promise<boolean>

/** Keeps each query to a few milliseconds. */
const batchMax = 1000

export function openKeyCheck(pool: ConnectionPool): KeyCheck {
  /** Keys waiting for the next batch, without duplicates. */
  const waiting = new Map<string, Promise<boolean>>()
  const check = createBatches<PresentedKey, boolean>({ batchMax, runningMax: 1 }, async keys => {
    for (const { name } of keys) waiting.delete(name)
    const valid = await validAmong(
      pool,
      keys.flatMap(({ hashes }) => hashes),
    )
    return keys.map(({ hashes }) => hashes.some(hash => valid.has(hash.toHex())))
  })

  return hashes => {
    const name = hashes.map(hash => hash.toHex()).join(' ')
    const asked = waiting.get(name)
    if (asked !== undefined) return asked
    const { promise, resolve } = Promise.withResolvers<boolean>()
    // Must be set before the check, which starts a batch right away if none is running.
    waiting.set(name, promise)
    resolve(check({ name, hashes }))
    return promise
  }
}

type PresentedKey = { readonly name: string; readonly hashes: readonly Uint8Array[] }

/** The hashes that belong to a valid key, in hexadecimal. */
async function validAmong(
  pool: ConnectionPool,
  hashes: readonly Uint8Array[],
): Promise<ReadonlySet<string>> {
  const rows = await pool.use(connection =>
    connection.run<{ hash: string }>(sql`
      select encode(k.hash, 'hex') as hash ${validCredentials}
         and k.hash = any (${hashArray(hashes)})`),
  )
  return new Set(rows.map(({ hash }) => hash))
}
