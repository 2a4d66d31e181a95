// A read checks the input, then runs one statement that selects the rows and inserts the audit row.
// Decided in docs/decisions/0052-answer-reads-when-the-disk-is-full.md.

import { limits } from '#contract/limits.ts'
import type { AnyOperation } from '#contract/operation.ts'
import { invalid, Problem } from '#contract/problems.ts'
import type { GuardedConnection } from '#auth/guard.ts'
import { isFull } from '#database/failures.ts'
import type { Connection } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import type { BackgroundAuditWriter } from '../audit/background-writer.ts'
import { type AuditedCall, callerOf } from '#auth/audit.ts'
import { Reader } from './validate.ts'
import type { AnyCall, AnyRead, AnyWrite, ReadSource, PublishedItem } from './handler.ts'
import type { RecentKeys } from './idempotency.ts'
import { checkVersion, couldExist } from './places.ts'
import { pageAnswer, pageOf } from './pages.ts'
import type { Answer, RequestedCall } from './requested-call.ts'
import { readQuery } from './query.ts'
import {
  auditStatement,
  type OneRow,
  type PageRow,
  type ReadStatement,
  readOneStatement,
  readPageStatement,
} from './statements.ts'
import type { CallServices } from '../services.ts'

export type Execution<Handler extends AnyRead | AnyWrite> = {
  connection: Connection
  guarded: GuardedConnection
  operation: AnyOperation
  handler: Handler
  place: string | null
  requested: RequestedCall<string>
  audited: AuditedCall
  call: AnyCall
  context: CallServices
  recent: RecentKeys
}

type ReadExecution = Execution<AnyRead>

const isList = (operation: AnyOperation) => Object.hasOwn(operation.returns, 'x-list')

/** Reads work even while the database's disk is full: the audit row is then buffered, and written
 *  as soon as the database accepts writes again. */
export async function performRead(
  parts: ReadExecution,
  auditWriter: Pick<BackgroundAuditWriter, 'recordRead'>,
): Promise<Answer> {
  try {
    return await readOnce(parts, true)
  } catch (failure) {
    if (!isFull(failure)) throw failure
    const answer = await readOnce(parts, false)
    const { audited, call } = parts
    const shown = audited.target === null ? answer.body : ''
    if (!auditWriter.recordRead(audited, callerOf(call.principal), shown)) throw failure
    return answer
  }
}

async function readOnce(parts: ReadExecution, isAudited: boolean): Promise<Answer> {
  const { operation, handler, requested, call, context } = parts
  const reader = new Reader(call.now)
  checkVersion(reader, requested.version)
  reader.faults.push(...(requested.faults ?? []))
  const query = readQuery(reader, operation.query, requested.query)
  if (reader.faults.length > 0) throw invalid(reader.faults)
  if (!couldExist(requested.names)) throw new Problem('not_found')
  const source = handler.find(call, { ...requested.names, ...query }, context)
  if (isList(operation)) {
    // FHIR uses its own parameter name.
    const asked = query['limit'] ?? query['_count']
    const limit = typeof asked === 'number' ? asked : limits.pageDefault
    return 'items' in source
      ? pageOf(await auditFixed(parts, source.items, isAudited), limit)
      : selectPage(parts, source, limit, isAudited)
  }
  const only =
    'items' in source
      ? (await auditFixed(parts, source.items, isAudited))[0]
      : await selectOne(parts, source, isAudited)
  if (!only) throw notFound(isAudited)
  if ('attachment' in source) {
    const { attachment } = source
    return { status: 200, body: '', headers: {}, attachment: () => attachment(only.item) }
  }
  return { status: 200, body: only.item, headers: {} }
}

type RowSource = Extract<ReadSource, { rows: unknown }>

/** `isAudited` means the read's own statement already wrote this 404's audit row. */
const notFound = (isAudited: boolean) => Object.assign(new Problem('not_found'), { isAudited })

const readingOf = (
  { audited, call }: ReadExecution,
  { rows }: RowSource,
  isAudited: boolean,
): ReadStatement => ({ call, audited: isAudited ? audited : null, rows })

async function selectPage(
  parts: ReadExecution,
  source: RowSource,
  limit: number,
  isAudited: boolean,
): Promise<Answer> {
  const reading = readingOf(parts, source, isAudited)
  const { guarded } = parts
  const [{ known, page, last }] = await guarded.query<PageRow>(
    readPageStatement(guarded.guard, reading, limit, source.parent),
  )
  if (!known) throw notFound(isAudited)
  return pageAnswer(page, last)
}

async function selectOne(
  parts: ReadExecution,
  source: RowSource,
  isAudited: boolean,
): Promise<PublishedItem> {
  const { guarded, operation } = parts
  const { refusable, answer = item => item } = source
  const reading = readingOf(parts, source, isAudited)
  const codes = refusable ? (operation.refuses ?? []) : []
  const [only] = await guarded.query<OneRow>(readOneStatement(guarded.guard, reading, codes))
  const { id, item, refused = null } = only
  if (id === null) throw notFound(isAudited)
  if (!refusable) return { id, item: answer(item) }
  if (refused !== null) throw Object.assign(refusable.refusal(refused, item), { isAudited })
  return { id, item: refusable.answer(item) }
}

/** Constants need no select, but this verifies the credential and inserts the audit row. */
async function auditFixed(
  { guarded, operation, audited, call }: ReadExecution,
  items: readonly PublishedItem[],
  isAudited: boolean,
) {
  const isFound = isList(operation) || items.length > 0
  const outcome = isFound
    ? sql`select null::text, 'ok', 200::int2, null::text`
    : sql`select null::text, 'refused', 404::int2, 'not_found'`
  const caller = callerOf(call.principal)
  const { guard } = guarded
  await guarded.query(isAudited ? auditStatement(guard, caller, audited, outcome) : guard)
  return items
}
