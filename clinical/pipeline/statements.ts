// The statements the pipeline builds around a handler's: a read with its audit row, and a write
// with everything that commits with it.

import { type ProblemCode, problems } from '#contract/problems.ts'
import { nothing, sql, type Statement } from '#database/sql.ts'
import type { Row } from '#database/pool.ts'
import { type AuditedCall, insertAuditRows, type Caller, callerOf } from '#auth/audit.ts'
import { keyHoursKept } from '../modes.ts'
import { type AnyCall, tenantOf } from './handler.ts'
import { pageIn } from './pages.ts'

/** A finished write's record with the same key; its columns are null if there's none. */
export type StoredAnswer = {
  same: boolean | null
  prior_status: number | null
  prior_answer: string | null
  prior_location: string | null
  prior_request: string | null
}

export type IdempotencyKey = {
  key: string
  fingerprint: Uint8Array
  /** Whether the response contains a secret. Such a response is replayed only to the same
   *  credential, or to a credential with all of its permissions, such as its successor. */
  holdsSecret: boolean
}

/** Whether a sandbox reset replaced the caller's tenant. */
export const retiredStatement = (call: AnyCall): Statement => sql`
  select retired_at is not null as retired from tenants where id = ${tenantOf(call)}`

/** Whether the caller's integration has an enabled endpoint or a valid realtime token. */
const isFollowed = (call: AnyCall) => sql`(
    select f.has_enabled_endpoint or coalesce(f.realtime_until > now(), false) from tenants f
     where f.integration = ${call.principal.integration} and f.organization is null
       and f.retired_at is null)`

/** Expects the record as `r`. */
const mayHold = ({ principal: { credential } }: AnyCall) => sql`
         and (r.credential = ${credential} or exists (
           select from auth.credentials first, auth.credentials k
            where first.id = r.credential and k.id = ${credential} and first.scopes <@ k.scopes))`

const recordWith = (call: AnyCall, { key }: IdempotencyKey) => sql`
    from idempotency_keys r
   where r.tenant = ${tenantOf(call)} and r.key = ${key} and r.expires_at > now()`

const recordOf = (call: AnyCall, idempotencyKey: IdempotencyKey) => sql`
  select r.fingerprint = ${idempotencyKey.fingerprint}
         ${idempotencyKey.holdsSecret ? mayHold(call) : nothing} as same, r.status as prior_status,
         r.answer as prior_answer, r.location as prior_location, r.request as prior_request
    ${recordWith(call, idempotencyKey)}`

const priorColumns = sql`same, prior_status, prior_answer, prior_location, prior_request`

/** Tries to take the key's advisory lock, which a duplicate in progress would hold. */
const lockOf = (call: AnyCall, { key }: IdempotencyKey) =>
  sql`pg_try_advisory_xact_lock(hashtextextended(${key}, ${tenantOf(call)})) as held`

/** A replay's audit outcome, where the record exists and has the same fingerprint. */
const replayIn = (found: Statement) =>
  sql`select null::text, 'replayed', prior_status, null::text from ${found} where same`

export type OneRow = Row & {
  id: string | null
  item: string
  /** The refusal's code, selected only by refusable reads. */
  refused?: string | null
}

export type PageRow = Row & { known: boolean; page: string; last: string | null }

export type ReadStatement = {
  call: AnyCall
  /** Null if the statement writes no row, so it works while the disk is full. */
  audited: AuditedCall | null
  /** Columns `id` and `item`. */
  rows: Statement
}

/** `shown` selects the response's text. A target already identifies the patient a call shows. */
function audited(
  { call, audited }: ReadStatement,
  outcome: Statement,
  shown: Statement,
): Statement {
  if (!audited) return nothing
  const patients = audited.target === null ? sql`audit.patients_in((${shown}))` : undefined
  return sql`, audited as (
    ${insertAuditRows(callerOf(call.principal), audited, outcome, patients)})`
}

/** Selects at most one row and inserts the audit row; selects nothing if the guard refuses the
 *  credential. `codes` are a refusable read's refusals; its row then also has a column `refused`.
 *  The row is materialized, because evaluating it twice costs as much as an index scan. */
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
  )${audited(reading, outcome, sql`select item from looked`)}
  select stale, id, item ${refused} from looked`
}

/** Like `readOneStatement`, for a page of a list. If `parent` is given, the row it selects must
 *  exist. */
export function readPageStatement(
  guard: Statement,
  reading: ReadStatement,
  limit: number,
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
  ), found as materialized (${reading.rows}), paged as materialized (
    ${pageIn(sql`found`, limit)}
  )${audited(reading, outcome, sql`select page from paged`)}
  select stale, known, page, last from guard cross join paged`
}

export type FactsRow = Row & StoredAnswer & { facts: unknown }

/** Selects a write's facts and its idempotency record; inserts a replay's audit row. */
export const factsStatement = (
  guard: Statement,
  call: AnyCall,
  audited: AuditedCall,
  idempotencyKey: IdempotencyKey,
  facts: Statement,
): Statement => sql`
  with guard as materialized (${guard}), prior as materialized (${recordOf(call, idempotencyKey)}),
  audited as (${insertAuditRows(callerOf(call.principal), audited, replayIn(sql`guard cross join prior`))})
  select stale, ${priorColumns}, facts
    from guard
    left join prior p on true
    left join lateral (select row_to_json(one) as facts from (${facts}) one) f on true`

/** All columns but `held` are null without a record. */
export type ReplayRow = Row & StoredAnswer & { held: boolean }

export type WroteRow = Row & {
  held: boolean
  id: string | null
  answer: string | null
  /** Whether a receiver or a subscriber waits for this write's events. */
  followed: boolean | null
}

/** The part of a response that the idempotency record stores. */
type AnswerRecord = {
  status: number
  /** The path before the created resource's ID; null if the resource has no path of its own. */
  place: string | null
  /** The patient whose data the response contains: erasing the patient erases the response. */
  patient: Statement
  /** The tenant that stores the record, if it isn't the caller's. */
  home?: Statement | undefined
}

/** The whole write in one statement: the advisory lock that detects a duplicate in progress, the
 *  handler's changes with their clock and events, the idempotency record and the audit row. If the
 *  key already has a record, inserting another violates its constraint and rolls everything back;
 *  the pipeline then replays that record.
 *
 *  PostgreSQL sets up every node of a plan for every execution, which costs as much as the rows do.
 *  So anything only a few writes need has its own statement. */
export function writeStatement(
  guard: Statement,
  call: AnyCall,
  audited: AuditedCall,
  idempotencyKey: IdempotencyKey,
  { status, place, patient, home }: AnswerRecord,
  changes: Statement,
): Statement {
  // A record stored in another tenant can't violate this tenant's key.
  const unused = home ? sql`and not exists (select ${recordWith(call, idempotencyKey)})` : nothing
  const location = place === null ? sql`null` : sql`${place}::text || '/' || id`
  const outcome = sql`select nullif(id, ''), 'ok', ${status}::int2, null::text from changed`
  return sql`
  with entry as materialized (
    select stale, ${lockOf(call, idempotencyKey)} from (${guard}) g
  ), go as (select 1 as yes from entry where held ${unused}), ${changes},
  recorded as (
    insert into idempotency_keys (tenant, key, fingerprint, operation, credential, request, status,
                                  answer, location, patient, expires_at)
    select ${home ?? tenantOf(call)}, ${idempotencyKey.key}::text, ${idempotencyKey.fingerprint}::bytea, ${audited.action},
           ${call.principal.credential}, ${audited.request}, ${status}::int2, answer, ${location},
           ${patient}, now() + ${keyHoursKept(call.principal.mode)}::int * interval '1 hour'
      from changed
  ), audited as (${insertAuditRows(callerOf(call.principal), audited, outcome)})
  select stale, held, id, answer, case when id is not null then ${isFollowed(call)} end as followed
    from entry left join changed on true`
}

/** Selects only the idempotency record, for a request that isn't executed. */
export const replayStatement = (
  guard: Statement,
  call: AnyCall,
  audited: AuditedCall,
  idempotencyKey: IdempotencyKey,
): Statement => sql`
  with entry as materialized (
    select stale, held, ${priorColumns} from (
      select stale, ${lockOf(call, idempotencyKey)} from (${guard}) g
    ) l left join (${recordOf(call, idempotencyKey)}) p on true
  ), audited as (${insertAuditRows(callerOf(call.principal), audited, replayIn(sql`entry`))})
  select stale, held, ${priorColumns} from entry`

/** Inserts only an audit row, if the guard accepts the credential. */
export const auditStatement = (
  guard: Statement,
  caller: Caller,
  audited: AuditedCall,
  outcome: Statement,
): Statement => sql`
  with guard as materialized (${guard}),
  audited as (${insertAuditRows(caller, audited, sql`${outcome} from guard`)})
  select stale from guard`

/** Deletes an expired record, so its key can be used again. */
export const deleteExpiredKey = (call: AnyCall, idempotencyKey: IdempotencyKey): Statement => sql`
  delete from idempotency_keys
   where tenant = ${tenantOf(call)} and key = ${idempotencyKey.key} and expires_at <= now()`
