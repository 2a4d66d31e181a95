// Reads and sets the autopilot's timers. run-autopilot.ts applies them every minute.

import { sql, type Statement } from '#database/sql.ts'
import { read, tenantOf, write } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'

const columns: Statement = sql`a.approve_after_s, a.ship_after_s`

/** A sandbox that never set its timers has no row. Both timers are then null, which means off. */
export const getAutopilot = read('getAutopilot', call => ({
  rows: sql`
    select '' as id, ${published(columns)} as item
      from (select 1) one left join autopilot a on a.tenant = ${tenantOf(call)}`,
}))

type Patch = {
  approve: number | null
  ship: number | null
  sets: { approve: boolean; ship: boolean }
}

export const updateAutopilot = write('updateAutopilot', {
  decide: (_call, { approve_after_s, ship_after_s }): Patch => ({
    approve: approve_after_s ?? null,
    ship: ship_after_s ?? null,
    sets: { approve: approve_after_s !== undefined, ship: ship_after_s !== undefined },
  }),
  // Locks the tenant, so a concurrent reset either comes first or removes this row too.
  write: (call, { approve, ship, sets }) => sql`
    held as materialized (
      select id from tenants
       where id = ${tenantOf(call)} and retired_at is null and exists (select from go) for share
    ), changed as (
      insert into autopilot as a (tenant, approve_after_s, ship_after_s)
      select id, ${approve}::int, ${ship}::int from held
      on conflict (tenant) do update set
        approve_after_s = case when ${sets.approve} then excluded.approve_after_s
                               else a.approve_after_s end,
        ship_after_s = case when ${sets.ship} then excluded.ship_after_s else a.ship_after_s end,
        updated_at = clock_timestamp()
      returning '' as id, ${published(columns)} as answer
    )`,
})
