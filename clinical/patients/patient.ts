// A patient as the API returns it, and the condition for rows that callers can see. A deleted
// patient leaves a tombstone that only foreign keys use.

import { sql } from '#database/sql.ts'
import { tenantOf } from '../pipeline/handler.ts'

export const patientColumns = sql`
  id, external_id, 'active' as status, first_name, middle_name, last_name,
  date_of_birth::text as date_of_birth, sex_at_birth, email, phone, address,
  iso(created_at) as created_at, iso(updated_at) as updated_at`

/** This caller's patients, as the tail of a select. */
export const livingPatients = (call: Parameters<typeof tenantOf>[0]) =>
  sql`from patients where tenant = ${tenantOf(call)} and deleted_at is null`

type Address = {
  line1: string
  line2?: string | null
  city: string
  state: string
  postal_code: string
  country?: 'US'
}

/** Returns an address with all fields, in published order. */
export const addressText = (address: Address): string => {
  const { line1, line2 = null, city, state, postal_code, country = 'US' } = address
  return JSON.stringify({ line1, line2, city, state, postal_code, country })
}
