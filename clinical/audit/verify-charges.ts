// Compares each live charge with the digest in its signed audit row
// (database/migrations/0017_invoicing.sql).

import type { Connection, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'

export type ChargeFinding = {
  what: 'charge_changed' | 'charge_removed' | 'charge_added'
  /** The charge's ID. */
  where: string
}

/** Digests by charge ID. */
export type ChargeDigests = Map<string, string>

const pageRows = 5000

/** Reads the current digest of every charge. Call this before reading the audit: a charge is
 *  committed together with its audit row. */
export async function readCharges(connection: Connection): Promise<ChargeDigests> {
  const found: ChargeDigests = new Map()
  const [schema] = await connection.run<Row & { has: boolean }>(sql`
    select to_regprocedure('live.charge_digest(live.charges)') is not null as has`)
  // Backups are verified before they're migrated, so an older version's backup lacks this function.
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

/** Compares charges with `noted`, the audit's digests. A charge found only in the audit was either
 *  written in the meantime or removed. */
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
