// People's sessions. Each is a row in `auth.credentials`, found by the HMAC of 256 random bits that
// only the cookie contains. The database decides by its own clock which sessions are valid.

import type { ConnectionPool, Row } from '#database/pool.ts'
import { randomBytes } from '#database/clock.ts'
import { sql, type Statement } from '#database/sql.ts'
import { newId } from '../ids.ts'
import { hashArray, hashesOf, pepperName, type Peppers } from '../pepper.ts'
import type { Person } from './person-store.ts'

export type Session = {
  /** The row's ID, never the cookie's value. */
  readonly id: string
  readonly person: Person
  /** Seconds since the second factor was verified or, in the console, last used for a signature;
   *  null if never in this session. */
  readonly secondFactorSeconds: number | null
}

/** A session with its cookie's value. */
export type OpenedSession = { readonly id: string; readonly token: string }

/** `name` is the browser's name. `isProven` means the session starts with a verified second
 *  factor. */
type NewSession = { readonly name?: string; readonly isProven?: boolean }

/** The origin a session is valid for. Each origin has its own cookies. */
export type SessionOrigin = 'auth' | 'portal' | 'console'

export type Sessions = {
  /** Starts a session and ends the session in the browser's cookie. */
  begin(person: string, former: string | null, more?: NewSession): Promise<OpenedSession>
  /** A cookie's session, if it's valid. `isUse` is false for a page's own refresh, which doesn't
   *  keep the session alive. */
  find(token: string, isUse?: boolean): Promise<Session | null>
  /** Returns the same session under a new ID, with the second factor just confirmed. Null if the
   *  session has ended. */
  proveSecondFactor(token: string): Promise<OpenedSession | null>
  /** Verifies the second factor again within the same session, for a page that stays open. */
  confirmSecondFactor(id: string): Promise<void>
  /** A signature in the console keeps the second factor fresh. */
  noteSignature(id: string): Promise<void>
  /** Makes the person confirm a second factor again. */
  forgetSecondFactor(id: string): Promise<void>
  /** Whether the person has another valid session at this origin, such as in another browser. */
  isElsewhere(session: Session): Promise<boolean>
  /** Ends the session and all other sessions of the same sign-in, at every origin. */
  end(token: string): Promise<void>
}

const sessionHours = { absolute: 12, idle: 8 } as const
/** Idle console sessions end sooner, because console pages show patients. */
const consoleIdleMinutes = 15

type SessionRow = Row & {
  id: string
  person: string
  email: string
  name: string
  second_factor_seconds: number | null
  stale: boolean
}

const tokenForm = /^[A-Za-z0-9_-]{43}$/

/** True for a session that hasn't ended, expired or gone idle. */
export const isValid = sql`
  k.kind = 'session' and k.revoked_at is null and k.expires_at > clock_timestamp()
  and coalesce(k.last_used_at, k.created_at)
      > clock_timestamp() - case k.origin
          when 'console' then ${consoleIdleMinutes}::int * interval '1 minute'
          else ${sessionHours.idle}::int * interval '1 hour' end`

type Store = {
  readonly pool: ConnectionPool
  readonly peppers: Peppers
  readonly origin: SessionOrigin
}

export function openSessions(
  pool: ConnectionPool,
  peppers: Peppers,
  origin: SessionOrigin = 'auth',
): Sessions {
  const store = { pool, peppers, origin }
  return {
    begin: (person, former, more = {}) => begin(store, person, former, more),
    find: async (token, isUse = true) => (tokenForm.test(token) ? find(store, token, isUse) : null),
    proveSecondFactor: async former => (tokenForm.test(former) ? renew(store, former) : null),
    isElsewhere: session => isElsewhere(store, session),
    end: token => end(store, token),
    confirmSecondFactor: id => touch(pool, id, sql`second_factor_at = clock_timestamp()`),
    noteSignature: id => touch(pool, id, sql`signed_at = clock_timestamp()`),
    async forgetSecondFactor(id) {
      await touch(pool, id, sql`second_factor_at = null, signed_at = null`)
    },
  }
}

const run = <R extends Row>(pool: ConnectionPool, statement: Statement) =>
  pool.use(connection => connection.run<R>(statement))

async function touch(pool: ConnectionPool, id: string, set: Statement): Promise<void> {
  await run(
    pool,
    sql`update auth.credentials set ${set}
         where id = ${id} and kind = 'session' and revoked_at is null`,
  )
}

const isOf = ({ peppers, origin }: Store, token: string): Statement =>
  sql`k.hash = any (${hashArray(hashesOf(peppers, token))}) and k.origin = ${origin}`

export function newSession({ peppers }: Pick<Store, 'peppers'>) {
  const token = Buffer.from(randomBytes(32)).toString('base64url')
  const id = newId('token')
  const [hash] = hashesOf(peppers, token)
  return { id, token, last4: token.slice(-4), hash, pepper: pepperName(peppers[0]) }
}

async function begin(
  store: Store,
  person: string,
  former: string | null,
  { name = 'Session', isProven = false }: NewSession,
) {
  if (former !== null) await end(store, former)
  const { id, token, hash, pepper, last4 } = newSession(store)
  await run(
    store.pool,
    sql`
      insert into auth.credentials
        (id, kind, origin, sign_in, person, name, scopes, hash, pepper, last4, expires_at,
         second_factor_at)
      values (${id}, 'session', ${store.origin}, ${id}, ${person}, ${name}, '{}', ${hash}, ${pepper},
              ${last4}, clock_timestamp() + ${sessionHours.absolute}::int * interval '1 hour',
              case when ${isProven} then clock_timestamp() end)`,
  )
  return { id, token }
}

async function find(store: Store, token: string, isUse: boolean): Promise<Session | null> {
  const [row] = await run<SessionRow>(
    store.pool,
    sql`
      select k.id, p.id as person, p.email, p.name,
             extract(epoch from clock_timestamp() - greatest(k.second_factor_at, k.signed_at))::float8
               as second_factor_seconds,
             coalesce(k.last_used_at, k.created_at)
               < clock_timestamp() - interval '1 minute' as stale
        from auth.credentials k join auth.persons p on p.id = k.person
       where ${isOf(store, token)} and ${isValid} and p.disabled_at is null`,
  )
  if (!row) return null
  if (row.stale && isUse) await markUsed(store.pool, row.id)
  const { id, person, email, name, second_factor_seconds: secondFactorSeconds } = row
  return { id, person: { id: person, email, name }, secondFactorSeconds }
}

/** One statement, so only one of several simultaneous requests gets the new session. */
async function renew(store: Store, former: string): Promise<OpenedSession | null> {
  const { id, token, hash, pepper, last4 } = newSession(store)
  const rows = await run(
    store.pool,
    sql`
      with ended as (
        update auth.credentials k
           set revoked_at = clock_timestamp(), revoked_reason = 'renewed'
         where ${isOf(store, former)} and ${isValid}
        returning k.person, k.name, k.expires_at, k.origin, k.sign_in
      )
      insert into auth.credentials
        (id, kind, origin, sign_in, person, name, scopes, hash, pepper, last4, expires_at,
         second_factor_at)
      select ${id}, 'session', origin, sign_in, person, name, '{}', ${hash}, ${pepper}, ${last4},
             expires_at, clock_timestamp()
        from ended
      returning id`,
  )
  return rows.length === 1 ? { id, token } : null
}

async function end(store: Store, token: string): Promise<void> {
  if (!tokenForm.test(token)) return
  await run(
    store.pool,
    sql`
      update auth.credentials o
         set revoked_at = clock_timestamp(), revoked_reason = 'signed_out'
       where o.kind = 'session' and o.revoked_at is null and o.sign_in = (
         select k.sign_in from auth.credentials k
          where k.kind = 'session' and ${isOf(store, token)})`,
  )
}

async function isElsewhere({ pool, origin }: Store, { id, person }: Session): Promise<boolean> {
  const others = await run(
    pool,
    sql`
      select k.id from auth.credentials k
       where k.person = ${person.id} and k.origin = ${origin} and k.id <> ${id} and ${isValid}
       limit 1`,
  )
  return others.length > 0
}

/** Records a use, at most once a minute. A session without recorded uses goes idle. */
const markUsed = (pool: ConnectionPool, id: string) =>
  run(
    pool,
    sql`
      update auth.credentials set last_used_at = clock_timestamp()
       where id = ${id}
         and coalesce(last_used_at, created_at) < clock_timestamp() - interval '1 minute'`,
  )
