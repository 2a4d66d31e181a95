// Starts a session at another origin for a person who is signed in at AUTH_URL, using a code that
// their browser passes along. The code works once, within a minute, and only in the browser that
// requested it: that browser has the value whose SHA-256 is in the code's row, as in PKCE (RFC
// 7636).

import type { ConnectionPool, Row } from '#database/pool.ts'
import { randomBytes } from '#database/clock.ts'
import { sql, type Statement } from '#database/sql.ts'
import { auditColumns } from '../audit.ts'
import type { AuditedCall } from '../oauth/audit.ts'
import { hashArray, hashesOf, type Peppers } from '../pepper.ts'
import { isValid, newSession, type OpenedSession, type SessionOrigin } from './sessions.ts'

export type HandoffOrigin = Exclude<SessionOrigin, 'auth'>

export type Handoffs = {
  /** Returns a code for the session, or null if the session has ended. `browser` is the SHA-256 of
   *  the browser's value. */
  create(session: string, origin: HandoffOrigin, browser: Uint8Array): Promise<string | null>
  /** Starts a code's session. Returns null if the code is unknown, used, expired, or from another
   *  browser. `former` is the browser's previous session at that origin, which ends. */
  redeem(code: string, origin: HandoffOrigin, given: Redeemed): Promise<RedeemedSession | null>
}

type Redeemed = {
  readonly browser: Uint8Array
  readonly former: string | null
  /** The audit row, which commits with the session. */
  readonly call: AuditedCall
}

type RedeemedSession = OpenedSession & { readonly person: string }

const handoffSeconds = 60
const codeForm = /^[A-Za-z0-9_-]{43}$/

export function openHandoffs(pool: ConnectionPool, peppers: Peppers): Handoffs {
  const run = <R extends Row>(statement: Statement) =>
    pool.use(connection => connection.run<R>(statement))
  return {
    async create(session, origin, browser) {
      const code = Buffer.from(randomBytes(32)).toString('base64url')
      const [hash] = hashesOf(peppers, code)
      const made = await run(sql`
        with past as (delete from auth.handoffs where expires_at < clock_timestamp())
        insert into auth.handoffs (hash, session, origin, browser, expires_at)
        select ${hash}, k.id, ${origin}, ${browser},
               clock_timestamp() + ${handoffSeconds}::int * interval '1 second'
          from auth.credentials k where k.id = ${session} and ${isValid}
        returning hash`)
      return made.length === 1 ? code : null
    },
    async redeem(code, origin, given) {
      if (!codeForm.test(code)) return null
      const session = newSession({ peppers })
      const hashes = hashArray(hashesOf(peppers, code))
      const [found] = await run<{ person: string }>(
        redeemStatement(peppers, hashes, origin, { ...given, session }),
      )
      return found === undefined ? null : { id: session.id, token: session.token, ...found }
    },
  }
}

/** One statement, so only one of several simultaneous requests deletes the code's row and gets a
 *  session. */
function redeemStatement(
  peppers: Peppers,
  hashes: Statement,
  origin: HandoffOrigin,
  { browser, former, call, session }: Redeemed & { session: ReturnType<typeof newSession> },
): Statement {
  const { id, hash, last4 } = session
  const formerHashes = former === null ? sql`'{}'::bytea[]` : hashArray(hashesOf(peppers, former))
  return sql`
    with used as (
      delete from auth.handoffs
       where hash = any (${hashes}) and origin = ${origin} and browser = ${browser}
         and expires_at > clock_timestamp()
      returning session
    ), ended as (
      update auth.credentials k set revoked_at = clock_timestamp(), revoked_reason = 'renewed'
       where k.kind = 'session' and k.origin = ${origin} and k.revoked_at is null
         and k.hash = any (${formerHashes}) and exists (select from used)
    ), begun as (
    insert into auth.credentials
      (id, kind, origin, sign_in, person, name, scopes, hash, pepper, last4, expires_at,
       second_factor_at)
    select ${id}, 'session', ${origin}, k.sign_in, k.person, 'Session', '{}', ${hash},
           ${session.pepper}, ${last4}, k.expires_at, k.second_factor_at
      from used join auth.credentials k on k.id = used.session
     where ${isValid}
    returning person
    ), audited as (${sessionAudit(origin, 'sign_in', call, sql`select person from begun`)})
    select person from begun`
}

/** The audit row for a session's start or end, for each row of `persons (person)`. */
export const sessionAudit = (
  origin: HandoffOrigin,
  action: 'sign_in' | 'sign_out',
  { requestId, address, agent }: AuditedCall,
  persons: Statement,
): Statement => sql`
  insert into audit.entries (${auditColumns})
  select null, null, null, x.person, x.person, null, ${origin}, ${`${origin}.${action}`}, null, 'ok',
         303, null, ${requestId}, ${address}, ${agent}
    from (${persons}) as x (person)`
