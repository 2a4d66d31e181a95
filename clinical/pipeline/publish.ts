// The JSON text of a resource. The database builds it once, with its members in the order of the
// schema, and no code changes it afterwards, except to leave out what a caller may not read
// (perform.ts). So a replay equals the first answer byte for byte.

import { sql, type Statement } from '#database/sql.ts'

/** The JSON text of a row, where its columns are in scope. */
export const published = (columns: Statement): Statement =>
  sql`(select row_to_json(r)::text from (select ${columns}) r)`

/** The two columns of a read's rows. */
export const idAndItem = (columns: Statement): Statement => sql`id, ${published(columns)} as item`
