// Signing up: an emailed link leads to the page where a person chooses a password. The account
// exists only after that, so nobody can prepare an account for another person's address. A new
// address for an existing account is confirmed the same way.
import type { StaffRole } from '#contract/console/row.ts'
import type { MemberRole } from '#contract/scopes.ts'
import type { ConnectionPool, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { newId } from '../ids.ts'
import { decide, type OwnAct } from './own-acts.ts'
import { hashPassword } from './password-hashing.ts'
import { actOf } from '../act.ts'

type SignUp = { readonly email: string; readonly name: string; readonly company: string }

/** Always sends an email, whose content depends on whether the address has an account. */
export async function requestSignUp(
  pool: ConnectionPool,
  { email, name, company }: SignUp,
  act: OwnAct,
): Promise<void> {
  await decide(
    pool,
    sql`auth.request_sign_up(${newId('sign_up')}, ${email}, ${name}, ${company}, null, ${actOf(act)})::text`,
  )
}

type NewEmail = { readonly person: string; readonly name: string; readonly email: string }

/** Sends a link to a person's new address. Their address changes when they open the link. */
export async function requestNewEmail(
  pool: ConnectionPool,
  { person, name, email }: NewEmail,
  act: OwnAct,
): Promise<void> {
  await decide(
    pool,
    sql`auth.request_sign_up(${newId('sign_up')}, ${email}, ${name}, null, ${person}, ${actOf(act)})::text`,
  )
}

/** Returns `link_ended` if the link has expired or the address has since gotten an account. */
export const changeEmail = (pool: ConnectionPool, id: string, act: OwnAct) =>
  decide(pool, sql`auth.change_email(${id}, ${actOf(act)})`)

/** A null `company` means an existing person's new address. */
export type OpenSignUp = Row & { email: string; name: string; company: string | null }

/** Finds a sign-up. Null if its link was used or has expired. */
export async function findSignUp(pool: ConnectionPool, id: string): Promise<OpenSignUp | null> {
  const [found] = await pool.use(connection =>
    connection.run<OpenSignUp>(sql`
      select email, name, company from auth.sign_ups
       where id = ${id} and used_at is null and expires_at > clock_timestamp()`),
  )
  return found ?? null
}

/** Creates the person with their own integration. Returns the person's ID, or null if the link was
 *  used or has expired. */
export async function completeSignUp(
  pool: ConnectionPool,
  { id, password }: { id: string; password: string },
  act: OwnAct,
): Promise<string | null> {
  const person = newId('person')
  const refusal = await decide(
    pool,
    sql`auth.complete_sign_up(${id}, ${person}, ${await hashPassword(password, id)},
      ${newId('integration')}, ${newId('organization')}, ${newId('grant')}, ${actOf(act)})`,
  )
  return refusal === null ? person : null
}

export type ReceivedInvitation = Row & {
  email: string
  /** One role in an integration, or several at a clinic. */
  roles: readonly (MemberRole | StaffRole)[]
  /** Whether the invitation is to an integration or a clinic. */
  to: 'integration' | 'clinic'
  name: string
  /** The person who sent the invitation, or null for the operator. */
  by: string | null
  has_account: boolean
}

/** Finds a link's invitation. Null if it can no longer be accepted. */
export async function findInvitation(
  pool: ConnectionPool,
  id: string,
): Promise<ReceivedInvitation | null> {
  const [found] = await pool.use(connection =>
    connection.run<ReceivedInvitation>(sql`
      select v.email, coalesce(v.roles, array[v.role]) as roles,
             case when v.organization is null then 'integration' else 'clinic' end as to,
             coalesce(i.name, c.name) as name, p.name as by,
             exists (select from auth.persons o where public.normalized_email(o.email) = public.normalized_email(v.email)) as has_account
        from auth.invitations v
        left join auth.integrations i on i.id = v.integration and i.suspended_at is null
        left join auth.organizations c on c.id = v.organization and c.status = 'active'
        left join auth.persons p on p.id = v.invited_by
       where coalesce(i.id, c.id) is not null and v.id = ${id} and v.accepted_at is null and v.cancelled_at is null
         and v.expires_at > clock_timestamp()`),
  )
  return found ?? null
}

/** Creates the invited person as a member of the integration or staff of the clinic. */
export async function joinByInvitation(
  pool: ConnectionPool,
  { id, name, password }: { id: string; name: string; password: string },
  act: OwnAct,
): Promise<string | null> {
  const person = newId('person')
  const refusal = await decide(
    pool,
    sql`auth.join_by_invitation(${id}, ${person}, ${name}, ${await hashPassword(password, id)},
      ${actOf(act)})`,
  )
  return refusal === null ? person : null
}
