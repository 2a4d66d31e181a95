import { sql } from '#database/sql.ts'

export const messageColumns = sql`
  id, status, "case", kind, author, target, body, iso(created_at) as created_at`
