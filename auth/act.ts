// Changes that a database function decides. The function also records in the audit log who made the
// change.
import type { Connection, Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'

/** The person who made a change, for the audit. No person means the operator. */
export type Act = {
  surface: 'portal' | 'console' | 'cli' | 'oauth'
  request: string
  person?: string
  /** The staff member's clinic. */
  organization?: string
  address?: string | null
  agent?: string | null
  /** The submitted form. A second change by the same form is refused. */
  once?: string | null
}

/** Formats an act as the database functions expect it. */
export const actOf = (act: Act): Statement => sql`${JSON.stringify(act)}::text::jsonb`

/** Returns why the database refused the change in `statement`, or null if it made the change. */
export async function refusalOf<R extends string>(
  connection: Connection,
  statement: Statement,
): Promise<R | null> {
  const [row] = await connection.run<Row & { refusal: R | null }>(
    sql`select ${statement} as refusal`,
  )
  return row?.refusal ?? null
}
