// Setup for tests that aren't about an operator's changes.
import type { Connection } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { revokeKeyOf } from '../administration.ts'
import { newId } from '../ids.ts'
import { actOfOperator } from '../operator.ts'

/** Adds an agreement without an audit row, so a test finds only its own rows. */
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
