// The clinics of whose staff a person is.
import type { StaffRole } from '#contract/console/row.ts'
import type { ConnectionPool, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'

export type StaffMembership = {
  readonly organization: string
  /** Of the clinic. */
  readonly name: string
  /** Of the person, as patients read it. */
  readonly staffName: string
  readonly roles: readonly StaffRole[]
  /** Until when `records` is one of the roles by emergency access; null: it is not. */
  readonly emergencyUntil: string | null
  /** Of the licenses that are valid today. */
  readonly states: readonly string[]
}

type MembershipRow = Row & {
  organization: string
  name: string
  staff_name: string
  roles: StaffRole[]
  emergency_until: string | null
  states: string[]
}

const listMax = 100

export async function listStaffMemberships(
  pool: ConnectionPool,
  person: string,
): Promise<StaffMembership[]> {
  const rows = await pool.use(connection =>
    connection.run<MembershipRow>(sql`
      select s.organization, o.name, s.name as staff_name,
             auth.roles_now(s) as roles, iso(auth.emergency_until(s)) as emergency_until,
             array(select l.state from auth.licenses l
                    where l.organization = s.organization and l.person = s.person
                      and l.expires_on >= current_date order by 1) as states
        from auth.staff s
        join auth.organizations o on o.id = s.organization and o.sandbox_of is null
         and o.status = 'active'
       where s.person = ${person} and s.removed_at is null
       order by o.name, s.organization
       limit ${listMax}`),
  )
  return rows.map(({ staff_name: staffName, emergency_until: emergencyUntil, ...membership }) => ({
    ...membership,
    staffName,
    emergencyUntil,
  }))
}
