// The organizations a new credential can act for, and live mode's requirements.
import type { Mode } from '#contract/operation.ts'
import type { ConnectionPool, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { hasAgreement } from './guard.ts'

type OrganizationWithGrant = { readonly id: string; readonly name: string }

export type Openings = {
  /** Whether an agreement is in effect, which live mode needs. */
  readonly isAgreed: boolean
  /** The organizations that granted access in this mode. Live mode needs at least one. */
  readonly organizations: readonly OrganizationWithGrant[]
}

const listMax = 200

export async function findOpenings(
  pool: ConnectionPool,
  integration: string,
  mode: Mode,
): Promise<Openings> {
  const [found] = await pool.use(connection =>
    connection.run<Row & { agreed: boolean; organizations: OrganizationWithGrant[] }>(sql`
      select ${hasAgreement(sql`${integration}`)} as agreed,
             (select coalesce(json_agg(row_to_json(o)), '[]') from (
                select o.id, o.name from auth.grants g
                  join auth.organizations o on o.id = g.organization
                 where g.integration = ${integration} and g.mode = ${mode} and g.status = 'active'
                 order by o.name, o.id limit ${listMax}) o) as organizations`),
  )
  return { isAgreed: found?.agreed === true, organizations: found?.organizations ?? [] }
}
