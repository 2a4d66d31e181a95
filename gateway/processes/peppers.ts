// Records digests of the platform's peppers in the database. Until a credential is used, nothing
// else would reveal that a process has a wrong pepper.
import { SQL } from 'bun'
import { insertAuditRows, unauthenticated } from '#auth/audit.ts'
import { newId } from '#auth/ids.ts'
import type { Peppers } from '#auth/pepper.ts'
import { LaunchError } from '#database/launch-error.ts'
import { type Connection, openPool } from '#database/pool.ts'
import { runningProcesses } from '#database/processes.ts'
import { retryWhileAway } from '#database/retry.ts'
import { openRoles, type RoleUrls } from '#database/roles.ts'
import { sql } from '#database/sql.ts'
import { ConfigError } from '../settings/config-error.ts'
import { rolePasswords } from '../settings/credentials.ts'

/** A pepper has at least 32 characters, so its digest can't be brute-forced. */
const digestOf = (pepper: string): string =>
  new Bun.CryptoHasher('sha256', pepper).update('which pepper this is').digest('hex')

const refusal = [
  'KEY_PEPPER must be one this database knows. With another, no existing key, token or signed URL',
  "is valid, and the roles get passwords that other processes don't have. Set it to the other",
  "processes' value; a generated one is keyPepper in secrets.json in their DATA_DIR. To replace it,",
  'set KEY_PEPPER=new,old. If it is lost, run `npm run admin -- migrate --new-pepper` once. Every key',
  'and token then has to be reissued.',
].join(' ')

/**
 * Sets the roles' passwords, which are derived from the peppers, and returns the roles' URLs.
 * Throws, and changes nothing, if the database has only other peppers.
 */
export async function openPlatformRoles(ownerUrl: string, peppers: Peppers): Promise<RoleUrls> {
  if (!(await claimPeppers(ownerUrl, peppers))) throw new ConfigError(refusal)
  return openRoles(ownerUrl, rolePasswords(...peppers))
}

/** Called before a migration, because a machine with a wrong pepper must not migrate the schema to
 *  its release. */
export async function checkPeppers(ownerUrl: string, peppers: Peppers): Promise<void> {
  const pool = openPool({ url: ownerUrl, size: 1, name: 'peppers' })
  const compared = await pool
    .use(connection => comparePeppers(connection, peppers))
    .finally(pool.close)
  if (compared === 'different') throw new ConfigError(refusal)
}

/** Whether the database has one of these peppers, or no pepper at all. If so, the database now has
 *  only these peppers. */
export const claimPeppers = (ownerUrl: string, peppers: Peppers): Promise<boolean> =>
  retryWhileAway(() => claim(ownerUrl, peppers.map(digestOf)))

async function claim(ownerUrl: string, own: readonly string[]): Promise<boolean> {
  const connection = { application_name: 'peppers' }
  await using owner = new SQL({ url: ownerUrl, max: 1, connectionTimeout: 10, connection })
  // The schemas of earlier versions lack the table, and the schema check reports such a schema.
  const [row] = await owner`select to_regclass('public.pepper_digests') is not null as exists`
  if (row.exists !== true) return true
  return owner.begin(async transaction => {
    // If two first starts use different peppers, one of them is refused.
    await transaction`lock table public.pepper_digests in exclusive mode`
    const noted = await transaction<{ digest: string }[]>`
      select digest from public.pepper_digests`
    const isKnown = noted.length === 0 || noted.some(({ digest }) => own.includes(digest))
    if (isKnown) await replaceDigests(transaction, own)
    return isKnown
  })
}

/** A pepper that a running process still has isn't lost, and a reset would lock that process
 *  out. */
export async function checkStopped(connection: Connection): Promise<void> {
  const [one] = await runningProcesses(connection)
  if (one === undefined) return
  throw new LaunchError(
    `KEY_PEPPER isn't lost: a running ${one.kind} has it. Use its value. To switch to a new one anyway, stop every gateway and worker first.`,
  )
}

/** After a pepper is lost, makes the database accept only these peppers. */
export async function startWithPeppers(connection: Connection, peppers: Peppers): Promise<void> {
  const digests = peppers.map(digestOf)
  const action = { surface: 'cli', action: 'replaceLostPepper', target: null } as const
  const call = { ...action, request: newId('request'), address: null, agent: null }
  const done = sql`select null::text, 'ok'::text, 200::int2, null::text`
  await connection.run(sql`
    with forgotten as (
      delete from public.pepper_digests where digest <> all (${digests}::text[])
    ), noted as (
      insert into public.pepper_digests (digest) select unnest(${digests}::text[])
      on conflict do nothing
    )
    ${insertAuditRows(unauthenticated, call, done)}`)
}

async function replaceDigests(transaction: SQL, digests: readonly string[]): Promise<void> {
  const list = transaction.array([...digests], 'TEXT')
  await transaction`delete from public.pepper_digests where digest <> all (${list}::text[])`
  await transaction`
    insert into public.pepper_digests (digest) select unnest(${list}::text[])
    on conflict do nothing`
}

/** `unknown` until a process has recorded its peppers. During a rotation, one shared pepper is
 *  enough. */
export async function comparePeppers(
  connection: Connection,
  peppers: Peppers,
): Promise<'shared' | 'different' | 'unknown'> {
  const [table] = await connection.run<{ exists: boolean }>(
    sql`select to_regclass('public.pepper_digests') is not null as exists`,
  )
  if (table?.exists !== true) return 'unknown'
  const noted = await connection.run<{ digest: string }>(
    sql`select digest from public.pepper_digests`,
  )
  if (noted.length === 0) return 'unknown'
  const own = new Set(peppers.map(digestOf))
  return noted.some(({ digest }) => own.has(digest)) ? 'shared' : 'different'
}
