// An integration's members, and how its owners change them. The database decides each change and
// writes its audit row (migrations/0006_administration.sql). Callers first check that the person
// has just confirmed a second factor.

import type { MemberRole } from '#contract/scopes.ts'
import type { Connection, Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { newId } from '../ids.ts'
import { type Act, actOf, refusalOf } from '../act.ts'

export type RefusedMemberChange =
  /** The integration doesn't exist, is suspended, or the person isn't a member of it. */
  | 'unknown_integration'
  | 'owner_required'
  | 'last_owner'
  | 'already_member'
  | 'not_found'
  | 'other_address'
  | 'too_many_invitations'
  | 'too_many_integrations'
  /** The same form was already sent. */
  | 'already_sent'

export type MemberChange<T> = { refusal: RefusedMemberChange } | ({ refusal: null } & T)

async function decide<T>(
  connection: Connection,
  statement: Statement,
  made: T,
): Promise<MemberChange<T>> {
  const refusal = await refusalOf<RefusedMemberChange>(connection, statement)
  return refusal === null ? { refusal, ...made } : { refusal }
}

/** Creates an integration with its sandbox and first owner. Without an owner, it has no members. */
export function createIntegration(
  connection: Connection,
  { name, owner }: { name: string; owner: string | null },
  act: Act,
) {
  const made = { integration: newId('integration'), organization: newId('organization') }
  const statement = sql`auth.create_integration(${made.integration}, ${made.organization},
    ${newId('grant')}, ${name}, ${owner}, ${actOf(act)})`
  return decide(connection, statement, made)
}

export type Member = Row & {
  person: string
  email: string
  name: string
  role: MemberRole
  since: string
  has_second_factor: boolean
  /** When the member's permission to change live endpoints ends. Null if they have none. */
  live_until: string | null
}

const listMax = 500

/** An integration's members, oldest first. */
export const listMembers = (connection: Connection, integration: string): Promise<Member[]> =>
  connection.run<Member>(sql`
    select m.person, p.email, p.name, m.role, iso(m.created_at) as since,
           case when m.live_until > clock_timestamp() then iso(m.live_until) end as live_until,
           exists (select from auth.person_factors f
                    where f.person = p.id and f.totp_secret is not null)
           or exists (select from auth.passkeys k where k.person = p.id) as has_second_factor
      from auth.members m join auth.persons p on p.id = m.person and p.disabled_at is null
     where m.integration = ${integration} and m.removed_at is null
     order by m.created_at, m.person limit ${listMax}`)

export type OpenInvitation = Row & {
  id: string
  email: string
  role: MemberRole
  created_at: string
  expires_at: string
}

/** Lists invitations that can still be accepted, newest first. */
export const listInvitations = (
  connection: Connection,
  integration: string,
): Promise<OpenInvitation[]> =>
  connection.run<OpenInvitation>(sql`
    select id, email, role, iso(created_at) as created_at, iso(expires_at) as expires_at
      from auth.invitations
     where integration = ${integration} and accepted_at is null and cancelled_at is null
       and expires_at > clock_timestamp()
     order by created_at desc, id desc limit ${listMax}`)

export type InvitationRequest = { integration: string; email: string; role: MemberRole }

/** Emails a link to the address, valid for seven days and only for a person with that address. */
export function inviteMember(connection: Connection, asked: InvitationRequest, act: Act) {
  const id = newId('invitation')
  const statement = sql`auth.invite_member(${id}, ${asked.integration}, ${asked.email},
    ${asked.role}, ${actOf(act)})`
  return decide(connection, statement, { id })
}

export const cancelInvitation = (
  connection: Connection,
  { id, integration }: { id: string; integration: string },
  act: Act,
) => decide(connection, sql`auth.cancel_invitation(${id}, ${integration}, ${actOf(act)})`, {})

/** Makes `act.person` a member. */
export const acceptInvitation = (connection: Connection, id: string, act: Act) =>
  decide(connection, sql`auth.accept_invitation(${id}, ${actOf(act)})`, {})

type MemberName = { integration: string; person: string }

export const changeRole = (
  connection: Connection,
  { integration, person, role }: MemberName & { role: MemberRole },
  act: Act,
) =>
  decide(connection, sql`auth.change_role(${integration}, ${person}, ${role}, ${actOf(act)})`, {})

/** Lets a developer change live endpoints, and replay live events, for a day. */
export const allowLiveChanges = (
  connection: Connection,
  { integration, person }: MemberName,
  act: Act,
) => decide(connection, sql`auth.allow_live_changes(${integration}, ${person}, ${actOf(act)})`, {})

/** Removes a member and, in the same transaction, ends all access on their behalf in this
 *  integration. Members can remove themselves. */
export const removeMember = (
  connection: Connection,
  { integration, person }: MemberName,
  act: Act,
) => decide(connection, sql`auth.remove_member(${integration}, ${person}, ${actOf(act)})`, {})
