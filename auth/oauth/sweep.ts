// Removes ended codes, tokens, families, sign-ups and similar rows, and unused clients. Each short
// batch is a single statement that skips locked rows where it can, so requests don't wait for it.
// Several gateways can sweep simultaneously.

import type { Connection, ConnectionPool, Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'

type Swept = {
  artifacts: number
  tokens: number
  families: number
  /** Clients that registered and never got a token. */
  unusedClients: number
  /** Clients that got their last token at least 90 days ago. */
  dormantClients: number
  /** Failed attempts to sign in or enter a code, kept for a day. */
  failedAttempts: number
  /** Sign-ups whose links expired at least a week ago. */
  signUps: number
  /** Recoveries whose links expired at least 90 days ago. Until then, the operator can look them
   *  up. */
  recoveries: number
  /** Invitations whose links expired at least 90 days ago, including accepted invitations. */
  invitations: number
  /** Used passkey challenges that have expired. */
  challenges: number
}

/** Rows per batch. The duration of each batch sets the size of the next batch. */
const batchSizes = { first: 100, min: 10, max: 250 }
const batchMilliseconds = { short: 5, long: 15 }
/** The pause between two batches. */
const pauseMilliseconds = 10
const everySeconds = 60

/** Rows stay for an hour, so a client gets "expired" for its code instead of "unknown". */
const expired = sql`expires_at < now() - interval '1 hour'`

const kinds: Readonly<Record<keyof Swept, (rows: number) => Statement>> = {
  artifacts: rows => sql`
    delete from auth.artifacts where hash = any (array(
      select hash from auth.artifacts where ${expired} order by expires_at
       limit ${rows}::int for update skip locked))
    returning 1`,
  tokens: rows => sql`
    delete from auth.credentials where id = any (array(
      select id from auth.credentials where kind <> 'key' and ${expired} order by expires_at
       limit ${rows}::int for update skip locked))
    returning 1`,
  // Ended families stay for a week, so pages can show them, and connections opened with their
  // tokens can be closed.
  families: rows => sql`
    delete from auth.token_families where id = any (array(
      select id from auth.token_families
       where kind <> 'client' and coalesce(revoked_at, ends_at) < now() - interval '7 days'
       order by coalesce(revoked_at, ends_at) limit ${rows}::int for update skip locked))
    returning 1`,
  unusedClients: rows => sql`
    delete from auth.clients where id = any (array(
      select id from auth.clients
       where kind = 'registered' and last_token_at is null
         and created_at < now() - interval '24 hours'
       order by created_at limit ${rows}::int for update skip locked))
    returning 1`,
  dormantClients: rows => sql`
    delete from auth.clients where id = any (array(
      select id from auth.clients
       where kind = 'registered' and last_token_at is not null
         and coalesce(last_token_at, created_at) < now() - interval '90 days'
       order by coalesce(last_token_at, created_at) limit ${rows}::int for update skip locked))
    returning 1`,
  failedAttempts: rows => sql`
    delete from auth.failed_attempts where ctid = any (array(
      select ctid from auth.failed_attempts where last_at < now() - interval '1 day'
       order by last_at limit ${rows}::int for update skip locked))
    returning 1`,
  // The role may not update sign-ups, recoveries, invitations or challenges, so it can't lock their
  // rows.
  signUps: rows => sql`
    delete from auth.sign_ups where id = any (array(
      select id from auth.sign_ups where expires_at < now() - interval '7 days'
       order by expires_at, id limit ${rows}::int))
    returning 1`,
  recoveries: rows => sql`
    delete from auth.recoveries where id = any (array(
      select id from auth.recoveries where expires_at < now() - interval '90 days'
       order by expires_at, id limit ${rows}::int))
    returning 1`,
  invitations: rows => sql`
    delete from auth.invitations where id = any (array(
      select id from auth.invitations where expires_at < now() - interval '90 days'
       order by expires_at, id limit ${rows}::int))
    returning 1`,
  challenges: rows => sql`
    delete from auth.used_challenges where hash = any (array(
      select hash from auth.used_challenges where expires_at < now()
       order by expires_at, hash limit ${rows}::int))
    returning 1`,
}

/** Halves the size after a long batch, because other statements may wait for its rows and its
 *  commit. */
export function nextBatchSize(rows: number, milliseconds: number): number {
  if (milliseconds > batchMilliseconds.long) return Math.max(batchSizes.min, Math.floor(rows / 2))
  return milliseconds < batchMilliseconds.short ? Math.min(batchSizes.max, rows * 2) : rows
}

/** Removes all ended rows, unless stopped first. */
export async function sweep(pool: ConnectionPool, isStopped = () => false): Promise<Swept> {
  const swept = {
    artifacts: 0,
    tokens: 0,
    families: 0,
    unusedClients: 0,
    dormantClients: 0,
    failedAttempts: 0,
    signUps: 0,
    recoveries: 0,
    invitations: 0,
    challenges: 0,
  }
  for (const kind of Object.keys(kinds) as (keyof Swept)[]) {
    let rows = batchSizes.first
    for (let isDone = false; !isDone && !isStopped();) {
      const batch = await pool.use(connection => remove(connection, kinds[kind](rows)))
      swept[kind] += batch.removed
      isDone = batch.removed < rows
      rows = nextBatchSize(rows, batch.milliseconds)
      if (batch.removed > 0) await Bun.sleep(pauseMilliseconds)
    }
  }
  return swept
}

async function remove(connection: Connection, statement: Statement) {
  const began = performance.now()
  const { length } = await connection.run<Row>(statement)
  return { removed: length, milliseconds: performance.now() - began }
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
