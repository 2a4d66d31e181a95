// An integration's name, email addresses and closure, for its owners. The database decides each
// change and writes its audit row (migrations/0006_administration.sql).
import type { Connection, Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { type Act, actOf, refusalOf } from './act.ts'

export type IntegrationSettings = {
  readonly name: string
  /** The address that receives notices about failing webhooks. */
  readonly developers_email: string | null
  /** The address that receives an email about each invoice. If null, every owner receives it. */
  readonly billing_email: string | null
}

type SettingsRow = Row & IntegrationSettings & { readonly created_at: string }

export async function findIntegrationSettings(
  connection: Connection,
  integration: string,
): Promise<SettingsRow | null> {
  const [row] = await connection.run<SettingsRow>(sql`
    select name, developers_email, billing_email, iso(created_at) as created_at
      from auth.integrations where id = ${integration}`)
  return row ?? null
}

type RefusedSettings = 'unknown_integration' | 'owner_required'

async function decide(
  connection: Connection,
  statement: Statement,
): Promise<{ readonly refusal: RefusedSettings | null }> {
  return { refusal: await refusalOf(connection, statement) }
}

export const changeIntegration = (
  connection: Connection,
  { integration, ...changed }: IntegrationSettings & { readonly integration: string },
  act: Act,
) =>
  decide(
    connection,
    sql`auth.change_integration(${integration}, ${changed.name}, ${changed.developers_email ?? ''},
                                ${changed.billing_email ?? ''}, ${actOf(act)})`,
  )

/** Ends the integration's credentials, agreement and grants in one transaction, and emails its
 *  owners. */
export const closeIntegration = (connection: Connection, integration: string, act: Act) =>
  decide(connection, sql`auth.close_integration(${integration}, ${actOf(act)})`)
