// Changes that a person makes to their own account. The database decides each change and writes its
// audit row (migrations/0007_accounts.sql).
import type { ConnectionPool } from '#database/pool.ts'
import type { Statement } from '#database/sql.ts'
import { refusalOf } from '../act.ts'

/** The request that makes a change, for the audit log. */
export type OwnAct = {
  /** The account pages, or a console page that verifies the person. */
  readonly surface: 'oauth' | 'console'
  readonly request: string
  readonly address: string | null
  readonly agent: string | null
}

export type RefusedOwnChange =
  /** The link was used, has expired, or was replaced. */
  | 'link_ended'
  /** Another request changed the account first, so the page must be reloaded. */
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

/** Returns null, or why the change was refused. */
export function decide(
  pool: ConnectionPool,
  statement: Statement,
): Promise<RefusedOwnChange | null> {
  return pool.use(connection => refusalOf(connection, statement))
}
