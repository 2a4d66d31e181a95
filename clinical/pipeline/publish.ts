// How a row becomes the text that is published: the database builds it once, member by member in
// the order of the schema, and nothing after it touches it. So a replay is the first answer, byte
// for byte.

import { sql, type Statement } from '#database/sql.ts'

/** The published text of a row, where its columns are in scope. */
export const published = (columns: Statement): Statement =>
  sql`(select row_to_json(r)::text from (select ${columns}) r)`

/** The two columns of a read's rows. */
export const idAndItem = (columns: Statement): Statement => sql`id, ${published(columns)} as item`
