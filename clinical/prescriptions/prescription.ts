import { sql } from '#database/sql.ts'

export const prescriptionColumns = sql`
  id, "case", patient, "order", status, medication_id, name, form, strength, quantity, refills,
  days_supply, directions, prescriber_name, iso(expires_at) as expires_at,
  iso(created_at) as created_at, iso(updated_at) as updated_at`
