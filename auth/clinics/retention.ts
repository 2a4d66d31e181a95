// How long a clinic keeps patient records (migrations/0008_clinics.sql).

import type { Connection, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { type ActOfClinic, decideClinicChange } from './staff.ts'
import { actOf } from '../act.ts'

export type RetentionPolicy = Row & {
  /** In years after the last activity. */
  years: number
  /** A record is kept at least until the patient reaches this age. */
  minor_age: number
  /** When the policy takes effect. */
  starts_at: string
  revision: string
}

/** Null if the clinic has no policy, so nothing is destroyed. */
export async function readRetentionPolicy(
  connection: Connection,
  organization: string,
): Promise<RetentionPolicy | null> {
  const [found] = await connection.run<RetentionPolicy>(sql`
    select years, minor_age, public.iso(starts_at) as starts_at, revision::text as revision
      from auth.retention_policies where organization = ${organization}`)
  return found ?? null
}

type NewPolicy = { years: number; minorAge: number; revision: string }

export const setRetentionPolicy = (
  connection: Connection,
  { years, minorAge, revision }: NewPolicy,
  act: ActOfClinic,
) =>
  decideClinicChange(
    connection,
    sql`auth.set_retention_policy(${act.organization}, ${years}::int, ${minorAge}::int,
      ${revision}::bigint, ${actOf(act)})`,
  )
