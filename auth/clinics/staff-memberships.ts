// The clinics a person works at.
import type { StaffRole } from '#contract/console/row.ts'
import type { ConnectionPool, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { defaultZone } from './settings.ts'

export type StaffMembership = {
  readonly organization: string
  /** The clinic's name. */
  readonly name: string
  /** The person's name, as patients see it. */
  readonly staffName: string
  /** Empty while `isRecovered`. */
  readonly roles: readonly StaffRole[]
  /** Whether their account was recovered without a second factor, and no administrator has
   *  confirmed it yet. */
  readonly isRecovered: boolean
  /** When the person's emergency access ends. Null if they have none. */
  readonly emergencyUntil: string | null
  /** The states where the person holds a license valid today, in the clinic's time zone. */
  readonly states: readonly string[]
  /** The person's time zone, or else the clinic's. */
  readonly zone: string
  readonly clinicZone: string
  /** Null if the person hasn't set one. */
  readonly ownZone: string | null
}

type MembershipRow = Row & {
  organization: string
  name: string
  staff_name: string
  roles: StaffRole[]
  is_recovered: boolean
  emergency_until: string | null
  states: string[]
  zone: string
  own_zone: string | null
  clinic_zone: string
}

const listMax = 100

export async function listStaffMemberships(
  pool: ConnectionPool,
  person: string,
): Promise<StaffMembership[]> {
  const rows = await pool.use(connection =>
    connection.run<MembershipRow>(sql`
      select s.organization, o.name, s.name as staff_name,
             auth.roles_now(s) as roles, s.recovered_at is not null as is_recovered,
             iso(auth.emergency_until(s)) as emergency_until,
             array(select l.state from auth.licenses l
                    where l.organization = s.organization and l.person = s.person
                      and l.expires_on >= auth.clinic_day(s.organization) order by 1) as states,
             coalesce(p.time_zone, c.time_zone, ${defaultZone}) as zone,
             p.time_zone as own_zone, coalesce(c.time_zone, ${defaultZone}) as clinic_zone
        from auth.staff s
        join auth.persons p on p.id = s.person
        left join auth.clinic_settings c on c.organization = s.organization
        join auth.organizations o on o.id = s.organization and o.sandbox_of is null
         and o.status = 'active'
       where s.person = ${person} and s.removed_at is null
       order by o.name, s.organization
       limit ${listMax}`),
  )
  return rows.map(
    ({ staff_name, emergency_until, is_recovered, own_zone, clinic_zone, ...membership }) => ({
      ...membership,
      staffName: staff_name,
      emergencyUntil: emergency_until,
      isRecovered: is_recovered,
      ownZone: own_zone,
      clinicZone: clinic_zone,
    }),
  )
}
