// Failed attempts, counted in the database across all gateways. Nobody can lock another person out,
// because a wrong password delays only later attempts for the same account from the same network or
// browser. Decided in docs/decisions/0076-limit-failed-authentications-only.md.

import type { ConnectionPool, Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'

/** The first `free` attempts run without waiting. Each failure after that doubles the wait, up to
 *  `secondsMax`. The count resets after `resetSeconds` without attempts. */
type Delays = { free: number; secondsMax: number; resetSeconds: number }

const delays = {
  /** Attempts on one account from one network, or from a browser that has signed in to the
   *  account. */
  sign_in: { free: 5, secondsMax: 900, resetSeconds: 86_400 },
} as const satisfies Record<string, Delays>

/** The maximum number of failures in a period that starts with the first failure. */
type Window = { max: number; seconds: number }

const windows = {
  /** Limits for all accounts from one network, and for one account from all networks. Beyond a
   *  limit, the first failure for an account from a network already delays the next attempt on that
   *  account from that network. Other attempts don't wait. */
  sign_in_network: { max: 30, seconds: 3_600 },
  sign_in_account: { max: 30, seconds: 86_400 },
  /** Device codes count per session and per person. */
  device_code: { max: 5, seconds: 600 },
  device_code_person: { max: 30, seconds: 3_600 },
  /** Emails requested from a network. Requests aren't failures, but each email bothers its
   *  recipient. */
  email_network: { max: 20, seconds: 3_600 },
} as const satisfies Record<string, Window>

type Kind = keyof typeof delays | keyof typeof windows

export type FailedAttempts = {
  /** Counts an attempt as failed before it runs, so simultaneous attempts count too. Returns 0 if
   *  the attempt may run, otherwise the seconds to wait. With `isStrict`, the first failure already
   *  delays the next attempt. */
  begin(kind: keyof typeof delays, subject: string, isStrict?: boolean): Promise<number>
  /** Records that the attempt succeeded. With `all`, earlier failures no longer count either. */
  succeeded(kind: Kind, subject: string, all: boolean): Promise<void>
  /** Counts a failure; returns the number of failures in the window. */
  count(kind: keyof typeof windows, subject: string): Promise<number>
  /** The seconds until a full window ends, or 0 if the window isn't full. */
  fullSeconds(kind: keyof typeof windows, subject: string): Promise<number>
}

export const failuresMax = (kind: keyof typeof windows): number => windows[kind].max

type Hmac = (text: string) => Uint8Array

type Store = { readonly pool: ConnectionPool; readonly hmac: Hmac }

export function openFailedAttempts(pool: ConnectionPool, hmac: Hmac): FailedAttempts {
  const store = { pool, hmac }
  return {
    begin: (kind, subject, isStrict = false) => begin(store, kind, subject, isStrict),
    succeeded: (kind, subject, all) => succeeded(store, [kind, subject], all),
    count: (kind, subject) => count(store, kind, subject),
    fullSeconds: (kind, subject) => fullSeconds(store, kind, subject),
  }
}

const run = <R extends Row>({ pool }: Store, statement: Statement) =>
  pool.use(connection => connection.run<R>(statement))

const hashOf = ({ hmac }: Store, kind: string, subject: string) =>
  hmac(`failed attempts: ${kind} ${subject}`)

async function begin(
  store: Store,
  kind: keyof typeof delays,
  subject: string,
  isStrict: boolean,
): Promise<number> {
  const { secondsMax, resetSeconds } = delays[kind]
  const free = isStrict ? 1 : delays[kind].free
  const hash = hashOf(store, kind, subject)
  const [row] = await run<{ seconds: number }>(
    store,
    sql`
      with counted as (
        insert into auth.failed_attempts as a (kind, subject, count, blocked_until)
        values (${kind}, ${hash}, 1,
                case when ${isStrict} then clock_timestamp() + interval '1 second' end)
        on conflict (kind, subject) do update
           set (count, last_at, blocked_until) = (
             select n, clock_timestamp(), case when n >= ${free} then clock_timestamp()
                      + least(${secondsMax}::int, 2 ^ least(n - ${free}, 20)) * interval '1 second' end
               from (select case when a.last_at
                              < clock_timestamp() - ${resetSeconds}::int * interval '1 second'
                            then 1 else a.count + 1 end as n) as next)
         where a.blocked_until is null or a.blocked_until <= clock_timestamp()
        returning 0 as seconds
      )
      select seconds from counted
      union all
      select greatest(1, ceil(extract(epoch from blocked_until - clock_timestamp())))::int
        from auth.failed_attempts
       where kind = ${kind} and subject = ${hash} and not exists (select from counted)`,
  )
  // No row means that a simultaneous request made the first attempt.
  return row?.seconds ?? 1
}

async function succeeded(
  store: Store,
  [kind, subject]: [kind: Kind, subject: string],
  all: boolean,
): Promise<void> {
  const hash = hashOf(store, kind, subject)
  const statement = all
    ? sql`delete from auth.failed_attempts where kind = ${kind} and subject = ${hash}`
    : sql`
        update auth.failed_attempts set count = greatest(0, count - 1)
         where kind = ${kind} and subject = ${hash}`
  await run(store, statement)
}

async function count(store: Store, kind: keyof typeof windows, subject: string): Promise<number> {
  const { seconds } = windows[kind]
  const [row] = await run<{ count: number }>(
    store,
    sql`
      insert into auth.failed_attempts as a (kind, subject, count)
      values (${kind}, ${hashOf(store, kind, subject)}, 1)
      on conflict (kind, subject) do update
         set (count, first_at, last_at) = (
           select case when ended then 1 else a.count + 1 end,
                  case when ended then clock_timestamp() else a.first_at end, clock_timestamp()
             from (select a.first_at < clock_timestamp() - ${seconds}::int * interval '1 second'
                          as ended) as past)
      returning count`,
  )
  return row?.count ?? 1
}

async function fullSeconds(
  store: Store,
  kind: keyof typeof windows,
  subject: string,
): Promise<number> {
  const { max, seconds } = windows[kind]
  const [row] = await run<{ seconds: number }>(
    store,
    sql`
      select greatest(0, ceil(extract(epoch from
               first_at + ${seconds}::int * interval '1 second' - clock_timestamp())))::int as seconds
        from auth.failed_attempts
       where kind = ${kind} and subject = ${hashOf(store, kind, subject)} and count >= ${max}`,
  )
  return row?.seconds ?? 0
}
