// An entry in the accounting of disclosures (45 CFR 164.528): its columns in the API, and the
// insert for the statement that releases a record.

import type { Actor } from '../actor.ts'
import { sql, type Statement } from '#database/sql.ts'
import { type AnyCall, tenantOf } from '../pipeline/handler.ts'

export const disclosureColumns = sql`
  id, disclosed_on::text as disclosed_on, recipient, recipient_address, description, purpose,
  corrects, json_build_object('person', person, 'name', person_name) as by,
  iso(created_at) as created_at`

export type NewDisclosure = {
  patient: string
  /** A day as YYYY-MM-DD. */
  disclosed_on: string
  recipient: string
  recipient_address?: string | null | undefined
  /** The disclosed information. */
  description: string
  purpose: string
  /** The ID of the entry that this entry replaces. */
  corrects?: string | null | undefined
}

/** Inserts an entry if `from` has a row; the patient belongs to the call's tenant. */
export const insertDisclosure = (
  call: AnyCall,
  entry: NewDisclosure,
  by: Actor,
  from: Statement,
): Statement => sql`
  insert into records.disclosures (tenant, patient, disclosed_on, recipient, recipient_address,
                                   description, purpose, corrects, person, person_name)
  select ${tenantOf(call)}, ${entry.patient}, ${entry.disclosed_on}::date,
         ${entry.recipient}, ${entry.recipient_address ?? null}::text, ${entry.description},
         ${entry.purpose}, ${entry.corrects ?? null}::text, ${by.person}::text, ${by.name}::text
    from (select from ${from} limit 1) f`
