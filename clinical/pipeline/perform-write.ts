// A write checks the input, then runs facts → decide → write. An idempotency record commits with
// it, so a repeated request replays the first response. Decided in
// docs/decisions/0001-write-in-one-statement.md.

import { patientField } from '#contract/derive/patient-data.ts'
import type { AnyOperation } from '#contract/operation.ts'
import { invalid, Problem } from '#contract/problems.ts'
import { StaleCredential } from '#auth/guard.ts'
import type { WakeUp } from '../jobs/wake-up.ts'
import { constraintOf, isDuplicate, isExcluded } from '#database/failures.ts'
import { sql, type Statement } from '#database/sql.ts'
import { Reader, shapeOf } from './validate.ts'
import type { AnyWrite } from './handler.ts'
import { fingerprintOf, keyOf } from './idempotency.ts'
import { checkVersion, couldExist } from './places.ts'
import type { Answer, RequestedCall } from './requested-call.ts'
import type { Execution } from './perform-read.ts'
import { readQuery } from './query.ts'
import {
  type FactsRow,
  deleteExpiredKey,
  factsStatement,
  type IdempotencyKey,
  type StoredAnswer,
  type ReplayRow,
  replayStatement,
  retiredStatement,
  writeStatement,
  type WroteRow,
} from './statements.ts'

type Writing = Execution<AnyWrite> & {
  /** Notified after a write commits, if an endpoint or a realtime client may get its events. */
  wakeUp: Pick<WakeUp, 'notify'>
}

/** The facts changed between select and write in every attempt. */
const tooContended = () =>
  new Problem('service_unavailable', {
    detail: 'The resource kept changing while this request was processed.',
    headers: { 'retry-after': '1' },
  })

const attemptsMax = 12

/** Checks the input, then runs facts → decide → write until the facts stay the same. */
export async function performWrite(parts: Writing): Promise<Answer> {
  const { guarded, handler, requested, audited, call } = parts
  const idempotencyKey = readKey(parts)
  const reader = new Reader(call.now)
  checkVersion(reader, requested.version)
  reader.faults.push(...(requested.faults ?? []))
  const input = readInput(parts, reader)
  const refused = refusalOf(reader, requested)
  const { tenant } = call.principal
  // A used key takes precedence over invalid input. A recent key most likely means a repeated call.
  if (refused || parts.recent.has(tenant, idempotencyKey.key)) {
    const answer = await recall(parts, idempotencyKey)
    if (answer) return answer
    if (refused) throw refused
  }
  for (let attempts = 0; attempts < attemptsMax; attempts++) {
    let facts: unknown = null
    if (handler.facts) {
      const wanted = handler.facts(call, input)
      const [row] = await guarded.query<FactsRow>(
        factsStatement(guarded.guard, call, audited, idempotencyKey, wanted),
      )
      const replay = replayed(row, requested.request)
      if (replay) return remember(parts, idempotencyKey, replay)
      facts = row.facts
    }
    const answer = await decideAndWrite(parts, idempotencyKey, input, facts)
    if (answer) return remember(parts, idempotencyKey, answer)
  }
  throw tooContended()
}

function remember({ recent, call }: Writing, { key }: IdempotencyKey, answer: Answer): Answer {
  recent.add(call.principal.tenant, key)
  return answer
}

/** Reads a write's key and fingerprint. An oversized body is refused before the key is checked, and
 *  every other fault in the body after it. */
function readKey({ operation, handler, requested }: Writing): IdempotencyKey {
  const { refusedBody, path, query, body } = requested
  if (refusedBody?.code === 'payload_too_large') throw refusedBody
  const key = keyOf(requested.idempotencyKey)
  if (refusedBody) throw refusedBody
  const fingerprint = fingerprintOf(operation.method, path, query, body)
  return { key, fingerprint, holdsSecret: handler.encrypted !== undefined }
}

/** Returns the refusal that follows from the request alone, without a query. */
function refusalOf(reader: Reader, requested: RequestedCall<string>): Problem | null {
  if (reader.faults.length > 0) return invalid(reader.faults)
  return couldExist(requested.names) ? null : new Problem('not_found')
}

function readInput({ operation, requested }: Writing, reader: Reader): object {
  const query = readQuery(reader, operation.query, requested.query)
  const schema = operation.body === 'none' || !operation.body ? undefined : operation.body
  const shape = schema ? shapeOf(schema) : { type: 'object', properties: {} }
  const body = reader.read(shape, requested.body ?? {}, '#', 'The body')
  return reader.faults.length > 0 ? {} : { ...query, ...(body as object), ...requested.names }
}

/** Decides on the facts and writes; returns null if they have changed and `decide` must run again.
 */
async function decideAndWrite(
  parts: Writing,
  idempotencyKey: IdempotencyKey,
  input: object,
  facts: unknown,
): Promise<Answer | null> {
  const { connection, guarded, handler, operation, place, audited, call, context } = parts
  const { tenant } = call.principal
  const seen = await handler.inspect?.(call, input, facts, { ...context, connection })
  const decision = handler.decide(call, input, facts, seen)
  const changes = handler.write(call, decision)
  const recorded = {
    status: operation.status,
    place,
    patient: patientIn(operation),
    home: handler.recordsIn,
  }
  try {
    const [row] = await guarded.query<WroteRow>(
      writeStatement(guarded.guard, call, audited, idempotencyKey, recorded, changes),
    )
    if (row.id === null) return await unwritten(parts, idempotencyKey)
    if (row.followed || handler.wakesWorkers) parts.wakeUp.notify(tenant)
    return answerOf(parts, row.id, row.answer ?? '')
  } catch (failure) {
    if (handler.excluded && isExcluded(failure)) {
      // If a duplicate of this request has the slot, its record is the response.
      const earlier = await recall(parts, idempotencyKey)
      if (earlier) return earlier
      const refused = handler.excluded(call, decision, constraintOf(failure))
      if (refused) throw refused
      return null
    }
    if (!isDuplicate(failure)) throw failure
    // A duplicate committed first, or an expired record has the same key. Replays the duplicate's
    // response, or tries again.
    await connection.run(deleteExpiredKey(call, idempotencyKey))
    return recall(parts, idempotencyKey)
  }
}

/** Returns the response to a write that changed nothing: the recorded response, or null to decide
 *  again. */
async function unwritten(parts: Writing, idempotencyKey: IdempotencyKey): Promise<Answer | null> {
  const answer = await recall(parts, idempotencyKey)
  if (answer) return answer
  const [tenant] = await parts.connection.run<{ retired: boolean }>(retiredStatement(parts.call))
  if (!tenant?.retired) return null
  throw new StaleCredential('the sandbox was reset during this write')
}

/** Selects from `changed` the patient whose data the response contains, because erasing the patient
 *  erases the response. */
function patientIn(operation: AnyOperation): Statement {
  const field = patientField(operation)
  if (field === null) return sql`null`
  return field === 'id' ? sql`id` : sql`answer::json->>${field}::text`
}

/** Returns the idempotency record's response, without running the write. */
async function recall(
  { guarded, audited, call }: Writing,
  idempotencyKey: IdempotencyKey,
): Promise<Answer | null> {
  const [row] = await guarded.query<ReplayRow>(
    replayStatement(guarded.guard, call, audited, idempotencyKey),
  )
  return recordedAnswer(row, audited.request)
}

/** Returns the recorded response, or null without a record; throws for a key that's in progress or
 *  reused. */
function recordedAnswer(row: ReplayRow, request: string): Answer | null {
  const replay = replayed(row, request)
  if (replay || row.held) return replay
  throw new Problem('idempotency_in_progress', {
    detail: 'A request with this Idempotency-Key is still running.',
    headers: { 'retry-after': '1' },
  })
}

/** The first response, unchanged. A call that lost its connection after the commit finds its own
 *  record when retried, and isn't marked as a replay. */
function replayed(row: StoredAnswer, request: string): Answer | null {
  if (row.same === null) return null
  if (!row.same) throw new Problem('idempotency_key_reused')
  const headers: Record<string, string> = {}
  if (row.prior_request !== request) {
    headers['idempotent-replayed'] = 'true'
    headers['original-request-id'] = row.prior_request ?? ''
  }
  if (row.prior_location) headers['location'] = row.prior_location
  return { status: row.prior_status ?? 200, body: row.prior_answer ?? '', headers }
}

function answerOf({ operation, place }: Writing, id: string, body: string): Answer {
  const headers: Record<string, string> = {}
  if (place) headers['location'] = `${place}/${id}`
  return { status: operation.status, body, headers }
}
