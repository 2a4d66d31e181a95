// Advances sandbox clocks. A clock moves from one due item to the next (an autopilot decision or a
// webhook delivery attempt), and waits until the item and its effects are done. Everything
// therefore happens in order and on time, as if that time had really passed. The database decides
// each step (advance_sandbox). If a worker dies, the clock stays where it is, and the next worker
// continues.

import type { Connection, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import type { Job, Worker } from '../jobs/job.ts'
import { leaseSeconds } from '../deliveries/engine/claim.ts'
import { deliverJob } from '../deliveries/engine/deliver.ts'
import { exportsJobName } from '../exports/complete.ts'
import { dispatchJobName } from '../deliveries/engine/jobs.ts'
import { applyDue } from './run-autopilot.ts'

type WorkerContext = Pick<Worker, 'pools' | 'now' | 'fresh' | 'stopping' | 'wake'>
type Outcome = 'moved' | 'due' | 'waits' | 'arrived' | 'ended'

/** After this many steps in one sandbox, other sandboxes get their turn. */
const stepsMax = 100
/** How soon to check again for work an advance is waiting for. */
const waitMilliseconds = 25

type Advanced = { steps: number; arrived: number; waiting: number }

/** Advances every sandbox as far as it can without waiting. */
export const advanceSandboxes = (worker: WorkerContext): Promise<Advanced> =>
  worker.pools.test.use(async connection => {
    const advanced = { steps: 0, arrived: 0, waiting: 0 }
    const rows = await connection.run<Row & { integration: string }>(
      sql`select integration from sandbox_advances where ${true} order by integration`,
    )
    for (const { integration } of rows) {
      if (worker.stopping.aborted) break
      const { steps, outcome } = await advanceAlone(worker, connection, integration)
      advanced.steps += steps
      if (outcome === 'arrived') advanced.arrived++
      else if (outcome !== 'ended') advanced.waiting++
    }
    return advanced
  })

type Run = { steps: number; outcome: Outcome }

/** One worker advances a sandbox at a time: the autopilot and the clock take turns. */
async function advanceAlone(
  worker: WorkerContext,
  connection: Connection,
  integration: string,
): Promise<Run> {
  const key = sql`hashtextextended('sandbox clock ' || ${integration}, 0)`
  const [mine] = await connection.run<{ held: boolean }>(
    sql`select pg_try_advisory_lock(${key}) as held`,
  )
  if (mine?.held !== true) return { steps: 0, outcome: 'waits' }
  try {
    return await advance(worker, connection, integration)
  } finally {
    // A lost connection has released the lock.
    await connection.run(sql`select pg_advisory_unlock(${key})`).catch(() => undefined)
  }
}

async function advance(
  worker: WorkerContext,
  connection: Connection,
  integration: string,
): Promise<Run> {
  for (let steps = 0; ; steps++) {
    const played = await playAutopilot(worker, connection, integration)
    // If this worker stops early, the next one runs the remaining steps before the clock moves.
    if (worker.stopping.aborted) return { steps, outcome: 'due' }
    const [step] = await connection.run<{ outcome: Outcome }>(
      sql`select advance_sandbox(${integration}, ${played}::timestamptz,
                                 ${leaseSeconds}::int * interval '1 second') as outcome`,
    )
    const outcome = step?.outcome ?? 'ended'
    if (outcome === 'moved')
      for (const job of [deliverJob, exportsJobName]) worker.wake(job, 'test')
    const goesOn = outcome === 'moved' || outcome === 'due'
    if (!goesOn || steps === stepsMax) return { steps, outcome }
  }
}

/** Runs the autopilot's due steps, and returns the sandbox time that they cover. The locks wait for
 *  uncommitted writes with an earlier time, so those writes are covered too. */
async function playAutopilot(
  worker: WorkerContext,
  connection: Connection,
  integration: string,
): Promise<string | null> {
  const [now] = await connection.run<{ moment: string; played: string }>(sql`
    with opened as materialized (
      select id from tenants
       where integration = ${integration} and organization is not null and retired_at is null
       order by id for share
    )
    select now()::text as moment,
           date_trunc('milliseconds', now() + ahead_ms * interval '1 ms')::text as played
      from tenants
     where integration = ${integration} and organization is null and retired_at is null
       and (select count(*) from opened) >= 0`)
  if (!now) return null
  const moved = await applyDue(worker, connection, now.moment, integration)
  if (Object.values(moved).some(count => count > 0)) worker.wake(dispatchJobName, 'test')
  return now.played
}

/** Runs often, so an advance starts promptly. That's cheap, because the table it reads is usually
 *  empty. */
export function openAdvanceJob(): Job {
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    name: 'sandbox.clock',
    everySeconds: 0.25,
    async run(worker) {
      const { waiting, ...done } = await advanceSandboxes(worker)
      if (waiting > 0) {
        clearTimeout(timer)
        timer = setTimeout(() => worker.wake('sandbox.clock', 'test'), waitMilliseconds)
      }
      return done.steps > 0 || done.arrived > 0 ? done : undefined
    },
    stop: async () => clearTimeout(timer),
  }
}
