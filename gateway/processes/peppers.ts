// Which peppers the platform uses, as the database notes it: what a pepper hashed can be compared
// with another one only by a credential, so a process that has a wrong one is found by this digest.
import { SQL } from 'bun'
import type { Peppers } from '#auth/pepper.ts'
import { LaunchError } from '#database/launch-error.ts'
import type { Connection } from '#database/pool.ts'
import { retryWhileAway } from '#database/retry.ts'
import { openRoles, type RoleUrls } from '#database/roles.ts'
import { sql } from '#database/sql.ts'
import { rolePasswords } from '../server/credentials.ts'

/** A pepper has 32 characters or more, so none is found by trying. */
const digestOf = (pepper: string): string =>
  new Bun.CryptoHasher('sha256', pepper).update('which pepper this is').digest('hex')

const refusal = [
  'KEY_PEPPER must be one that this database knows: under another, no key, token or signed address',
  'that was given out is valid, and the roles would get passwords that the other processes do not',
  'have. Set it as the other processes have it; one that was generated is keyPepper in secrets.json',
  'of their DATA_DIR. To replace it, set KEY_PEPPER=new,old. If it is lost, run',
  '`bun run migrate --new-pepper` once: every key and token then has to be given out again.',
].join(' ')

/**
 * Gives the roles the passwords that follow from the peppers, and returns their addresses. Throws,
 * and changes nothing, where the database knows other peppers alone.
 */
export async function openPlatformRoles(ownerUrl: string, peppers: Peppers): Promise<RoleUrls> {
  if (!(await claimPeppers(ownerUrl, peppers))) throw new LaunchError(refusal)
  return openRoles(ownerUrl, rolePasswords(...peppers))
}

/** Whether the database knows one of the peppers, or none at all. It then knows these alone. */
export const claimPeppers = (ownerUrl: string, peppers: Peppers): Promise<boolean> =>
  retryWhileAway(() =>
    withDigests(ownerUrl, async transaction => {
      const noted = await transaction<{ digest: string }[]>`
        select digest from public.pepper_digests`
      const own = peppers.map(digestOf)
      const isKnown = noted.length === 0 || noted.some(({ digest }) => own.includes(digest))
      if (isKnown) await replaceDigests(transaction, own)
      return isKnown
    }),
  )

/** After a pepper was lost: from now on the database knows these alone, whatever it knew. */
export const startWithPeppers = (ownerUrl: string, peppers: Peppers): Promise<boolean> =>
  withDigests(ownerUrl, async transaction => {
    await replaceDigests(transaction, peppers.map(digestOf))
    return true
  })

/** Under a lock, so that of two first starts with different peppers one is refused. */
async function withDigests(
  ownerUrl: string,
  work: (transaction: SQL) => Promise<boolean>,
): Promise<boolean> {
  const connection = { application_name: 'peppers' }
  await using owner = new SQL({ url: ownerUrl, max: 1, connectionTimeout: 10, connection })
  // A version before has no table of them; the check of the schema says what is missing.
  const [row] = await owner`select to_regclass('public.pepper_digests') is not null as exists`
  if (row.exists !== true) return true
  return owner.begin(async transaction => {
    await transaction`lock table public.pepper_digests in exclusive mode`
    return work(transaction)
  })
}

async function replaceDigests(transaction: SQL, digests: readonly string[]): Promise<void> {
  const list = transaction.array([...digests], 'TEXT')
  await transaction`delete from public.pepper_digests where digest <> all (${list}::text[])`
  await transaction`
    insert into public.pepper_digests (digest) select unnest(${list}::text[])
    on conflict do nothing`
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
