// Which peppers the platform uses, as the database notes it: what a pepper hashed can be compared
// with another one only by a credential, so a machine that has a wrong one is found by this digest.
import type { Peppers } from '#auth/pepper.ts'
import { type Connection, openPool } from '#database/pool.ts'
import { retryWhileAway } from '#database/retry.ts'
import { sql } from '#database/sql.ts'

/** A pepper has 32 characters or more, so none is found by trying. */
const digestOf = (pepper: string): string =>
  new Bun.CryptoHasher('sha256', pepper).update('which pepper this is').digest('hex')

/** Those of the process that started last. It may serve already, so it waits for the database. */
export const notePeppers = (ownerUrl: string, peppers: Peppers): Promise<void> =>
  retryWhileAway(() => replaceDigests(ownerUrl, peppers))

async function replaceDigests(ownerUrl: string, peppers: Peppers): Promise<void> {
  const digests = peppers.map(digestOf)
  const pool = openPool({ url: ownerUrl, size: 1, name: 'peppers' })
  try {
    await pool.use(connection =>
      connection.run(sql`
        with removed as (
          delete from public.pepper_digests where digest <> all (${digests}::text[]))
        insert into public.pepper_digests (digest) select unnest(${digests}::text[])
        on conflict do nothing`),
    )
  } finally {
    await pool.close()
  }
}

/** `unknown` until a process has started. While a pepper is replaced, one of them is shared. */
export async function comparePeppers(
  connection: Connection,
  peppers: Peppers,
): Promise<'shared' | 'different' | 'unknown'> {
  const noted = await connection.run<{ digest: string }>(
    sql`select digest from public.pepper_digests`,
  )
  if (noted.length === 0) return 'unknown'
  const own = new Set(peppers.map(digestOf))
  return noted.some(({ digest }) => own.has(digest)) ? 'shared' : 'different'
}
