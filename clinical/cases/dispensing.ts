// An approval's prescriptions and orders, inserted by the statement that approves the case.

import { limits } from '#contract/limits.ts'
import { nothing, sql, type Statement } from '#database/sql.ts'
import type { Actor } from '../actor.ts'
import type { Dispensed } from './decision.ts'
import { type AnyCall, tenantOf } from '../pipeline/handler.ts'

type Approved = { id: string; patient: string; address: unknown }

/** Returns the IDs of one kind as an array, built from the same milliseconds and random characters.
 */
const idsOf = (prefix: 'rx' | 'ord', dispensed: readonly Dispensed[]): Statement => {
  const minted = dispensed.map(one => (prefix === 'rx' ? one.prescription : one.order))
  return sql`array(
    select ulid(${prefix}, c.at + m.at * interval '1 ms', m.random)
      from json_to_recordset(${JSON.stringify(minted)}::text::json) as m (at int, random text)
     order by m.at)`
}

export function dispensing(
  call: AnyCall,
  prescriber: Actor,
  approved: Approved,
  dispensed: readonly Dispensed[],
): { rows: Statement; ids: { prescriptions: Statement; orders: Statement } } {
  const ids = { prescriptions: idsOf('rx', dispensed), orders: idsOf('ord', dispensed) }
  if (dispensed.length === 0) return { rows: nothing, ids }
  const lines = dispensed.map(({ line, entry, prescription, order }) => ({
    ...line,
    name: entry.name,
    form: entry.form,
    strength: entry.strength,
    rx_at: prescription.at,
    rx_random: prescription.random,
    ord_at: order.at,
    ord_random: order.random,
  }))
  const rows = sql`, lines as materialized (
      select l.*, c.at + l.rx_at * interval '1 ms' as prescribed_at,
             c.at + l.ord_at * interval '1 ms' as ordered_at,
             ulid('rx', c.at + l.rx_at * interval '1 ms', l.rx_random) as rx,
             ulid('ord', c.at + l.ord_at * interval '1 ms', l.ord_random) as ord
        from clock c, json_to_recordset(${JSON.stringify(lines)}::text::json) as l (
             medication_id text, quantity int, refills int, days_supply int, directions text,
             name text, form text, strength text, rx_at int, rx_random text, ord_at int,
             ord_random text)
    ), prescribed as (
      insert into prescriptions (tenant, id, "case", patient, "order", status, medication_id, name,
        form, strength, quantity, refills, days_supply, directions, prescriber, prescriber_name, expires_at,
        created_at, updated_at)
      select ${tenantOf(call)}, rx, ${approved.id}, ${approved.patient}, ord, 'active',
             medication_id, name, form, strength, quantity, refills, days_supply, directions,
             ${prescriber.person}, ${prescriber.name},
             prescribed_at + ${limits.prescriptionYears}::int * interval '1 year',
             prescribed_at, prescribed_at
        from lines
    ), ordered as (
      insert into orders (tenant, id, "case", patient, prescription, status, status_at,
        medication_id, quantity, ship_to, created_at, updated_at)
      select ${tenantOf(call)}, ord, ${approved.id}, ${approved.patient}, rx, 'created', ordered_at,
             medication_id, quantity, ${JSON.stringify(approved.address)}::text::json, ordered_at,
             ordered_at
        from lines
    )`
  return { rows, ids }
}
