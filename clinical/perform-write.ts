// A write: check, facts → decide → write, and the record that lets it be sent again.

import type { Input, OperationId } from '#contract/clinical.ts'
import { File, FileUpload } from '#contract/clinical/files.ts'
import { Patient } from '#contract/clinical/patients.ts'
import type { Operation } from '#contract/operation.ts'
import { invalid, Problem } from '#contract/problems.ts'
import { Adrift } from '#auth/door.ts'
import { constraintOf, isDuplicate, isExcluded } from '#database/failures.ts'
import { sql, type Statement } from '#database/sql.ts'
import { Reader, shapeOf } from './check.ts'
import type { Write } from './handler.ts'
import { handlers } from './handlers.ts'
import { fingerprintOf, keyOf } from './idempotency.ts'
import { checkVersion, couldExist, placeOf } from './places.ts'
import type { Answer, Asking } from './perform.ts'
import type { Parts } from './perform-read.ts'
import { readQuery } from './query.ts'
import {
  type FactsRow,
  forgetting,
  gathering,
  type Keyed,
  type Prior,
  recalling,
  writing,
  type WroteRow,
} from './statements.ts'

/** The facts of a write changed under every one of its attempts. */
const tooContended = () =>
  new Problem('service_unavailable', {
    detail: 'The resource kept changing while this request was processed.',
    headers: { 'retry-after': '1' },
  })

const attemptsMax = 12

export async function performWrite(parts: Parts): Promise<Answer> {
  const { operation, asking, call } = parts
  // Of what can be wrong with a body only its size is said before the key (contract/01, section 2).
  if (asking.refusedBody?.code === 'payload_too_large') throw asking.refusedBody
  const key = keyOf(asking.idempotencyKey)
  if (asking.refusedBody) throw asking.refusedBody
  const fingerprint = fingerprintOf(operation.method, asking.path, asking.query, asking.body)
  const keyed = { key, fingerprint }
  const reader = new Reader(call.now)
  checkVersion(reader, asking.version)
  const input = readInput(parts, reader)
  const refused = refusalOf(reader, asking)
  if (refused) {
    // A key that was used is said before a fault is (contract/01, section 2).
    const answer = await recall(parts, keyed)
    if (answer) return answer
    throw refused
  }
  const { stream } = call.principal
  if (parts.recent.has(stream, key)) {
    const answer = await recall(parts, keyed)
    if (answer) return answer
  }
  for (let attempts = 0; attempts < attemptsMax; attempts++) {
    const answer = await decideAndWrite(parts, keyed, input)
    if (!answer) continue
    parts.recent.add(stream, key)
    return answer
  }
  throw tooContended()
}

/** What is wrong with a request that nothing of the house need be asked for. */
function refusalOf(reader: Reader, asking: Asking): Problem | null {
  if (reader.faults.length > 0) return invalid(reader.faults)
  return couldExist(asking.names) ? null : new Problem('not_found')
}

function readInput({ operation, asking }: Parts, reader: Reader): Input<OperationId> {
  const query = readQuery(reader, operation.query, asking.query)
  const schema = operation.body === 'none' || !operation.body ? undefined : operation.body
  const shape = schema ? shapeOf(schema) : { type: 'object', properties: {} }
  const body = reader.read(shape, asking.body ?? {}, '#', 'The body')
  if (reader.faults.length > 0) return {} as Input<OperationId>
  // The reader guarantees that the value is of the row's schema.
  return { ...query, ...(body as object), ...asking.names } as Input<OperationId>
}

/** One pass of facts → decide → write; null when the world moved and it must be decided anew. */
async function decideAndWrite(
  parts: Parts,
  keyed: Keyed,
  input: Input<OperationId>,
): Promise<Answer | null> {
  const { lane, entrance, operation, asking, asked, call, house } = parts
  const handler = writeOf(asking.operation)
  let facts: unknown = null
  if (handler.facts) {
    const wanted = handler.facts(call, input)
    const [row] = await entrance.through<FactsRow>(door =>
      gathering(door, call, asked, keyed, wanted),
    )
    const replay = replayed(row, asking.request)
    if (replay) return replay
    facts = row.facts
  }
  const seen = await handler.look?.(call, input, facts, { ...house, lane })
  const decision = handler.decide(call, input, facts, seen)
  const changes = handler.write(call, decision)
  const recorded = {
    status: operation.status,
    place: placeOf(operation),
    patient: patientIn(operation),
    home: handler.recordsIn,
  }
  try {
    const [row] = await entrance.through<WroteRow>(door =>
      writing(door, call, asked, keyed, recorded, changes),
    )
    if (row.retired) throw new Adrift('the sandbox was emptied under this write')
    return settled(row, asking.request) ?? written(operation, row)
  } catch (failure) {
    if (handler.excluded && isExcluded(failure)) {
      // The place may be taken by this very request, sent twice: its record is then the answer.
      const answer = await recall(parts, keyed)
      if (answer) return answer
      throw handler.excluded(call, decision, constraintOf(failure))
    }
    if (!isDuplicate(failure)) throw failure
    // A twin committed first, or an old record is in the way; either is seen on the next pass.
    await lane.run(forgetting(call, keyed))
    return recall(parts, keyed)
  }
}

/** Whose details the answer holds, as an expression over `changed`: they are erased with them. */
function patientIn({ returns }: Operation): Statement {
  if (returns === Patient) return sql`id`
  return returns === File || returns === FileUpload ? sql`answer::json->>'patient'` : sql`null`
}

/** The handler of a write. Its input is of the same row as it, which the table guarantees. */
function writeOf(id: OperationId): Write<OperationId> {
  const handler = handlers[id]
  if (handler.kind !== 'write') throw new Error(`${id} is not a write`)
  return handler as unknown as Write<OperationId>
}

/** What the record of the key says by itself, when nothing else is to be done. */
async function recall({ entrance, asked, call }: Parts, keyed: Keyed): Promise<Answer | null> {
  const [row] = await entrance.through<WroteRow>(door => recalling(door, call, asked, keyed))
  return settled(row, asked.request)
}

/**
 * What the record of the key says, if it says anything: in progress, reused, or the first answer.
 */
function settled(row: WroteRow, request: string): Answer | null {
  const replay = replayed(row, request)
  if (replay || row.held) return replay
  throw new Problem('idempotency_in_progress', {
    detail: 'A request with this Idempotency-Key is still running.',
    headers: { 'retry-after': '1' },
  })
}

/** The first answer, as it was. A call that committed and lost its connection before it heard so
 *  finds its own record, and answers as what it is: the first. */
function replayed(row: Prior, request: string): Answer | null {
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

function written(operation: Operation, row: WroteRow): Answer | null {
  if (row.id === null || row.answer === null) return null
  const headers: Record<string, string> = {}
  const place = placeOf(operation)
  if (place) headers['location'] = `${place}/${row.id}`
  return { status: operation.status, body: row.answer, headers }
}
