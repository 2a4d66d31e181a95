// Emergency access: an administrator can read what the `records` role can read, for 24 hours. The
// database decides who can start it, writes the audit row and the emails, and checks in each call
// whether the access is still open (migrations/0008_clinics.sql).

import type { Connection, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { newId } from '../ids.ts'
import { type ActOfClinic, decideClinicChange } from './staff.ts'
import { actOf } from '../act.ts'

export const emergencyReason = { min: 10, max: 500 } as const

export const startEmergencyAccess = (connection: Connection, reason: string, act: ActOfClinic) =>
  decideClinicChange(
    connection,
    sql`auth.start_emergency_access(${newId('emergency')}, ${act.organization}, ${reason},
      ${actOf(act)})`,
  )

/** Ends the access, for the person or another administrator. */
export const endEmergencyAccess = (connection: Connection, id: string, act: ActOfClinic) =>
  decideClinicChange(
    connection,
    sql`auth.end_emergency_access(${id}, ${act.organization}, ${actOf(act)})`,
  )

/** Another administrator lets the person start again within a day of the access ending. */
export const allowEmergencyAccess = (connection: Connection, id: string, act: ActOfClinic) =>
  decideClinicChange(
    connection,
    sql`auth.allow_emergency_access(${id}, ${act.organization}, ${actOf(act)})`,
  )

/** Who is emailed when the person starts emergency access. */
export const listWatching = async (
  connection: Connection,
  { organization, person }: { organization: string; person: string },
): Promise<string[]> => {
  const rows = await connection.run<Row & { email: string }>(
    sql`select email from auth.watching(${organization}, ${person}) as w (email) limit ${listMax}`,
  )
  return rows.map(({ email }) => email)
}

export type EmergencyAccess = Row & {
  id: string
  person: string
  name: string
  reason: string
  started_at: string
  ends_at: string
  /** When the access was ended early. Null if it wasn't. */
  ended_at: string | null
  /** The person who ended the access. Null if it expired, or ended with the administrator role. */
  ended_by: string | null
  /** Whether the access is currently open. */
  is_open: boolean
  /** The administrator who allowed another start. */
  again_by: string | null
  /** Starting again before this time needs another administrator's approval. Null if no approval is
   *  needed. */
  waits_until: string | null
}

const listMax = 100

/** Newest first. */
export const listEmergencyAccesses = (
  connection: Connection,
  organization: string,
): Promise<EmergencyAccess[]> =>
  connection.run<EmergencyAccess>(sql`
    select e.id, e.person, s.name, e.reason, iso(e.started_at) as started_at,
           iso(e.ends_at) as ends_at, iso(e.ended_at) as ended_at, p.name as ended_by,
           e.ended_at is null and e.ends_at > clock_timestamp() as is_open, a.name as again_by,
           case when e.again_by is null
                 and coalesce(e.ended_at, e.ends_at) > clock_timestamp() - interval '24 hours'
                then iso(coalesce(e.ended_at, e.ends_at) + interval '24 hours') end as waits_until
      from auth.emergency_accesses e
      join auth.staff s on s.organization = e.organization and s.person = e.person
      left join auth.persons p on p.id = e.ended_by
      left join auth.persons a on a.id = e.again_by
     where e.organization = ${organization}
     order by e.started_at desc, e.id desc limit ${listMax}`)
