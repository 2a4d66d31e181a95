// The peppers that hash secrets. They aren't in the database. A second pepper exists only while the
// pepper is being replaced: new hashes use the first, and lookups use both. Decided in
// docs/decisions/0089-replace-the-pepper-in-steps.md.

import type { Connection, Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { hashToken } from './tokens.ts'

/** Newest first. */
export type Peppers = readonly [string, ...string[]]

/** A pepper's name, stored beside the pepper's hashes. The name doesn't reveal the pepper. */
export const pepperName = (pepper: string): string =>
  new Bun.CryptoHasher('sha256').update(`name of ${pepper}`).digest('hex').slice(0, 8)

/** A secret's possible stored hashes, one under each pepper, in the order of the peppers. */
export const hashesOf = (
  peppers: Peppers,
  token: string,
): readonly [Uint8Array, ...Uint8Array[]] => {
  const [newest, ...older] = peppers
  return [hashToken(newest, token), ...older.map(pepper => hashToken(pepper, token))]
}

/** Hexadecimal hashes as an array of `bytea`, for `= any (…)`. */
export const hexArray = (hashes: readonly string[]): Statement =>
  sql`array(select decode(h, 'hex') from unnest(${hashes}::text[]) h)`

export const hashArray = (hashes: readonly Uint8Array[]): Statement =>
  hexArray(hashes.map(hash => hash.toHex()))

/** Usable values that a pepper hashed: credentials, client secrets, tokens and codes. */
const hashed = sql`
  select kind || ' ' || id as id, pepper from auth.credentials
   where revoked_at is null and (expires_at is null or expires_at > now())
  union all
  select 'client secret ' || id, pepper from auth.client_secrets
   where revoked_at is null and (expires_at is null or expires_at > now())
  union all
  select 'recovery code of ' || person, pepper from auth.recovery_codes where used_at is null
  union all
  select a.kind || ' of ' || a.client, pepper from auth.artifacts a
   where consumed_at is null and denied_at is null and expires_at > now()
     and not exists (select from auth.token_families f
                      where f.id = a.family and f.revoked_at is not null)`

/** Counts credentials that aren't under the newest pepper. `lost` counts credentials under a pepper
 *  that isn't listed here; they're unusable. */
export async function countOutdated(
  connection: Connection,
  peppers: Peppers,
): Promise<{ older: number; lost: number }> {
  const [newest, ...older] = peppers.map(pepperName)
  // Rows from before peppers had names count as older.
  const [row] = await connection.run<Row & { older: number; lost: number }>(sql`
    select count(*) filter (where pepper is null or pepper = any (${older}::text[]))::int as older,
           count(*) filter (where pepper is not null and pepper <> all (${older}::text[]))::int as lost
      from (${hashed}) one
     where pepper is distinct from ${newest ?? ''}`)
  return row ?? { older: 0, lost: 0 }
}

/** The names of outdated credentials, each with its count, up to a limit. */
export async function listOutdated(
  connection: Connection,
  peppers: Peppers,
  limit: number,
): Promise<string[]> {
  const rows = await connection.run<Row & { id: string; count: number }>(sql`
    select id, count(*)::int as count from (${hashed}) one
     where pepper is distinct from ${pepperName(peppers[0])}
     group by id order by id limit ${limit}`)
  return rows.map(({ id, count }) => (count === 1 ? id : `${id} (${count})`))
}
