// The nightly exports of a tenant's tables: their schedule, and the worker's step that starts due
// exports. A night passes by the tenant's clock, so a sandbox that's advanced a week has seven
// exports.

import { type Mode, modes } from '#contract/operation.ts'
import { limits } from '#contract/limits.ts'
import type { Connection } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { recordWork } from '../audit/record-work.ts'
import type { Worker } from '../jobs/job.ts'
import { tenantNow } from '../pipeline/clock.ts'
import { tenantOf } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'
import { read, write } from '../preview/handler.ts'

/** The next nightly start after a given time. */
const nextNight = (after: Statement): Statement => {
  const hour = sql`${limits.nightlyExportHourUtc}::int * interval '1 hour'`
  return sql`date_trunc('day', ${after} - ${hour}, 'UTC') + interval '1 day' + ${hour}`
}

const scheduleColumns = sql`
  s.tenant is not null as nightly, coalesce(s.include_identity, false) as include_identity,
  iso(s.due_at) as next_at`

export const getExportSchedule = read('getExportSchedule', call => ({
  rows: sql`
    select '' as id, ${published(scheduleColumns)} as item
      from (select 1) one left join export_schedules s on s.tenant = ${tenantOf(call)}`,
}))

export const setExportSchedule = write('setExportSchedule', {
  decide: (_call, { nightly, include_identity = false }) => ({ nightly, include_identity }),
  // Locks the tenant, so a concurrent reset either comes first or removes this row too.
  write: (call, { nightly, include_identity }) => sql`
    held as materialized (
      select id as tenant, ${include_identity}::boolean as include_identity,
             ${nextNight(tenantNow)} as due_at
        from tenants
       where id = ${tenantOf(call)} and retired_at is null and exists (select from go) for share
    ), put as (
      ${
        nightly
          ? sql`insert into export_schedules (tenant, include_identity, due_at)
                select tenant, include_identity, due_at from held
                on conflict (tenant) do update
                   set include_identity = excluded.include_identity, due_at = excluded.due_at`
          : sql`delete from export_schedules where tenant in (select tenant from held)`
      }
    ), changed as (
      select '' as id, ${published(scheduleColumns)} as answer
        from held h left join held s on ${nightly}::boolean
    )`,
})

/** Creates the exports that are due; the worker completes them like requested exports. */
export async function startNightly(worker: Pick<Worker, 'pools' | 'stopping'>): Promise<void> {
  for (const mode of modes) {
    const startOne = () => worker.pools[mode].use(connection => startNext(connection, mode))
    while (!worker.stopping.aborted && (await startOne()));
  }
}

/** Creates an export if it's due, and moves its schedule to the next night. Without the clinic's
 *  grant, the night is skipped. Returns whether an export was due. */
async function startNext(connection: Connection, mode: Mode): Promise<boolean> {
  const moved = await connection.run(sql`
    with due as materialized (
      select s.tenant, s.include_identity, now() + t.ahead_ms * interval '1 ms' as now, exists (
               select from auth.grants g where g.integration = t.integration
                  and g.organization = t.organization and g.mode = ${mode}
                  and g.status = 'active') as granted
        from export_schedules s join tenants t on t.id = s.tenant
       where s.due_at <= now() + t.ahead_ms * interval '1 ms'
       order by s.due_at limit 1 for update of s skip locked
    ), moved as (
      update export_schedules s set due_at = ${nextNight(sql`d.now`)} from due d
       where s.tenant = d.tenant returning s.tenant
    ), clock as materialized (
      select tenant, include_identity, next_timestamp(tenant, 1) as at from due where granted
    ), made as (
      insert into exports (tenant, id, status, include_identity, nightly, created_at)
      select tenant, ulid('exp', at, ulid_random()), 'pending', include_identity, true, at
        from clock where at is not null
          on conflict do nothing
      returning tenant, id
    ), recorded as (
      select 1 as one from made m ${recordWork(mode, 'createTableExport', sql`m.tenant, m.id`)}
    )
    select tenant, (select count(*) from recorded) as recorded from moved`)
  return moved.length > 0
}
