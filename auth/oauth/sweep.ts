// Removes what has ended: codes and refresh tokens, access tokens, families, and clients that are
// not used. In small batches, each a statement of its own that skips what others hold, so that no
// request waits for it; several gateways may do it at once.

import type { Connection, ConnectionPool, Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'

type Swept = {
  artifacts: number
  tokens: number
  families: number
  /** Registered, and never got a token. */
  unusedClients: number
  /** Got their last token 90 days ago. */
  dormantClients: number
  /** To sign in or to enter a code, for a day. */
  failedAttempts: number
}

const batchMax = 100
/** Between two batches. */
const pauseMilliseconds = 10
const everySeconds = 60

/** For an hour a client still hears that its code has expired, and not that there is none. */
const expired = sql`expires_at < now() - interval '1 hour'`

const kinds: Readonly<Record<keyof Swept, Statement>> = {
  artifacts: sql`
    delete from auth.artifacts where hash = any (array(
      select hash from auth.artifacts where ${expired} order by expires_at
       limit ${batchMax}::int for update skip locked))
    returning 1`,
  tokens: sql`
    delete from auth.credentials where id = any (array(
      select id from auth.credentials where kind <> 'key' and ${expired} order by expires_at
       limit ${batchMax}::int for update skip locked))
    returning 1`,
  // For a week an ended family can be shown to its person, and its connections are closed.
  families: sql`
    delete from auth.token_families where id = any (array(
      select id from auth.token_families
       where kind <> 'client' and coalesce(revoked_at, ends_at) < now() - interval '7 days'
       order by coalesce(revoked_at, ends_at) limit ${batchMax}::int for update skip locked))
    returning 1`,
  unusedClients: sql`
    delete from auth.clients where id = any (array(
      select id from auth.clients
       where kind = 'registered' and last_token_at is null
         and created_at < now() - interval '24 hours'
       order by created_at limit ${batchMax}::int for update skip locked))
    returning 1`,
  dormantClients: sql`
    delete from auth.clients where id = any (array(
      select id from auth.clients
       where kind = 'registered' and last_token_at is not null
         and coalesce(last_token_at, created_at) < now() - interval '90 days'
       order by coalesce(last_token_at, created_at) limit ${batchMax}::int for update skip locked))
    returning 1`,
  failedAttempts: sql`
    delete from auth.failed_attempts where ctid = any (array(
      select ctid from auth.failed_attempts where last_at < now() - interval '1 day'
       order by last_at limit ${batchMax}::int for update skip locked))
    returning 1`,
}

/** Removes everything that has ended, or as much as there is time for. */
export async function sweep(pool: ConnectionPool, isStopped = () => false): Promise<Swept> {
  const swept = {
    artifacts: 0,
    tokens: 0,
    families: 0,
    unusedClients: 0,
    dormantClients: 0,
    failedAttempts: 0,
  }
  for (const kind of Object.keys(kinds) as (keyof Swept)[]) {
    for (let removed = batchMax; removed >= batchMax && !isStopped();) {
      removed = await pool.use(connection => remove(connection, kinds[kind]))
      swept[kind] += removed
      if (removed > 0) await Bun.sleep(pauseMilliseconds)
    }
  }
  return swept
}

async function remove(connection: Connection, statement: Statement): Promise<number> {
  const rows = await connection.run<Row>(statement)
  return rows.length
}

/** Sweeps every minute. */
export function openSweeper(pool: ConnectionPool, onError: (failure: unknown) => void) {
  let isStopped = false
  let running: Promise<unknown> = Promise.resolve()
  const run = () => {
    running = running.then(() => sweep(pool, () => isStopped)).catch(onError)
  }
  const timer = setInterval(run, everySeconds * 1000)
  return {
    async stop(): Promise<void> {
      isStopped = true
      clearInterval(timer)
      await running
    },
  }
}
