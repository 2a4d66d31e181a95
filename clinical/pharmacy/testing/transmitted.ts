// Marks orders as accepted by a clinic's pharmacy, without a pharmacy.

import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../../testing/assertions.ts'
import type { Fixtures } from '../../testing/fixtures.ts'

type Transmitted = { organization: string; tenant: string; order: string; marker: string }

/** `marker` is both the pharmacy's name and its reference for the order. */
export async function transmitted(
  fixtures: Fixtures,
  { organization, tenant, order, marker }: Transmitted,
): Promise<void> {
  const connection = `phm_${organization}`
  await queryAsOwner(
    fixtures,
    sql`insert into pharmacy.connections (id, organization, name, url, secret)
        select ${connection}, ${organization}, ${marker}, 'https://example.com', ''
        on conflict do nothing`,
  )
  await queryAsOwner(
    fixtures,
    sql`insert into pharmacy.transmissions (tenant, prescription, "order", organization, connection,
                                            status, reference)
        select ${tenant}::bigint, o.prescription, o.id, ${organization}, ${connection}, 'accepted',
               ${marker} from live.orders o where o.id = ${order}
        on conflict (tenant, prescription) do update
           set status = excluded.status, reference = excluded.reference`,
  )
}

/** Returns rows to a state that allows an operation. */
export const restoreTransmission = (fixtures: Fixtures, tenant: string, operation: string) => {
  const isOpen = operation === 'resendOrder' || operation === 'takeOverOrder'
  return queryAsOwner(
    fixtures,
    sql`update pharmacy.transmissions set status = ${isOpen ? 'stopped' : 'accepted'}
         where tenant = ${tenant}::bigint`,
  )
}

/** Returns the connections the clinic's orders were sent over. */
export async function connectionsOf(fixtures: Fixtures): Promise<string[]> {
  const rows = await queryAsOwner<{ connection: string }>(
    fixtures,
    sql`select distinct connection from pharmacy.transmissions
         where organization = ${fixtures.clinic}`,
  )
  return rows.map(({ connection }) => connection)
}
