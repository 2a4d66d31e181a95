// Re-encrypts pharmacy secrets with the newest key, so an old key can be removed from SEAL_KEYS.
// This includes ended connections, so no row still needs an old key.

import type { Encryption } from '#database/encryption.ts'
import { LaunchError } from '#database/launch-error.ts'
import type { ConnectionPool, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { secretPurpose } from './connection.ts'

type OlderRow = Row & { id: string; secret: string; previous_secret: string | null }

/** Returns how many connections had secrets that weren't encrypted with the newest key. */
export async function reencryptPharmacies(
  pool: ConnectionPool,
  encryption: Encryption,
): Promise<number> {
  const newest = `sealed.${encryption.keys[0]}.`
  return pool.use(async connection => {
    const rows = await connection.run<OlderRow>(sql`
      select id, secret, previous_secret from pharmacy.connections
       where secret not like ${`${newest}%`} or previous_secret not like ${`${newest}%`}`)
    let changed = 0
    for (const { id, secret, previous_secret } of rows) {
      // Values that no key decrypts stay as they are.
      const again = (older: string) => {
        const opened = older.startsWith(newest) ? null : encryption.open(secretPurpose(id), older)
        return opened === null ? older : encryption.encrypt(secretPurpose(id), opened)
      }
      const next = again(secret)
      const previous = previous_secret === null ? null : again(previous_secret)
      if (next === secret && previous === previous_secret) continue
      const [row] = await connection.run<{ done: boolean }>(sql`
        select pharmacy.reencrypt(${id}, ${secret}, ${previous_secret}::text, ${next},
                                  ${previous}::text) as done`)
      if (row?.done) changed++
    }
    return changed
  })
}

/** Refuses to start if SEAL_KEYS lacks a key that a pharmacy's secret is still encrypted with. */
export async function checkPharmacyKeys(
  pool: ConnectionPool,
  encryption: Encryption,
): Promise<void> {
  const patterns = encryption.keys.map(key => `sealed.${key}.%`)
  const rows = await pool.use(connection =>
    connection.run<{ id: string }>(sql`
      select id from pharmacy.connections
       where ended_at is null and not secret like any (${patterns}::text[]) order by id limit 20`),
  )
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id).join(', ')
  throw new LaunchError(
    `SEAL_KEYS has no key for the secrets of ${ids}. Restore the key that encrypted them, and remove it once the worker has re-encrypted them.`,
  )
}
