// Re-encrypts authenticator app secrets with the newest key in SEAL_KEYS, so older keys can be
// removed.

import { hourMilliseconds } from '#contract/moments.ts'
import type { Connection, ConnectionPool, Row } from '#database/pool.ts'
import type { Encryption } from '#database/encryption.ts'
import { sql } from '#database/sql.ts'
import { totpPurpose } from './person-store.ts'

const batchMax = 500
/** Repeats because other gateways may encrypt with the old key until they restart. */
const everyHours = 1

type FactorRow = Row & { person: string; totp_secret: string }

/** Returns how many secrets were re-encrypted, and how many no key can decrypt. */
export async function reencryptFactors(pool: ConnectionPool, encryption: Encryption) {
  const total = { changed: 0, lost: 0 }
  for (let after = '', isLast = false; !isLast;) {
    const rows = await pool.use(connection => olderFactors(connection, encryption, after))
    for (const row of rows) {
      const secret = encryption.open(totpPurpose(row.person), row.totp_secret)
      if (secret === null) total.lost++
      else if (await replace(pool, encryption, row, secret)) total.changed++
    }
    after = rows.at(-1)?.person ?? ''
    isLast = rows.length < batchMax
  }
  return total
}

const olderFactors = (connection: Connection, { keys }: Encryption, after: string) =>
  connection.run<FactorRow>(sql`
    select person, totp_secret from auth.person_factors
     where person > ${after} and totp_secret not like ${`sealed.${keys[0]}.%`}
     order by person limit ${batchMax}::int`)

async function replace(
  pool: ConnectionPool,
  encryption: Encryption,
  { person, totp_secret: older }: FactorRow,
  secret: string,
): Promise<boolean> {
  const newest = encryption.encrypt(totpPurpose(person), secret)
  const [row] = await pool.use(connection =>
    connection.run<{ changed: boolean }>(
      sql`select auth.reencrypt_factor(${person}, ${older}, ${newest}) as changed`,
    ),
  )
  return row?.changed ?? false
}

/** Runs immediately and then every hour. */
export function openReencryption(
  pool: ConnectionPool,
  encryption: Encryption,
  onError: (failure: unknown) => void,
) {
  let running = Promise.resolve()
  const runOnce = async () => {
    const { lost } = await reencryptFactors(pool, encryption)
    if (lost === 0) return
    const what = `the authenticator apps of ${lost} ${lost === 1 ? 'person' : 'people'}`
    throw new Error(
      `SEAL_KEYS has no key for ${what}. Put back the key that encrypted them, after the newest.`,
    )
  }
  const run = () => void (running = running.then(runOnce).catch(onError))
  run()
  const timer = setInterval(run, everyHours * hourMilliseconds)
  return {
    async stop(): Promise<void> {
      clearInterval(timer)
      await running
    },
  }
}
