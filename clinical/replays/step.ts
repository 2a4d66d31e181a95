// Advances replays. A step is one statement: it locks a claimed replay, reads its next events, and
// creates their deliveries together with its new position, so a worker that dies leaves a complete
// step or none. The next step's time is stored, so any number of workers keep the rate.

import { limits } from '#contract/limits.ts'
import { type Mode, modes } from '#contract/operation.ts'
import type { Connection } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { openTurns, type Turns } from '../jobs/turns.ts'
import type { Job, Worker } from '../jobs/job.ts'
import { deliverJob } from '../deliveries/engine/deliver.ts'

/** How many events a step reads. Most may have other types or already be delivered. */
const scannedMax = 2000

/** How long a replay waits after a failed step, so the others advance. */
const retrySeconds = 30

export type Step = {
  id: string
  tenant: string
  /** How many deliveries it created. */
  queued: number
  /** The replay's status after the step. */
  status: string
  reason: string | null
}

type Claim = { tenant: string; id: string }

const claimNext = (turns: Turns): Statement => sql`
  update replays set due_at = clock_timestamp() + ${retrySeconds}::int * interval '1 second'
   where (tenant, id) = (
     select r.tenant, r.id from replays r
      where r.status = 'running' and r.due_at <= clock_timestamp()
      order by ${turns.by(sql`r.tenant::text`)}, r.due_at limit 1 for update skip locked)
  returning tenant::text as tenant, id`

/** The replay to advance, the reason it must stop (if any), and how many deliveries it may create.
 */
const claimedReplay = ({ tenant, id }: Claim): Statement => sql`
  due as materialized (
    select r.* from replays r
     where r.tenant = ${tenant}::bigint and r.id = ${id} and r.status = 'running' for update
  ), job as materialized (
    select r.*, case when w.id is null then 'endpoint_deleted'
                     when w.status = 'disabled' then 'endpoint_disabled'
                     when s.retired_at is not null then 'sandbox_reset' end as obstacle,
           greatest(0, least(${limits.replaysPerSecond}::int, ${limits.replaysWaitingMax}::int - (
             select count(*)::int from (
               select from due_deliveries q
                where q.tenant = r.tenant and q.webhook_endpoint = r.webhook_endpoint
                limit ${limits.replaysWaitingMax}::int) waiting))) as room
      from due r
      left join webhook_endpoints w on w.tenant = r.tenant and w.id = r.webhook_endpoint
      left join tenants s on s.id = r.event_tenant
  )`

/** The replay's next events, and which of them to send. */
const chosenEvents: Statement = sql`
  listening as materialized (
    -- Locks the endpoint until the commit, so no delivery is created if it is disabled in the
    -- meantime.
    select w.id from job j join webhook_endpoints w
        on w.tenant = j.tenant and w.id = j.webhook_endpoint and w.status = 'enabled'
     where j.obstacle is null and j.room > 0 for share of w
  ), scanned as materialized (
    select e.id, e.type from job j cross join lateral (
      select e.id, e.type from events e
       where e.tenant = j.event_tenant and e.id > j.position and e.id < ulid('evt', j.until, '')
       order by e.id limit ${scannedMax}::int) e
     where exists (select from listening)
  ), chosen as materialized (
    select e.id, e.type, row_number() over (order by e.id) as n from scanned e, job j
     where (e.type = any (j.event_types) or '*' = any (j.event_types))
       and (not j.failed_only or (
             exists (select from deliveries d
                      where d.tenant = j.tenant and d.webhook_endpoint = j.webhook_endpoint
                        and d.event = e.id and not d.redelivery and d.status = 'failed')
         and not exists (select from deliveries d
                      where d.tenant = j.tenant and d.webhook_endpoint = j.webhook_endpoint
                        and d.event = e.id and d.redelivery and d.status <> 'failed')))
     order by e.id limit (select room from job)
  ), reached as materialized (
    -- After a full step, some of the scanned events may still have to be sent.
    select j.room > 0 and exists (select from listening) as has_looked,
           case when (select count(*) from chosen) >= j.room then (select max(id) from chosen)
                else (select max(id) from scanned) end as last,
           (select count(*) from chosen) < j.room
             and (select count(*) from scanned) < ${scannedMax}::int as is_all
      from job j
  )`

/** Returns null if no replay is due. */
export async function stepOnce(
  connection: Connection,
  turns: Turns = openTurns(),
): Promise<Step | null> {
  const [claim] = await connection.run<Claim>(claimNext(turns))
  if (!claim) return null
  const [step] = await connection.run<Step>(sql`
    with ${claimedReplay(claim)}, ${chosenEvents}, clock as materialized (
      select j.tenant, next_timestamp(j.tenant, n.many) as at
        from job j, (select count(*)::int as many from chosen) n where n.many > 0
    ), made as (
      insert into deliveries (tenant, id, event, event_tenant, event_type, webhook_endpoint,
                              redelivery, replay, next_attempt_at, created_at)
      select j.tenant, ulid('dlv', x.at, ulid_random()), e.id, j.event_tenant, e.type,
             j.webhook_endpoint, true, j.id, x.at, x.at
        from job j cross join clock c cross join chosen e
       cross join lateral (select c.at + (e.n - 1) * interval '1 ms' as at) x
      returning tenant, id, webhook_endpoint, created_at
    ), queued as (
      -- A microsecond apart, so deliveries are claimed in event order.
      insert into due_deliveries (tenant, delivery, webhook_endpoint, due_at)
      select m.tenant, m.id, m.webhook_endpoint,
             now() + row_number() over (order by m.id) * interval '1 microsecond' from made m
    ), locked as materialized (
      select q.tenant, q.webhook_endpoint from endpoint_queues q
       where (q.tenant, q.webhook_endpoint) in (select tenant, webhook_endpoint from made)
         for no key update
    ), scheduled as (
      update endpoint_queues q set next_due = least(q.next_due, now()) from locked l
       where q.tenant = l.tenant and q.webhook_endpoint = l.webhook_endpoint
    ), stepped as (
      update replays r set
        position = coalesce(n.last, r.position), reason = j.obstacle,
        status = case when j.obstacle is not null then 'stopped'
                      when n.has_looked and n.is_all then 'completed' else 'running' end,
        ended_at = case when j.obstacle is not null or n.has_looked and n.is_all then greatest(
          date_trunc('milliseconds', clock_timestamp() + own.ahead_ms * interval '1 ms'),
          r.created_at) end,
        due_at = clock_timestamp() + interval '1 second'
        from job j join tenants own on own.id = j.tenant cross join reached n
       where r.tenant = j.tenant and r.id = j.id
      returning r.tenant, r.id, r.status, r.reason
    )
    select id, tenant::text as tenant, status, reason, (select count(*)::int from made) as queued from stepped`)
  return step ?? null
}

/** Removes replays that can't be read anymore. */
const purge = (connection: Connection) =>
  connection.run(sql`
    delete from replays r using tenants own
     where own.id = r.tenant and r.status <> 'running'
       and r.created_at <= now() + own.ahead_ms * interval '1 ms'
                           - ${limits.replayDaysMax}::int * interval '1 day'`)

/** Advances every due replay by one step, until a step fails. */
async function advance(worker: Worker, mode: Mode): Promise<number> {
  let queued = 0
  const turns = openTurns()
  while (!worker.stopping.aborted) {
    const step = await worker.pools[mode].use(connection => stepOnce(connection, turns))
    if (step === null) break
    turns.took(step.tenant)
    queued += step.queued
    if (step.queued > 0) worker.wake(deliverJob, mode)
    if (step.status !== 'running') {
      const { id, status, reason } = step
      worker.note('replay.ended', { mode, replay: id, status, reason: reason ?? undefined })
    }
  }
  await worker.pools[mode].use(connection => purge(connection))
  return queued
}

export const replayJob: Job = {
  name: 'replays',
  everySeconds: 1,
  async run(worker) {
    let deliveries = 0
    for (const end of await Promise.allSettled(modes.map(mode => advance(worker, mode)))) {
      if (end.status === 'rejected') throw end.reason
      deliveries += end.value
    }
    return deliveries > 0 ? { deliveries } : undefined
  },
}
