// A row's timestamps as its client reads them, in seconds. The end is computed as the start plus
// the lifetime, so the client finds exactly the promised lifetime between the two.

import { sql, type Statement } from '#database/sql.ts'

export const timesOf = (row: Statement): Statement => sql`
  floor(extract(epoch from ${row}.created_at))::int as iat,
  (floor(extract(epoch from ${row}.created_at))
    + round(extract(epoch from ${row}.expires_at - ${row}.created_at)))::int as exp`
