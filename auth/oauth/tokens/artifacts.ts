// Rows in auth.artifacts: codes, refresh tokens, device codes, and steps in an authorization.

import { sql, type Statement } from '#database/sql.ts'
import type { Connection, Row } from '#database/pool.ts'
import { familyStands } from '../../guard.ts'
import { familyAsJson, type FamilyRow } from '../families.ts'
import { limits } from '#contract/limits.ts'
import type { ConsumedKind } from '../request.ts'
import { timesOf } from './times.ts'

type ArtifactKind = ConsumedKind | 'interaction'

export type ArtifactRow = Row & {
  client: string
  family_id: string | null
  person: string | null
  payload: Record<string, unknown>
  iat: number
  exp: number
  /** How many milliseconds ago the value was consumed. Null if it wasn't. */
  consumed_ago: number | null
  is_denied: boolean
  /** The device polled again too soon. */
  is_hasty: boolean
  /** Null once the family has ended. */
  family: FamilyRow | null
}

const columns = sql`
  a.client, a.family as family_id, a.person, a.payload, ${timesOf(sql`a`)},
  extract(epoch from clock_timestamp() - a.consumed_at)::float8 * 1000 as consumed_ago,
  a.denied_at is not null as is_denied,
  case when f.id is null then null else ${familyAsJson} end as family`

export async function findArtifact(
  connection: Connection,
  kind: ArtifactKind,
  hashes: Statement,
): Promise<ArtifactRow | undefined> {
  const [found] = await connection.run<ArtifactRow>(sql`
    select ${columns}, false as is_hasty
      from auth.artifacts a
           left join auth.token_families f on f.id = a.family and ${familyStands}
     where a.hash = any (${hashes}) and a.kind = ${kind}`)
  return found
}

/** Handles a device's poll. A poll may arrive half a second early, because network delays vary. Any
 *  earlier poll makes the device wait longer from then on. */
export async function pollDevice(
  connection: Connection,
  hashes: Statement,
  client: string,
): Promise<ArtifactRow | undefined> {
  const [found] = await connection.run<ArtifactRow>(sql`
    with asked as materialized (
      select d.hash, d.family is null and d.denied_at is null and d.expires_at > now()
               and d.polled_at > now() - d.poll_seconds * interval '1 second' + interval '500 ms'
             as is_hasty
        from auth.artifacts d
       where d.hash = any (${hashes}) and d.kind = 'device' and d.client = ${client}
         for update
    ), a as (
      update auth.artifacts d set polled_at = clock_timestamp(),
             poll_seconds = d.poll_seconds + case when asked.is_hasty then ${limits.deviceSlowDownSeconds}::int else 0 end
        from asked where d.hash = asked.hash
      returning d.*, coalesce(asked.is_hasty, false) as is_hasty
    )
    select ${columns}, a.is_hasty
      from a left join auth.token_families f on f.id = a.family and ${familyStands}`)
  return found
}

type NewArtifact = {
  readonly kind: ArtifactKind
  readonly hash: Uint8Array
  /** The name of the pepper used for the hash. */
  readonly pepper: string
  readonly client: string
  readonly family?: string | null
  readonly person?: string | null
  readonly userCode?: Uint8Array | null
  readonly payload: Readonly<Record<string, unknown>>
  readonly seconds: number
}

/** Saves an authorization step. Of all kinds of artifacts, only a step is saved again, once the
 *  person decides. */
export const saveInteraction = (connection: Connection, artifact: NewArtifact): Promise<Row[]> =>
  connection.run(sql`
    insert into auth.artifacts (hash, pepper, kind, client, payload, expires_at)
    values (${artifact.hash}, ${artifact.pepper}, 'interaction', ${artifact.client},
            ${JSON.stringify(artifact.payload)}::text::jsonb,
            now() + ${artifact.seconds}::int * interval '1 second')
    on conflict (hash) do update set payload = excluded.payload`)

/** Returns whether the family was still valid. */
export async function saveCode(connection: Connection, artifact: NewArtifact): Promise<boolean> {
  const rows = await connection.run(sql`
    with f as materialized (
      select f.id, f.person from auth.token_families f
       where f.id = ${artifact.family ?? null} and ${familyStands} for share of f
    )
    insert into auth.artifacts (hash, pepper, kind, family, client, person, payload, expires_at)
    select ${artifact.hash}, ${artifact.pepper}, 'code', f.id, ${artifact.client}, f.person,
           ${JSON.stringify(artifact.payload)}::text::jsonb,
           now() + ${artifact.seconds}::int * interval '1 second'
      from f returning 1`)
  return rows.length > 0
}

/** Returns false if the client has too many pending codes, from this network or from all. */
export async function saveDevice(
  connection: Connection,
  { network, ...artifact }: NewArtifact & { readonly network: string },
): Promise<boolean> {
  const rows = await connection.run(sql`
    insert into auth.artifacts (hash, pepper, kind, client, user_code, payload, expires_at, poll_seconds)
    select ${artifact.hash}, ${artifact.pepper}, 'device', ${artifact.client}, ${artifact.userCode ?? null},
           ${JSON.stringify({ ...artifact.payload, network })}::text::jsonb,
           now() + ${artifact.seconds}::int * interval '1 second',
           ${limits.devicePollSeconds}::int
     where (select count(*) < ${limits.deviceCodesOfClientMax}::int
               and count(*) filter (where a.payload ->> 'network' = ${network}::text)
                   < ${limits.deviceCodesMax}::int
              from auth.artifacts a where a.client = ${artifact.client} and a.kind = 'device'
               and a.expires_at > now() and a.consumed_at is null)
    returning 1`)
  return rows.length > 0
}

export const removeArtifact = (connection: Connection, hashes: Statement): Promise<Row[]> =>
  connection.run(sql`delete from auth.artifacts where hash = any (${hashes}) returning 1`)
