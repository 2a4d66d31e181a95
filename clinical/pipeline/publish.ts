// A resource's JSON text. The database builds it once, with its fields in schema order, and no code
// changes it afterward, except to omit fields the caller may not read (perform.ts). A replay
// therefore equals the first response byte for byte.

import { sql, type Statement } from '#database/sql.ts'

/** A row's JSON text, where its columns are in scope. */
export const published = (columns: Statement): Statement =>
  sql`(select row_to_json(r)::text from (select ${columns}) r)`

/** The two columns of a read's rows. */
export const idAndItem = (columns: Statement): Statement => sql`id, ${published(columns)} as item`
