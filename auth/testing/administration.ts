// Set-up of tests that are about something else than the changes of an operator.
import type { Connection } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { revokeKeyOf } from '../administration.ts'
import { newId } from '../ids.ts'
import { actOfOperator } from '../operator.ts'

/** An agreement without an audit row, so that a test finds only rows of its own. */
export async function acceptAgreement(
  connection: Connection,
  integration: string,
  version: string,
): Promise<void> {
  await connection.run(sql`
    insert into auth.agreements (id, integration, version)
    values (${newId('agreement')}, ${integration}, ${version})`)
}

export async function revokeKey(connection: Connection, id: string): Promise<void> {
  const { refusal } = await revokeKeyOf(connection, id, null, actOfOperator())
  if (refusal !== null) throw new Error(`The key was not revoked: ${refusal}.`)
}
