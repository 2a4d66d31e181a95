// The operator's declarations about encryption at rest.
import type { Connection, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'

export type EncryptionStatement = Row & {
  stated_at: string
  stated_by: string
  volume: string
  backups: string
}

/** Newest first. */
export const listEncryptionStatements = (connection: Connection): Promise<EncryptionStatement[]> =>
  connection.run<EncryptionStatement>(sql`
    select iso(stated_at) as stated_at, stated_by, volume, backups from auth.encryption_statements
     order by id desc limit 100`)

export const stateEncryption = (
  connection: Connection,
  { volume, backups, by }: { volume: string; backups: string; by: string },
) =>
  connection.run(sql`
    insert into auth.encryption_statements (stated_by, volume, backups)
    values (${by}, ${volume}, ${backups})`)
