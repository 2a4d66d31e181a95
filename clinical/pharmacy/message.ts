// The prescription as sent. It includes only the patient data a pharmacy needs to dispense it.

import type { Connection, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import type { Claimed } from './claim.ts'
import type { Prescribed } from './provider.ts'

/** The connection is set to the transmission's tenant. */
export async function readPrescribed(
  connection: Connection,
  { tenant, prescription, order }: Claimed,
): Promise<Prescribed> {
  const [row] = await connection.run<Row & { data: string }>(sql`
    select row_to_json(d)::text as data from (
      select o.id as order,
             (select row_to_json(c) from (
                select g.id, g.name from tenants t join auth.organizations g on g.id = t.organization
                 where t.id = o.tenant) c) as clinic,
             (select row_to_json(x) from (
                select p.id, p.medication_id, p.name, p.form, p.strength, p.quantity, p.refills,
                       p.days_supply, p.directions, p.prescriber_name,
                       iso(p.created_at) as written_at, iso(p.expires_at) as expires_at
                  from prescriptions p
                 where p.tenant = o.tenant and p.id = o.prescription) x) as prescription,
             (select row_to_json(x) from (
                select a.id, a.first_name, a.last_name, a.date_of_birth::text as date_of_birth,
                       a.sex_at_birth, a.phone
                  from patients a where a.tenant = o.tenant and a.id = o.patient) x) as patient,
             o.quantity, o.ship_to
        from orders o where o.tenant = ${tenant}::bigint and o.id = ${order}) d`)
  if (row === undefined) throw new Error("the transmission's order does not exist")
  return { key: prescription, data: row.data }
}
