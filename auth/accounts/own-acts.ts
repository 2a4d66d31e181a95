// Changes that a person makes to their own account. The database decides each and writes its audit
// row (migrations/0007_accounts.sql).
import type { ConnectionPool } from '#database/pool.ts'
import type { Statement } from '#database/sql.ts'
import { refusalOf } from '../act.ts'

/** The request that asks, for the audit. */
export type OwnAct = {
  /** The pages of people, or a page of the console that confirms it's them. */
  readonly surface: 'oauth' | 'console'
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
  | 'last_admin'
  | 'already_added'
  | 'already_begun'
  | 'challenge_used'
  | 'too_many_passkeys'
  | 'wrong_passkey'
  | 'wrong_code'

/** Null, or why it was refused. */
export function decide(
  pool: ConnectionPool,
  statement: Statement,
): Promise<RefusedOwnChange | null> {
  return pool.use(connection => refusalOf(connection, statement))
}
