import type { Mode } from '#contract/operation.ts'
import { sql } from '#database/sql.ts'
import type { Fixtures } from '../../../testing/fixtures.ts'

/** Marks all events as dispatched, because no worker dispatches during a sweep. Otherwise the
 *  sweep's oldest events would count as late, and triggers and redeliveries would be refused. */
export const skipEvents = (fixtures: Fixtures, mode: Mode) => {
  const isLive = mode === 'live'
  const cursors = isLive ? sql`live.event_cursors` : sql`test.event_cursors`
  const events = isLive ? sql`live.events` : sql`test.events`
  return fixtures.owner.use(connection =>
    connection.run(sql`
      with held as materialized (
        -- Locks in one order, because calls for several tenants may be prepared concurrently.
        select of_tenant from ${cursors} order by of_tenant for update
      )
      update ${cursors} c set position = e.id
        from held h, (select tenant, max(id) as id from ${events} group by tenant) e
       where h.of_tenant = c.of_tenant and e.tenant = c.of_tenant`),
  )
}
