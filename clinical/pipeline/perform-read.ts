// A read: check, then one statement that answers and leaves its audit row.

import { limits } from '#contract/limits.ts'
import type { Input, OperationId } from '#contract/api.ts'
import type { Operation } from '#contract/operation.ts'
import { invalid, Problem, readHint } from '#contract/problems.ts'
import type { GuardedConnection } from '#auth/guard.ts'
import { isFull } from '#database/failures.ts'
import type { Connection } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import type { BackgroundAuditWriter } from '../audit/background-writer.ts'
import { type AuditContext, callerOf } from '../audit/audit.ts'
import { Reader } from './validate.ts'
import type { Call, Found, Held, Read, Standing } from './handler.ts'
import { handlers } from './handlers.ts'
import type { RecentKeys } from './idempotency.ts'
import { checkVersion, couldExist } from './places.ts'
import { pageOf } from './pages.ts'
import type { Answer, OperationRequest } from './operation-request.ts'
import { readQuery } from './query.ts'
import {
  type ManyRow,
  noting,
  type OneRow,
  type Reading,
  readingMany,
  readingOne,
} from './statements.ts'

export type Parts = {
  connection: Connection
  guarded: GuardedConnection
  operation: Operation
  operationRequest: OperationRequest
  asked: AuditContext
  call: Call<OperationId>
  context: Standing
  recent: RecentKeys
}

const isList = (operation: Operation) => Object.hasOwn(operation.returns, 'x-list')

/** A read is answered even while the database has no room to write: its audit row then waits, and
 *  is written as soon as there is room again. */
export async function performRead(
  parts: Parts,
  waiting: Pick<BackgroundAuditWriter, 'recordRead'>,
): Promise<Answer> {
  try {
    return await readOnce(parts, true)
  } catch (failure) {
    if (!isFull(failure)) throw failure
    const answer = await readOnce(parts, false)
    if (!waiting.recordRead(parts.asked, callerOf(parts.call.principal))) throw failure
    return answer
  }
}

async function readOnce(parts: Parts, audited: boolean): Promise<Answer> {
  const { operation, operationRequest, call } = parts
  const reader = new Reader(call.now)
  checkVersion(reader, operationRequest.version)
  const query = readQuery(reader, operation.query, operationRequest.query)
  if (reader.faults.length > 0) throw invalid(reader.faults, readHint)
  if (!couldExist(operationRequest.names)) throw new Problem('not_found')
  // The reader guarantees that the query is of the row's schema.
  const input = { ...operationRequest.names, ...query } as Input<OperationId>
  const found = findOf(parts, input)
  const held =
    'held' in found
      ? await noted(parts, found.held, audited)
      : await selected(parts, found, audited)
  if (isList(operation)) {
    const limit = typeof query['limit'] === 'number' ? query['limit'] : limits.pageDefault
    return { status: 200, body: pageOf(held, limit), headers: {} }
  }
  const [only] = held
  if (!only) throw notFound(audited)
  if ('attached' in found && found.attached) {
    return { status: 200, body: '', ...(await found.attached(only.item)) }
  }
  return { status: 200, body: only.item, headers: {} }
}

type Selecting = Extract<Found, { rows: unknown }>

/** A 404, and whether the read's own statement already wrote its audit row. */
const notFound = (noted: boolean) => Object.assign(new Problem('not_found'), { noted })

function findOf(parts: Parts, input: Input<OperationId>): Found {
  const handler = handlers[parts.operationRequest.operation]
  if (handler.kind !== 'read') throw new Error(`${parts.operationRequest.operation} is not a read`)
  // The table guarantees that the input is the one this handler's row describes.
  const find = handler.find as Read<OperationId>['find']
  return find(parts.call, input, parts.context)
}

async function selected(parts: Parts, found: Selecting, audited: boolean): Promise<Held[]> {
  const { guarded, operation, asked, call } = parts
  const reading = { call, asked: audited ? asked : null, rows: found.rows }
  if (!isList(operation)) return [await selectedOne(parts, found, reading)]
  const rows = await guarded.query<ManyRow>(guard => readingMany(guard, reading, found.parent))
  if (!rows[0].known) throw notFound(audited)
  return rows.flatMap(({ id, item }) => (id === null ? [] : [{ id, item }]))
}

async function selectedOne(
  { guarded, operation }: Parts,
  { judged }: Selecting,
  reading: Reading,
): Promise<Held> {
  const codes = judged ? (operation.refuses ?? []) : []
  const [only] = await guarded.query<OneRow>(guard => readingOne(guard, reading, codes))
  const { id, item, refused = null } = only
  const noted = reading.asked !== null
  if (id === null) throw notFound(noted)
  if (!judged) return { id, item }
  if (refused !== null) throw Object.assign(judged.refusal(refused, item), { noted })
  return { id, item: judged.answer(item) }
}

/** Rows of the program itself: only the door and the audit row are a statement. */
async function noted(
  { guarded, operation, asked, call }: Parts,
  held: readonly Held[],
  audited: boolean,
) {
  const known = isList(operation) || held.length > 0
  const outcome = known
    ? sql`select null::text, 'ok', 200::int2, null::text`
    : sql`select null::text, 'refused', 404::int2, 'not_found'`
  const caller = callerOf(call.principal)
  await guarded.query(guard => (audited ? noting(guard, caller, asked, outcome) : guard))
  return held
}
