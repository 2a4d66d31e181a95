// Account recovery by email. Someone who reads a person's email must not get the account right
// away. With a second factor, a new password takes effect immediately. Without a second factor, it
// takes effect after a day. When that day begins, the person, their fellow owners and their
// clinics' administrators are notified. The link in the person's email stops the recovery.
import type { ConnectionPool, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { newId } from '../ids.ts'
import { decide, type OwnAct } from './own-acts.ts'
import { hashPassword } from './password-hashing.ts'
import { actOf } from '../act.ts'

export async function requestRecovery(
  pool: ConnectionPool,
  email: string,
  act: OwnAct,
): Promise<void> {
  await decide(
    pool,
    sql`auth.request_recovery(${newId('recovery')}, ${email}, ${actOf(act)})::text`,
  )
}

export type Recovery = Row & {
  id: string
  person: string
  email: string
  name: string
  has_factor: boolean
  /** Null if no recovery was started. */
  effective_at: string | null
  is_effective: boolean
}

const openRecovery = sql`
  select r.id, r.person, p.email, p.name, iso(r.effective_at) as effective_at,
         coalesce(r.effective_at <= clock_timestamp(), false) as is_effective,
         exists (select from auth.person_factors f
                  where f.person = p.id and f.totp_secret is not null)
         or exists (select from auth.recovery_codes c
                     where c.person = p.id and c.used_at is null) as has_factor
    from auth.recoveries r join auth.persons p on p.id = r.person and p.disabled_at is null
   where r.cancelled_at is null and r.completed_at is null and r.expires_at > clock_timestamp()`

/** Finds a link's recovery. Null once the link no longer works. */
export async function findRecovery(pool: ConnectionPool, id: string): Promise<Recovery | null> {
  const [found] = await pool.use(connection =>
    connection.run<Recovery>(sql`${openRecovery} and r.id = ${id}`),
  )
  return found ?? null
}

/** A started recovery that takes effect unless it's stopped. */
export async function findBegunRecovery(
  pool: ConnectionPool,
  person: string,
): Promise<Recovery | null> {
  const [found] = await pool.use(connection =>
    connection.run<Recovery>(sql`
      ${openRecovery} and r.person = ${person} and r.begun_at is not null`),
  )
  return found ?? null
}

export const beginRecovery = (pool: ConnectionPool, id: string, act: OwnAct) =>
  decide(pool, sql`auth.begin_recovery(${id}, ${actOf(act)})`)

export const cancelRecovery = (pool: ConnectionPool, id: string, act: OwnAct) =>
  decide(pool, sql`auth.cancel_recovery(${id}, ${actOf(act)})`)

/** `keepsFactors` means the person has just used one of their factors. */
export const completeRecovery = async (
  pool: ConnectionPool,
  { id, password, keepsFactors }: { id: string; password: string; keepsFactors: boolean },
  act: OwnAct,
) => {
  const hash = await hashPassword(password, id)
  return decide(pool, sql`auth.complete_recovery(${id}, ${hash}, ${keepsFactors}, ${actOf(act)})`)
}
