// An integration's business associate agreements, and the other requirements for live mode.
import type { Connection, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { newId } from '../ids.ts'
import { type Act, actOf, refusalOf } from '../act.ts'

export type AgreementRow = Row & {
  id: string
  version: string
  accepted_at: string
  ends_at: string | null
  terminated_at: string | null
  is_in_force: boolean
  signatory_name: string | null
  signatory_title: string | null
  signatory_email: string | null
  /** The contracting company. */
  legal_name: string | null
  legal_address: string | null
  /** In hexadecimal. */
  sha256: string | null
  address: string | null
  agent: string | null
}

/** Newest first. */
export const listAgreements = (
  connection: Connection,
  integration: string,
): Promise<AgreementRow[]> =>
  connection.run<AgreementRow>(sql`
    select a.id, a.version, iso(a.accepted_at) as accepted_at, iso(a.ends_at) as ends_at,
           iso(a.terminated_at) as terminated_at,
           a.terminated_at is null and (a.ends_at is null or a.ends_at > now()) as is_in_force,
           a.signatory_name, a.signatory_title, p.email as signatory_email, a.legal_name,
           a.legal_address,
           encode(a.sha256, 'hex') as sha256, a.address, a.agent
      from auth.agreements a left join auth.persons p on p.id = a.person
     where a.integration = ${integration}
     order by a.accepted_at desc, a.id desc limit 100`)

/** The accepted text of a version. */
export async function findAgreementText(
  connection: Connection,
  version: string,
): Promise<string | null> {
  const [row] = await connection.run<Row & { body: string }>(
    sql`select body from auth.agreement_texts where version = ${version}`,
  )
  return row?.body ?? null
}

export type RefusedAcceptance =
  | 'unknown_integration'
  | 'owner_required'
  | 'already_accepted'
  | 'other_text'

export type Acceptance = {
  readonly integration: string
  readonly version: string
  /** The text that the person read. */
  readonly text: string
  readonly name: string
  readonly title: string
  readonly legalName: string
  readonly legalAddress: string
}

/** Accepts the agreement as `act.person`. The database decides, and writes the audit row
 *  (migrations/0006_administration.sql). */
export async function acceptAgreement(
  connection: Connection,
  { integration, version, text, name, title, legalName, legalAddress }: Acceptance,
  act: Act,
): Promise<{ readonly refusal: RefusedAcceptance | null; readonly id: string }> {
  const id = newId('agreement')
  const statement = sql`
    auth.accept_agreement(${id}, ${integration}, ${version}, ${text}, ${name}, ${title},
      ${legalName}, ${legalAddress}, ${actOf(act)})`
  return { refusal: await refusalOf(connection, statement), id }
}

export type LiveConditions = {
  readonly has_grant: boolean
  readonly has_pending_grant: boolean
  readonly has_key: boolean
  /** When a live credential was last used. */
  readonly last_call_at: string | null
}

/** The other requirements for live mode. A client counts as a key. */
export async function findLiveConditions(
  connection: Connection,
  integration: string,
): Promise<LiveConditions> {
  const [row] = await connection.run<Row & LiveConditions>(sql`
    with live as materialized (
      select revoked_at, expires_at, last_used_at from auth.keys_of(${integration}, 'live')
    )
    select exists (select from auth.grants g where g.integration = i.id and g.mode = 'live'
              and g.status = 'active') as has_grant,
           exists (select from auth.grants g where g.integration = i.id and g.mode = 'live'
              and g.status = 'pending' and g.lapses_at > now()) as has_pending_grant,
           exists (select from live where revoked_at is null
                      and (expires_at is null or expires_at > now()))
             or exists (select from auth.clients c where c.integration = i.id and c.mode = 'live'
                   and c.kind = 'confidential' and c.revoked_at is null) as has_key,
           iso((select max(used.at) from (
                  select last_used_at from live
                  union all
                  select t.last_used_at from auth.credentials t
                   where t.integration = i.id and t.mode = 'live') as used (at))) as last_call_at
      from auth.integrations i where i.id = ${integration}`)
  return row ?? { has_grant: false, has_pending_grant: false, has_key: false, last_call_at: null }
}
