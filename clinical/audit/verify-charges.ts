// Compares each charge of live mode with the digest in its row of the audit, which is signed
// (database/migrations/0017_invoicing.sql).

import type { Connection, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'

export type ChargeFinding = {
  what: 'charge_changed' | 'charge_removed' | 'charge_added'
  /** The charge's id. */
  where: string
}

/** Digests by the charge's id. */
export type ChargeDigests = Map<string, string>

const pageRows = 5000

/** Every charge as it is now. To be read before the audit: a charge is committed with its row. */
export async function readCharges(connection: Connection): Promise<ChargeDigests> {
  const found: ChargeDigests = new Map()
  const [schema] = await connection.run<Row & { has: boolean }>(sql`
    select to_regprocedure('live.charge_digest(live.charges)') is not null as has`)
  // A backup of a version before is verified before it is migrated.
  if (schema?.has !== true) return found
  let last = { tenant: '0', id: '' }
  for (;;) {
    const page = await connection.run<Row & { tenant: string; id: string; digest: string }>(sql`
      select tenant::text, id, live.charge_digest(c) as digest from live.charges c
       where (tenant, id) > (${last.tenant}::bigint, ${last.id}::text)
       order by c.tenant, c.id limit ${pageRows}::int`)
    for (const { id, digest } of page) found.set(id, digest)
    last = page.at(-1) ?? last
    if (page.length < pageRows) return found
  }
}

/** `noted`: what the audit says. A charge that only the audit has was written meanwhile, or is
 *  removed. */
export async function compareCharges(
  connection: Connection,
  charges: ChargeDigests,
  noted: ChargeDigests,
): Promise<ChargeFinding[]> {
  if (charges.size + noted.size === 0) return []
  const late = [...noted.keys()].filter(id => !charges.has(id))
  const there = await connection.run<Row & { id: string; digest: string }>(sql`
    select id, live.charge_digest(c) as digest from live.charges c
     where id = any (${late}::text[])`)
  const now = new Map([...charges, ...there.map(({ id, digest }) => [id, digest] as const)])
  const findings: ChargeFinding[] = []
  for (const [id, digest] of now) {
    const signed = noted.get(id)
    if (signed === undefined) findings.push({ what: 'charge_added', where: id })
    else if (signed !== digest) findings.push({ what: 'charge_changed', where: id })
  }
  for (const id of late) if (!now.has(id)) findings.push({ what: 'charge_removed', where: id })
  return findings
}
