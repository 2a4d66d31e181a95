import { sql } from '#database/sql.ts'

export const consentColumns = sql`
  id, patient, kind, version, status, iso(accepted_at) as accepted_at,
  iso(created_at) as created_at`
