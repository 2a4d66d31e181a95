// The autopilot. Every minute, it approves, ships and delivers due rows, each with the sandbox
// control's handler in its own statement. It skips rows that another call changed in the meantime.

import type { Input, OperationId } from '#contract/api.ts'
import { Problem } from '#contract/problems.ts'
import type { Connection, Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { newRequestId } from '#http/http-request.ts'
import { type GrantedOrganization, noToken, type Principal } from '#auth/principal.ts'
import { type AuditedCall, insertAuditRows, callerOf } from '#auth/audit.ts'
import { callOf, type Write } from '../pipeline/handler.ts'
import type { Worker } from '../jobs/job.ts'
import { decideCase } from './decide.ts'
import { deliverCase, shipCase } from './pharmacy.ts'

type Step = 'approve' | 'ship' | 'deliver'

type Due = Row & {
  due: string
  tenant: string
  case: string
  step: Step
  orders: string[]
  integration: string
  organization: GrantedOrganization
}

type MoveCounts = Record<Step, number>
type Clock = Pick<Worker, 'now' | 'fresh'>
type WorkerContext = Pick<Worker, 'pools' | 'now' | 'fresh' | 'stopping'>

const batch = 500
const job = 'autopilot'

/** Applies the due steps; returns null if another worker has already done so in this minute. */
export async function runAutopilot(worker: WorkerContext): Promise<MoveCounts | null> {
  return worker.pools.test.use(async connection => {
    const [mine] = await connection.run<Row & { moment: string }>(sql`
      insert into public.job_runs as t (job, minute) values (${job}, date_trunc('minute', now()))
      on conflict (job) do update set minute = excluded.minute where t.minute < excluded.minute
      returning now()::text as moment`)
    return mine ? applyDue(worker, connection, mine.moment) : null
  })
}

/** Applies the steps due at `moment` (real time) by each sandbox's clock. With `integration`,
 *  applies only the steps in that integration's sandbox. */
export async function applyDue(
  worker: WorkerContext,
  connection: Connection,
  moment: string,
  integration: string | null = null,
): Promise<MoveCounts> {
  const moved: MoveCounts = { approve: 0, ship: 0, deliver: 0 }
  let last: Due | undefined
  for (;;) {
    const page: Due[] = await connection.run<Due>(sql`
      select due::text, tenant::text, "case", step, orders, integration, organization
        from autopilot_due(${moment}::timestamptz, ${integration},
                           ${last?.due ?? '-infinity'}::timestamptz,
                           ${last?.tenant ?? '0'}::bigint, ${last?.case ?? ''}, ${last?.step ?? ''},
                           ${batch}::int)`)
    for (const due of page) {
      if (worker.stopping.aborted) return moved
      if (await move(worker, connection, due)) moved[due.step]++
    }
    last = page.at(-1)
    if (page.length < batch) return moved
  }
}

/** Each step's handler; `inputOf` builds its input. */
const controls = {
  approve: decideCase as unknown as Write<OperationId>,
  ship: shipCase as unknown as Write<OperationId>,
  deliver: deliverCase as unknown as Write<OperationId>,
} satisfies Record<Step, Write<OperationId>>

const inputOf = (due: Due): Input<'decideCase'> | Input<'shipCase'> =>
  due.step === 'approve' ? { id: due.case, decision: 'approve' } : { id: due.case }

/** Returns the facts without orders that aren't due, such as blocked orders. */
function onlyDueOrders(due: Due, facts: unknown): unknown {
  if (due.step === 'approve' || facts === null) return facts
  const found = facts as { orders: { id: string }[] }
  return { ...found, orders: found.orders.filter(({ id }) => due.orders.includes(id)) }
}

/** Applies one step; returns false if the control refuses it because it's no longer due. */
async function move(clockwork: Clock, connection: Connection, due: Due): Promise<boolean> {
  const principal = {
    ...noToken,
    credential: job,
    integration: due.integration,
    mode: 'test' as const,
    tenant: due.tenant,
    organization: due.organization,
    scopes: [],
  }
  const call = callOf<OperationId>(principal, { realNow: clockwork.now() }, clockwork.fresh)
  const [control, input] = [controls[due.step], inputOf(due) as Input<OperationId>]
  await connection.run(sql`select set_config('app.tenant', ${due.tenant}, false)`)
  const factsQuery = control.facts?.(call, input) ?? sql`select null where false`
  const [row] = await connection.run<Row & { facts: unknown }>(
    sql`select row_to_json(one) as facts from (${factsQuery}) one`,
  )
  try {
    const decision = control.decide(call, input, onlyDueOrders(due, row?.facts ?? null), undefined)
    const rows = await connection.run(
      audited(clockwork, principal, due, control.write(call, decision)),
    )
    return rows.length > 0
  } catch (failure) {
    if (failure instanceof Problem) return false
    throw failure
  }
}

/** One step's changes with its audit row, in one statement. */
function audited(clockwork: Clock, principal: Principal, due: Due, changes: Statement): Statement {
  const audited: AuditedCall = {
    surface: 'worker',
    action: `autopilot.${due.step}`,
    target: due.case,
    request: newRequestId(),
    address: null,
    agent: null,
  }
  const done = sql`select id, 'ok', 200::int2, null::text from changed`
  return sql`
    with go as materialized (select 1 as yes), ${changes},
    audited as (${insertAuditRows(callerOf(principal), audited, done)})
    select id from changed`
}
