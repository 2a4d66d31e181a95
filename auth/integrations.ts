// Creates the rows that a first call requires: an integration with its sandbox organization,
// grants, agreements and keys. Requires the role that owns the database; the gateway's roles can't
// do this.

import { limits } from '#contract/limits.ts'
import type { Mode } from '#contract/operation.ts'
import { allScopes, type Scope } from '#contract/scopes.ts'
import type { Connection, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { randomBytes } from '#database/clock.ts'
import { createIntegration } from './accounts/members.ts'
import type { KeyCreation } from './administration.ts'
import { newId } from './ids.ts'
import { actOfOperator } from './operator.ts'
import { pepperName } from './pepper.ts'
import { hashToken, mintKey } from './tokens.ts'

export type Sandbox = { integration: string; organization: string }

/** Creates an integration with its sandbox organization, which grants every scope in test mode. */
export async function openIntegration(connection: Connection, name: string): Promise<Sandbox> {
  const made = await createIntegration(connection, { name, owner: null }, actOfOperator())
  if (made.refusal !== null) throw new Error(`The integration was refused: ${made.refusal}.`)
  return made
}

/** Sets the email address for notices about failing webhooks; null sends none. Returns false if the
 *  integration doesn't exist. */
export async function nameDevelopers(
  connection: Connection,
  integration: string,
  email: string | null,
) {
  const rows = await connection.run(sql`
    update auth.integrations set developers_email = ${email} where id = ${integration}
    returning id`)
  return rows.length === 1
}

/** Creates a clinic. Any integration can request a grant from it. */
export async function openOrganization(
  connection: Connection,
  name: string,
  slug: string,
  incidentEmail: string | null = null,
): Promise<string> {
  const id = newId('organization')
  await connection.run(sql`
    with made as (insert into auth.organizations (id, name, slug) values (${id}, ${name}, ${slug})
                  returning id)
    insert into auth.clinic_settings (organization, incident_email)
    select id, ${incidentEmail} from made where ${incidentEmail}::text is not null`)
  return id
}

export type Grant = {
  integration: string
  organization: string
  mode: Mode
  scopes?: readonly Scope[]
}

/** Creates an active grant, and the tenant for everything written under it. */
export async function grant(
  connection: Connection,
  { integration, organization, mode, scopes }: Grant,
) {
  await connection.run(sql`
    insert into auth.grants (id, integration, organization, mode, scopes, status)
    values (${newId('grant')}, ${integration}, ${organization}, ${mode},
            ${scopes ?? allScopes}::text[], 'active')`)
  const inMode = mode === 'live' ? sql`live.tenants` : sql`test.tenants`
  await connection.run(sql`
    insert into ${inMode} (integration, organization) values (${integration}, ${organization})
    on conflict do nothing`)
}

/** Ends agreements to older versions after the period for accepting `version`. A repeated call
 *  doesn't extend the period. Returns the affected integrations. */
export async function supersedeAgreements(
  connection: Connection,
  version: string,
): Promise<string[]> {
  const rows = await connection.run<Row & { integration: string }>(sql`
    update auth.agreements
       set ends_at = now() + ${limits.agreementGraceDays}::int * interval '1 day'
     where version <> ${version} and terminated_at is null and ends_at is null
    returning integration`)
  return [...new Set(rows.map(row => row.integration))].sort()
}

/** Creates a key, which appears only in this result. `pepper` is the newest. */
export async function issueKey(connection: Connection, pepper: string, request: KeyCreation) {
  const key = mintKey(request.mode, randomBytes(32))
  const id = newId('key')
  await connection.run(sql`
    insert into auth.credentials (id, integration, organization, mode, name, scopes, hash, pepper, last4, expires_at)
    values (${id}, ${request.integration}, ${request.organization ?? null}, ${request.mode}, ${request.name},
            ${request.scopes ?? allScopes}::text[], ${hashToken(pepper, key)},
            ${pepperName(pepper)}, ${key.slice(-4)},
            ${request.expiresAt ?? null}::timestamptz)`)
  return { id, key }
}

export type KeyRow = Row & {
  id: string
  integration: string
  mode: Mode
  name: string
  last4: string
  scopes: string[]
  created_at: string
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
  /** The key's successor, if it was rotated. */
  replaced_by: string | null
}

export async function findKeyMode(connection: Connection, id: string): Promise<Mode | null> {
  const [found] = await connection.run<Row & { mode: Mode }>(
    sql`select mode from auth.credentials where id = ${id} and kind = 'key'`,
  )
  return found?.mode ?? null
}

/** All keys, oldest first, without secrets or hashes. */
export const listKeys = (connection: Connection): Promise<KeyRow[]> =>
  connection.run<KeyRow>(sql`
    select id, integration, mode, name, last4, scopes, iso(created_at) as created_at,
           iso(expires_at) as expires_at, iso(revoked_at) as revoked_at,
           iso(last_used_at) as last_used_at, replaced_by
      from auth.credentials where kind = 'key' order by id`)
