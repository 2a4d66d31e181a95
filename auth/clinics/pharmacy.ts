// A clinic's pharmacy connection. The database decides each change and writes its audit row
// (migrations/0019_pharmacy.sql).

import type { Connection, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { type ActOfClinic, decideClinicChange } from './staff.ts'
import { actOf } from '../act.ts'

export type PharmacyRow = Row & {
  id: string
  name: string
  url: string
  since: string
  /** When the previous secret stops working. Null if there is no previous secret. */
  previous_until: string | null
}

export async function readPharmacyOfClinic(
  connection: Connection,
  organization: string,
): Promise<PharmacyRow | null> {
  const [found] = await connection.run<PharmacyRow>(sql`
    select id, name, url, iso(created_at) as since,
           case when previous_secret_expires_at > clock_timestamp()
                then iso(previous_secret_expires_at) end as previous_until
      from pharmacy.connections where organization = ${organization} and ended_at is null`)
  return found ?? null
}

type NewPharmacy = { id: string; name: string; url: string; secret: string }

/** `secret` is encrypted. */
export const connectPharmacy = (
  connection: Connection,
  { id, name, url, secret }: NewPharmacy,
  act: ActOfClinic,
) =>
  decideClinicChange(
    connection,
    sql`pharmacy.connect(${id}, ${act.organization}, ${name}, ${url}, ${secret}, ${actOf(act)})`,
  )

export const rotatePharmacySecret = (
  connection: Connection,
  { id, secret }: Pick<NewPharmacy, 'id' | 'secret'>,
  act: ActOfClinic,
) =>
  decideClinicChange(
    connection,
    sql`pharmacy.rotate(${id}, ${act.organization}, ${secret}, ${actOf(act)})`,
  )

export const disconnectPharmacy = (connection: Connection, id: string, act: ActOfClinic) =>
  decideClinicChange(
    connection,
    sql`pharmacy.disconnect(${id}, ${act.organization}, ${actOf(act)})`,
  )
