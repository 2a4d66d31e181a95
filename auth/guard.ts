// The door of a stream. Whoever came before is not looked up again: the first statement of its call
// asks, in the snapshot in which it does its work, whether the key is still good, nothing has
// changed that says what it may do, and the connection stands in a stream of its own. Where one of
// these is not so, that statement finds nothing, changes nothing and answers nothing.

import { isFull } from '#database/failures.ts'
import type { Lane, Row } from '#database/pool.ts'
import { nothing, sql, type Statement } from '#database/sql.ts'
import type { Known } from './credential-cache.ts'

/** One row when the door is open, else none: `stale` is whether the key's use is to be noted. */
function doorOf({ hash, credential, stream, revision }: Known): Statement {
  const { mode, integration, agreed } = credential
  // An agreement may end by the clock alone, and in live nothing is done without one.
  const agreement =
    mode === 'live' && agreed
      ? sql`and exists (select from auth.agreements a where a.integration = k.integration
            and a.terminated_at is null and (a.ends_at is null or a.ends_at > now()))`
      : nothing
  return sql`
    select k.last_used_at is null or k.last_used_at < now() - interval '1 minute' as stale
      from auth.keys k
      join auth.integrations i on i.id = k.integration
      join streams s on s.id = ${stream}::bigint and s.integration = k.integration
     where current_setting('app.stream', true) = ${stream}
       and k.hash = ${hash} and k.mode = ${mode} and k.revoked_at is null
       and (k.expires_at is null or k.expires_at > now())
       and i.id = ${integration} and i.revision = ${revision}::bigint
       and i.suspended_at is null and s.retired_at is null ${agreement}`
}

/** The same for the later statements of a call: whether the connection still stands there. */
const insideOf = (stream: string): Statement =>
  sql`select false as stale where current_setting('app.stream', true) = ${stream}`

/** The door was shut: something changed since the caller was found, or the connection was lost. */
export class Adrift extends Error {
  readonly code = 'ERR_POSTGRES_CONNECTION_ADRIFT'
}

/** How a call gets at its stream: every statement of it stands behind a door. */
export type Entrance = {
  /** Whether a statement of this call has passed the whole door. */
  readonly isPassed: boolean
  /** Sends a statement that answers at least one row, with `stale` of the door, where it is open;
   *  throws `Adrift` where it is shut. */
  through<R extends Row>(build: (door: Statement) => Statement): Promise<[R, ...R[]]>
}

export function openEntrance(lane: Lane, known: Known): Entrance {
  let isPassed = false
  return {
    get isPassed() {
      return isPassed
    },
    async through<R extends Row>(build: (door: Statement) => Statement) {
      if (!isPassed) enter(lane, known)
      const door = isPassed ? insideOf(known.stream) : doorOf(known)
      const [first, ...others] = await lane.run<R & { stale: boolean }>(build(door))
      if (!first) {
        lane.stream = undefined
        throw new Adrift('the statement found its door shut')
      }
      isPassed = true
      if (first.stale) await markUsed(lane, known.credential.id)
      return [first, ...others]
    },
  }
}

/**
 * Has the connection stand in the caller's stream. The database opens it for a key whose
 * integration it belongs to, and closes it for every other; nobody waits for it, because the
 * statement with the door goes out with it and finds out.
 */
function enter(lane: Lane, { hash, stream }: Known): void {
  if (lane.stream === stream) return
  lane.stream = stream
  const opened = lane.run(sql`
    select set_config('app.stream', coalesce((
      select s.id::text from auth.keys k join streams s on s.integration = k.integration
       where k.hash = ${hash} and s.id = ${stream}::bigint), ''), false) as opened`)
  void opened.catch(() => {
    lane.stream = undefined
  })
}

/**
 * Notes, at most once a minute, that a key is in use, so that its owner sees what may be retired.
 * A database without room for the note still knows the key.
 */
export async function markUsed(lane: Lane, key: string): Promise<void> {
  const used = lane.run(sql`
    update auth.keys set last_used_at = now()
     where id = ${key} and (last_used_at is null or last_used_at < now() - interval '1 minute')`)
  await used.catch((failure: unknown) => {
    if (!isFull(failure)) throw failure
  })
}
