// A person's integrations, and the requested scopes that each one lacks.
import { intersect, type MemberRole, roleScopes, type Scope } from '#contract/scopes.ts'
import type { ConnectionPool, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'

export type Membership = {
  readonly integration: string
  readonly name: string
  readonly role: MemberRole
  /** Whether an owner lets this developer change live endpoints. */
  readonly mayChangeLive: boolean
  /** The requested scopes that the role doesn't have. */
  readonly lackedByRole: readonly Scope[]
  /** The requested scopes that no clinic granted to the integration in test mode. */
  readonly lackedByGrant: readonly Scope[]
}

type MembershipRow = Row & {
  integration: string
  name: string
  role: MemberRole
  may_change_live: boolean
  /** Each grant's scopes. */
  grants: string[][]
}

const listMax = 100

export async function listMemberships(
  pool: ConnectionPool,
  person: string,
  asked: readonly Scope[],
): Promise<Membership[]> {
  const rows = await pool.use(connection =>
    connection.run<MembershipRow>(sql`
      select m.integration, i.name, m.role,
             coalesce(m.role = 'developer' and m.live_until > clock_timestamp(), false)
               as may_change_live,
             (select coalesce(json_agg(g.scopes), '[]') from auth.grants g
               where g.integration = m.integration and g.mode = 'test' and g.status = 'active')
               as grants
        from auth.members m
        join auth.integrations i on i.id = m.integration and i.suspended_at is null
       where m.person = ${person} and m.removed_at is null
       order by i.name, m.integration
       limit ${listMax}`),
  )
  return rows.map(({ integration, name, role, may_change_live: mayChangeLive, grants }) => ({
    integration,
    name,
    role,
    mayChangeLive,
    lackedByRole: without(asked, roleScopes[role]),
    lackedByGrant: leastLacked(asked, grants),
  }))
}

const without = (asked: readonly Scope[], held: readonly string[]): Scope[] => {
  const both = intersect(asked, held)
  return asked.filter(scope => !both.includes(scope))
}

/** The scopes that the best grant lacks, because a single grant must include all requested
 *  scopes. */
const leastLacked = (asked: readonly Scope[], grants: readonly string[][]): Scope[] =>
  grants
    .map(scopes => without(asked, scopes))
    .reduce((least, lacked) => (lacked.length < least.length ? lacked : least), [...asked])
