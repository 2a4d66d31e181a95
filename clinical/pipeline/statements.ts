// The statements of the pipeline around what a handler says: a read and its audit row in one, a
// write and everything that commits with it in one.

import { limits } from '#contract/limits.ts'
import { type ProblemCode, problems } from '#contract/problems.ts'
import { nothing, sql, type Statement } from '#database/sql.ts'
import type { Row } from '#database/pool.ts'
import { type AuditContext, insertAuditRows, type Caller, callerOf } from '../audit/audit.ts'
import type { Call } from './handler.ts'
import { tenantOf } from './handler.ts'
import type { OperationId } from '#contract/api.ts'

/** A finished write under the same key, if there is one. */
export type StoredAnswer = {
  same: boolean | null
  prior_status: number | null
  prior_answer: string | null
  prior_location: string | null
  prior_request: string | null
}

type AnyCall = Call<OperationId>
export type IdempotencyKey = { key: string; fingerprint: Uint8Array }

/** Whether a reset put another tenant in the place of the caller's. */
const retiredOf = (call: AnyCall) => sql`exists (
    select from tenants s where s.id = ${tenantOf(call)} and s.retired_at is not null)`

const recordOf = (call: AnyCall, idempotencyKey: IdempotencyKey) => sql`
  select r.fingerprint = ${idempotencyKey.fingerprint} as same, r.status as prior_status,
         r.answer as prior_answer, r.location as prior_location, r.request as prior_request
    from idempotency_keys r
   where r.tenant = ${tenantOf(call)} and r.key = ${idempotencyKey.key} and r.expires_at > now()`

const priorColumns = sql`same, prior_status, prior_answer, prior_location, prior_request`

/** Whether a twin is in flight, told by its lock without waiting for it, and the key's record. It
 *  is empty where the guard is shut. */
const entryOf = (call: AnyCall, idempotencyKey: IdempotencyKey) => sql`
  entry as materialized (
    select stale, held, ${priorColumns} from (
      select stale, pg_try_advisory_xact_lock(hashtextextended(${idempotencyKey.key}, ${tenantOf(call)})) as held
        from guard
    ) l left join (${recordOf(call, idempotencyKey)}) p on true
  )`

/** The audit outcome of a replay, where the record was found and is of the same request. */
const replayIn = (found: Statement) =>
  sql`select null::text, 'replayed', prior_status, null::text from ${found} where same`

export type OneRow = Row & {
  id: string | null
  item: string
  /** The code that the row is refused with, of a read that may refuse it. */
  refused?: string | null
}

export type ManyRow = Row & { known: boolean; id: string | null; item: string }

export type ReadStatement = {
  call: AnyCall
  /** Without it no audit row is written, and nothing else. */
  auditContext: AuditContext | null
  /** Columns `id` and `item`. */
  rows: Statement
}

const audited = ({ call, auditContext }: ReadStatement, outcome: Statement): Statement =>
  auditContext
    ? sql`, audited as (${insertAuditRows(callerOf(call.principal), auditContext, outcome)})`
    : nothing

/**
 * A read of at most one row with its audit row, behind the caller's guard: no rows where it is shut.
 * `codes` are those that the row may be refused with, of a read that judges what it finds: it then
 * has a column `refused` as well. What is found is looked at once, because to look again costs as
 * much as an index.
 */
export function readOneStatement(
  guard: Statement,
  reading: ReadStatement,
  codes: readonly ProblemCode[],
): Statement {
  const isJudged = codes.length > 0
  const refused = isJudged ? sql`, refused` : nothing
  const statuses = codes.reduce(
    (all, code) => sql`${all} when refused = ${code} then ${problems[code].status}::int2`,
    nothing,
  )
  const code = isJudged ? sql`else refused` : nothing
  const outcome = sql`
    select null::text, case when id is null ${isJudged ? sql`or refused is not null` : nothing}
                            then 'refused' else 'ok' end,
           case when id is null then 404::int2 ${statuses} else 200::int2 end,
           case when id is null then 'not_found' ${code} end
      from looked`
  return sql`
  with looked as materialized (
    select stale, id, item ${refused} from (${guard}) d left join (${reading.rows}) f on true
  )${audited(reading, outcome)}
  select stale, id, item ${refused} from looked`
}

/** The same of a list, whose `parent` has to be there where it has one. */
export function readManyStatement(
  guard: Statement,
  reading: ReadStatement,
  parent: Statement | undefined,
): Statement {
  const outcome = parent
    ? sql`
    select null::text, case when known then 'ok' else 'refused' end,
           case when known then 200::int2 else 404::int2 end,
           case when not known then 'not_found' end
      from guard`
    : sql`select null::text, 'ok', 200::int2, null::text from guard`
  return sql`
  with guard as materialized (
    select stale, ${parent ? sql`exists (${parent})` : sql`true`} as known from (${guard}) d
  ), found as materialized (${reading.rows})${audited(reading, outcome)}
  select stale, known, id, item from guard left join found on true order by id`
}

export type FactsRow = Row & StoredAnswer & { facts: unknown }

/** The facts of a write beside the record of its key; a replay leaves its audit row here. */
export const factsStatement = (
  guard: Statement,
  call: AnyCall,
  auditContext: AuditContext,
  idempotencyKey: IdempotencyKey,
  facts: Statement,
): Statement => sql`
  with guard as materialized (${guard}), prior as materialized (${recordOf(call, idempotencyKey)}),
  audited as (${insertAuditRows(callerOf(call.principal), auditContext, replayIn(sql`guard cross join prior`))})
  select stale, ${priorColumns}, facts
    from guard
    left join prior p on true
    left join lateral (select row_to_json(one) as facts from (${facts}) one) f on true`

export type WroteRow = Row &
  StoredAnswer & {
    held: boolean
    id: string | null
    answer: string | null
    retired: boolean
  }

/** What the record keeps of an operation's answer. */
export type AnswerRecord = {
  status: number
  /** The path before the id of what was made, or null when it has none of its own. */
  place: string | null
  /** The patient whose details the answer holds, and with whom it is erased. */
  patient: Statement
  /** The tenant that keeps the record, where it is not the caller's. */
  home?: Statement | undefined
}

/**
 * A write, whole: the advisory lock that tells a twin in flight, the record of the key, the
 * handler's changes with their clock, events and outbox rows, the new record and the audit row.
 * A twin that committed after this statement's snapshot makes the record a duplicate, which undoes
 * all of it; the pipeline then finds that record and replays it.
 */
export function writeStatement(
  guard: Statement,
  call: AnyCall,
  auditContext: AuditContext,
  idempotencyKey: IdempotencyKey,
  { status, place, patient, home = tenantOf(call) }: AnswerRecord,
  changes: Statement,
): Statement {
  const location = place === null ? sql`null` : sql`${place}::text || '/' || id`
  const outcome = sql`
    select nullif(id, ''), 'ok', ${status}::int2, null::text from changed
    union all ${replayIn(sql`entry`)}`
  return sql`
  with guard as materialized (${guard}), ${entryOf(call, idempotencyKey)},
  go as materialized (select 1 as yes from entry where held and same is null),
  ${changes},
  recorded as (
    insert into idempotency_keys (tenant, key, fingerprint, operation, credential, request, status,
                                  answer, location, patient, expires_at)
    select ${home}, ${idempotencyKey.key}, ${idempotencyKey.fingerprint}, ${auditContext.action},
           ${call.principal.credential}, ${auditContext.request}, ${status}::int2, answer, ${location},
           ${patient}, now() + ${limits.idempotencyDaysKept}::int * interval '1 day'
      from changed
  ), audited as (${insertAuditRows(callerOf(call.principal), auditContext, outcome)})
  select stale, held, ${priorColumns}, id, answer,
         id is null and same is null and ${retiredOf(call)} as retired
    from entry left join changed on true`
}

/** What is known of a key when nothing else is to be done: a request that could not be read. */
export const replayStatement = (
  guard: Statement,
  call: AnyCall,
  auditContext: AuditContext,
  idempotencyKey: IdempotencyKey,
): Statement => sql`
  with guard as materialized (${guard}), ${entryOf(call, idempotencyKey)},
  audited as (${insertAuditRows(callerOf(call.principal), auditContext, replayIn(sql`entry`))})
  select stale, held, ${priorColumns}, null as id, null as answer, false as retired from entry`

/** An audit row and nothing else, where the guard is open. */
export const auditStatement = (
  guard: Statement,
  caller: Caller,
  auditContext: AuditContext,
  outcome: Statement,
): Statement => sql`
  with guard as materialized (${guard}),
  audited as (${insertAuditRows(caller, auditContext, sql`${outcome} from guard`)})
  select stale from guard`

/** Drops a record whose life is over, so that its key may be used as new. */
export const deleteExpiredKey = (call: AnyCall, idempotencyKey: IdempotencyKey): Statement => sql`
  delete from idempotency_keys
   where tenant = ${tenantOf(call)} and key = ${idempotencyKey.key} and expires_at <= now()`
