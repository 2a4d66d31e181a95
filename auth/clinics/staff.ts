// A clinic's staff, and its administrators' changes to it. The database decides each change and
// writes its audit row (migrations/0008_clinics.sql). Callers first check that the person has just
// confirmed a second factor.

import type { StaffRole } from '#contract/console/row.ts'
import type { Connection, Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { newId } from '../ids.ts'
import { type Act, actOf, refusalOf } from '../act.ts'

/** `person` is an administrator of `organization`, or absent for the operator. */
export type ActOfClinic = Act & { organization: string }

export type RefusedClinicChange =
  /** The clinic doesn't exist, is closed, or the person isn't on its staff. */
  | 'unknown_organization'
  | 'admin_required'
  | 'last_admin'
  | 'own_roles'
  | 'own_license'
  | 'already_staff'
  /** The clinic is already connected to a pharmacy. */
  | 'already_connected'
  | 'not_found'
  | 'version_changed'
  | 'too_many_invitations'
  /** The clinic already has a hundred weekly hours, or the clinician already has five hundred
   *  exceptions. */
  | 'too_many'
  /** The person already has the role, or already has emergency access. */
  | 'has_records'
  | 'already_started'
  /** The person's last emergency access ended within a day, and no other administrator allowed them
   *  to start again. */
  | 'too_soon'
  | 'own_access'
  /** There is no other administrator and no clinic address to notify. */
  | 'no_recipient'
  /** The clinic is live, or would become live. */
  | 'incident_email_required'
  /** The same form was already sent. */
  | 'already_sent'

export type ClinicChange = { readonly refusal: RefusedClinicChange | null }

export async function decideClinicChange(
  connection: Connection,
  statement: Statement,
): Promise<ClinicChange> {
  return { refusal: await refusalOf(connection, statement) }
}

export type License = {
  readonly state: string
  readonly number: string
  /** The last day that the license is valid, in the clinic's time zone. */
  readonly expires_on: string
  readonly is_valid: boolean
}

export type StaffMemberRow = Row & {
  person: string
  /** The name patients see. */
  name: string
  email: string
  roles: StaffRole[]
  since: string
  /** Null while active. */
  removed_at: string | null
  has_second_factor: boolean
  /** When their account was recovered without a second factor. Null if that never happened, or once
   *  an administrator has confirmed the person. */
  recovered_at: string | null
  /** When a pending recovery takes effect. Null if no recovery is pending. */
  recovery_at: string | null
  licenses: License[]
  /** The version that the form sends back. */
  revision: string
}

const listMax = 500

/** Lists active staff first, then former staff, by name. */
export const listStaff = (
  connection: Connection,
  organization: string,
): Promise<StaffMemberRow[]> =>
  connection.run<StaffMemberRow>(sql`
    select s.person, s.name, p.email, s.roles, iso(s.created_at) as since,
           iso(s.removed_at) as removed_at, s.revision::text as revision,
           iso(s.recovered_at) as recovered_at,
           (select iso(r.effective_at) from auth.recoveries r
             where r.person = p.id and r.begun_at is not null and r.cancelled_at is null
               and r.completed_at is null and r.expires_at > clock_timestamp()) as recovery_at,
           exists (select from auth.person_factors f
                    where f.person = p.id and f.totp_secret is not null)
           or exists (select from auth.passkeys k where k.person = p.id) as has_second_factor,
           (select coalesce(json_agg(json_build_object('state', l.state, 'number', l.number,
                     'expires_on', l.expires_on,
                     'is_valid', l.expires_on >= auth.clinic_day(l.organization))
                   order by l.state), '[]')
              from auth.licenses l
             where l.organization = s.organization and l.person = s.person) as licenses
      from auth.staff s join auth.persons p on p.id = s.person
     where s.organization = ${organization}
     order by s.removed_at is not null, s.name, s.person limit ${listMax}`)

export type OpenStaffInvitation = Row & {
  id: string
  email: string
  roles: StaffRole[]
  created_at: string
  expires_at: string
}

/** Lists invitations that can still be accepted, newest first. */
export const listStaffInvitations = (
  connection: Connection,
  organization: string,
): Promise<OpenStaffInvitation[]> =>
  connection.run<OpenStaffInvitation>(sql`
    select id, email, roles, iso(created_at) as created_at, iso(expires_at) as expires_at
      from auth.invitations
     where organization = ${organization} and accepted_at is null and cancelled_at is null
       and expires_at > clock_timestamp()
     order by created_at desc, id desc limit ${listMax}`)

/** Emails a link to the address, valid for seven days and only for a person with that address. */
export async function inviteStaff(
  connection: Connection,
  { email, roles }: { email: string; roles: readonly StaffRole[] },
  act: ActOfClinic,
): Promise<ClinicChange & { id: string }> {
  const id = newId('invitation')
  const statement = sql`auth.invite_staff(${id}, ${act.organization}, ${email}, ${roles}::text[],
    ${actOf(act)})`
  return { id, ...(await decideClinicChange(connection, statement)) }
}

export const cancelStaffInvitation = (connection: Connection, id: string, act: ActOfClinic) =>
  decideClinicChange(
    connection,
    sql`auth.cancel_staff_invitation(${id}, ${act.organization}, ${actOf(act)})`,
  )

/** A staff member, and the version that the form shows. */
type StaffVersion = { readonly person: string; readonly revision: string }

export const changeStaff = (
  connection: Connection,
  { person, revision, name, roles }: StaffVersion & { name: string; roles: readonly StaffRole[] },
  act: ActOfClinic,
) =>
  decideClinicChange(
    connection,
    sql`auth.change_staff(${act.organization}, ${person}, ${name}, ${roles}::text[],
      ${revision}::bigint, ${actOf(act)})`,
  )

/** Deactivates a staff member. Their next request no longer acts for this clinic. */
export const deactivateStaff = (
  connection: Connection,
  { person, revision }: StaffVersion,
  act: ActOfClinic,
) =>
  decideClinicChange(
    connection,
    sql`auth.deactivate_staff(${act.organization}, ${person}, ${revision}::bigint, ${actOf(act)})`,
  )

/** Stops the pending recovery of a staff member's account. */
export const stopRecoveryOfStaff = (connection: Connection, person: string, act: ActOfClinic) =>
  decideClinicChange(
    connection,
    sql`auth.stop_recovery_of_staff(${act.organization}, ${person}, ${actOf(act)})`,
  )

/** Confirms that the person has their recovered account back, so their roles count again. */
export const confirmStaff = (connection: Connection, person: string, act: ActOfClinic) =>
  decideClinicChange(
    connection,
    sql`auth.confirm_staff(${act.organization}, ${person}, ${actOf(act)})`,
  )

export const setLicense = (
  connection: Connection,
  { person, revision, ...license }: StaffVersion & Omit<License, 'is_valid'>,
  act: ActOfClinic,
) =>
  decideClinicChange(
    connection,
    sql`auth.set_license(${act.organization}, ${person}, ${license.state}, ${license.number},
      ${license.expires_on}::date, ${revision}::bigint, ${actOf(act)})`,
  )

export const removeLicense = (
  connection: Connection,
  { person, revision, state }: StaffVersion & { state: string },
  act: ActOfClinic,
) =>
  decideClinicChange(
    connection,
    sql`auth.remove_license(${act.organization}, ${person}, ${state}, ${revision}::bigint,
      ${actOf(act)})`,
  )
