// A person's password, sessions and account closure.
import type { ConnectionPool, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { decide, type OwnAct } from './own-acts.ts'
import { hashPassword, isPassword } from './password-hashing.ts'
import { isValid } from './sessions.ts'
import { actOf } from '../act.ts'

type Change = { person: string; current: string; password: string; session: string }

/** Changes the password and ends every other session. Returns `wrong_password` if `current` is
 *  wrong. */
export async function changePassword(
  pool: ConnectionPool,
  { person, current, password, session }: Change,
  act: OwnAct,
) {
  const [row] = await pool.use(connection =>
    connection.run<Row & { hash: string }>(
      sql`select password_hash as hash from auth.person_factors where person = ${person}`,
    ),
  )
  const older = row?.hash ?? ''
  if (older === '' || !(await isPassword(current, older, person))) return 'wrong_password'
  const newest = await hashPassword(password, person)
  return decide(
    pool,
    sql`auth.change_password(${person}, ${older}, ${newest}, ${session}, ${actOf(act)})`,
  )
}

/** A null `zone` means each clinic's own time zone. The caller checks that the zone exists. */
export const changeTimeZone = (
  pool: ConnectionPool,
  { person, zone }: { person: string; zone: string | null },
): Promise<unknown> =>
  pool.use(connection =>
    connection.run(sql`select auth.change_time_zone(${person}, ${zone}::text)`),
  )

export type OwnSession = Row & {
  id: string
  /** The browser's name, according to its headers. */
  name: string
  since: string
  /** The latest use of any of the sign-in's sessions: at the account pages, the portal or the
   *  console. */
  last_used_at: string
  is_current: boolean
}

/** Lists one session per sign-in, because the sessions of a sign-in end together. */
export const listSessions = (
  pool: ConnectionPool,
  { person, session }: { person: string; session: string },
): Promise<OwnSession[]> =>
  pool.use(connection =>
    connection.run<OwnSession>(sql`
      select k.id, k.name, k.id = ${session} as is_current,
             iso((select min(f.created_at) from auth.credentials f
                   where f.kind = 'session' and f.sign_in = k.sign_in)) as since,
             iso((select max(coalesce(f.last_used_at, f.created_at)) from auth.credentials f
                   where f.kind = 'session' and f.sign_in = k.sign_in)) as last_used_at
        from auth.credentials k
       where k.person = ${person} and k.origin = 'auth' and ${isValid}
       order by k.id = ${session} desc, coalesce(k.last_used_at, k.created_at) desc, k.id desc
       limit 50`),
  )

/** A null `session` means all of the person's sessions. */
export const endSession = (
  pool: ConnectionPool,
  { person, session }: { person: string; session: string | null },
  act: OwnAct,
) => decide(pool, sql`auth.end_sign_in(${person}, ${session}, ${actOf(act)})`)

export const renamePerson = (
  pool: ConnectionPool,
  { person, name }: { person: string; name: string },
  act: OwnAct,
) => decide(pool, sql`auth.rename_person(${person}, ${name}, ${actOf(act)})`)

export const closeAccount = (pool: ConnectionPool, person: string, act: OwnAct) =>
  decide(pool, sql`auth.close_account(${person}, ${actOf(act)})`)
