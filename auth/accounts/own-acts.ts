// Changes that a person makes to their own account. The database decides each and writes its audit
// row (migrations/0007_accounts.sql).
import type { ConnectionPool, Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'

/** The request that asks, for the audit. */
export type OwnAct = {
  /** That of the pages of people. */
  readonly surface: 'oauth'
  readonly request: string
  readonly address: string | null
  readonly agent: string | null
}

export type RefusedOwnChange =
  /** The link was used, has expired, or was replaced. */
  | 'link_ended'
  /** Another request was first; what is shown has to be read again. */
  | 'changed_meanwhile'
  | 'not_found'
  | 'last_factor'
  | 'last_owner'
  | 'already_added'
  | 'already_begun'
  | 'challenge_used'
  | 'too_many_passkeys'
  | 'wrong_passkey'
  | 'wrong_code'

export const actOf = (act: OwnAct): Statement => sql`${JSON.stringify(act)}::text::jsonb`

/** Null, or why it was refused. */
export async function decide(
  pool: ConnectionPool,
  statement: Statement,
): Promise<RefusedOwnChange | null> {
  const [row] = await pool.use(connection =>
    connection.run<Row & { refusal: RefusedOwnChange | null }>(sql`select ${statement} as refusal`),
  )
  return row?.refusal ?? null
}
