// The one pipeline. HTTP is an adapter over it; tools and the portal will be others.
//
//                read  write   what it does                                          trips
//   authenticate   ×     ×     a stranger: credential, grants, tenant opened           0–1
//   authorize      ×     ×     mode, organization, agreement, scope                      0
//   check          ×     ×     the row's input: closed, every fault at once              0
//   facts                ×     one select, with the record of the key beside it        0–1
//   decide               ×     a pure function                                           0
//   write                ×     lock, clock, rows, events, outbox, record, audit          1
//   answer         ×     ×     the text that the database made, untouched                0
//
// Who came before is no stranger: the first statement asks about it itself (auth/guard.ts).

import { table } from '#contract/api.ts'
import { isId, prefixes } from '#contract/ids.ts'
import { isWrite, type Mode, type Operation } from '#contract/operation.ts'
import { Problem, problems } from '#contract/problems.ts'
import { StaleCredential, type GuardedConnection, guardConnection } from '#auth/guard.ts'
import {
  findCredential,
  presentedCredential,
  type CachedCredential,
  modeOf,
  type CredentialCache,
} from '#auth/principal.ts'
import { PoolTimeout, type Connection } from '#database/pool.ts'
import { isAway, isFull, isTransient } from '#database/failures.ts'
import { callerOf, insertAuditRows, refusedRow, unauthenticated } from '../audit/audit.ts'
import type { AuditContext, Caller } from '../audit/audit.ts'
import { authorize, challenge } from './authorize.ts'
import type { BackgroundAuditWriter } from '../audit/background-writer.ts'
import type { WakeUp } from '../events/wake-up.ts'
import { StorageUnavailable } from '../storage/storage.ts'
import { callOf, type Standing } from './handler.ts'
import type { RecentKeys } from './idempotency.ts'
import { type Allowance, Exhausted, type Limiter, rateHeaders } from '#http/rate-limiter.ts'
import { couldExist } from './places.ts'
import type { ModePools } from '../modes.ts'
import type { Answer, OperationRequest } from './operation-request.ts'
import { performRead } from './perform-read.ts'
import { performWrite } from './perform-write.ts'
import { noting } from './statements.ts'
import { decryptedAnswer } from './encrypted-members.ts'

export type Outcome = (Answer | { problem: Problem }) & {
  rate: Record<string, string>
  /** Who it was, for the log line. */
  caller: Caller
}

/** What the pipeline stands on. Time and chance are arguments, so that tests can hold them. */
export type AppContext = Standing & {
  pools: ModePools
  /** Rung when a write has committed. */
  wakeUps: Readonly<Record<Mode, WakeUp>>
  limiter: Limiter
  recent: RecentKeys
  /** Callers who came before. */
  credentialCache: CredentialCache
  auditWriter: BackgroundAuditWriter
  pepper: string
  now(): number
  fresh(): string
  pause(milliseconds: number): Promise<void>
  /** Told of every failure that is ours. */
  onError(failure: unknown, asked?: AuditContext): void
}

type Progress = { caller: Caller; allowance: Allowance | null; counted: boolean }

export async function perform(
  context: AppContext,
  operationRequest: OperationRequest,
): Promise<Outcome> {
  const asked: AuditContext = {
    surface: 'rest',
    action: operationRequest.operation,
    // A path may hold anything, a patient's name too; only what could be an id is kept.
    target: couldExist(operationRequest.names)
      ? (Object.values(operationRequest.names)[0] ?? null)
      : null,
    request: operationRequest.request,
    address: operationRequest.address,
    agent: operationRequest.agent,
  }
  const progress: Progress = { caller: unauthenticated, allowance: null, counted: false }
  const finish = (result: Answer | { problem: Problem }): Outcome => ({
    ...result,
    rate: progress.allowance ? rateHeaders(progress.allowance) : {},
    caller: progress.caller,
  })
  try {
    const mode = await identify(context, operationRequest)
    return finish(
      await patiently(context, () => attempt(context, operationRequest, asked, mode, progress)),
    )
  } catch (failure) {
    return finish({ problem: await refusalOf(context, asked, progress, failure) })
  }
}

const pauses = [25, 100, 250, 500, 1000, 1000, 1000, 1000]
const patienceMilliseconds = 6000

/** Makes a call again while the database is away, for as long as a caller would wait. A write may
 *  be made again because its record commits with its effect: what happened is then replayed. */
async function patiently<T>(context: AppContext, work: () => Promise<T>): Promise<T> {
  const until = context.now() + patienceMilliseconds
  for (const wait of pauses) {
    try {
      return await work()
    } catch (failure) {
      if (!isTransient(failure) || context.now() + wait > until) throw failure
      await context.pause(wait)
    }
  }
  return work()
}

/** The mode of a well-formed key. Anything else is refused without asking the database. */
async function identify(context: AppContext, operationRequest: OperationRequest): Promise<Mode> {
  await context.limiter.admit(operationRequest.address ?? 'unknown')
  const mode = modeOf(operationRequest.token)
  if (mode) return mode
  const absent = operationRequest.tokenInAddress
    ? 'The credential is in the URL, where it is never read.'
    : operationRequest.otherScheme
      ? 'The Authorization header is not Bearer, one space and one token.'
      : 'No bearer token was sent.'
  throw new Problem('unauthorized', {
    detail: operationRequest.token === null ? absent : notAKey,
    headers: {
      'www-authenticate': challenge(
        context.base,
        operationRequest.token === null ? '' : invalidToken,
      ),
    },
  })
}

// Every kind of bad token is answered alike (contract/04, section 4).
const notAKey = 'The token is unknown, revoked or expired.'
const invalidToken = `, error="invalid_token", error_description="${notAKey}"`

type Attempt = {
  context: AppContext
  connection: Connection
  operationRequest: OperationRequest
  asked: AuditContext
  mode: Mode
  progress: Progress
}

type Answered = Answer | { problem: Problem }

/** Whoever came before is answered as it was found then, if it still is; everybody else is looked
 *  up. */
async function attempt(
  context: AppContext,
  operationRequest: OperationRequest,
  asked: AuditContext,
  mode: Mode,
  progress: Progress,
): Promise<Answered> {
  const named = operationRequest.organization
  // What is no id of an organization is granted to nobody, and is not put into a statement.
  const organization = named === null || isId(prefixes.organization, named) ? named : ''
  const presented = presentedCredential(context.pepper, {
    token: operationRequest.token ?? '',
    mode,
    organization,
  })
  const before = context.credentialCache.get(presented.name)
  const work = async (connection: Connection): Promise<Answered> => {
    const parts = { context, connection, operationRequest, asked, mode, progress }
    const answered = before && (await answerRemembered(parts, before))
    if (answered) return answered
    const found = await findCredential(connection, presented, context.credentialCache)
    if (found) return answerAs(parts, found, guardConnection(connection, found), true)
    progress.caller = unauthenticated
    progress.allowance = null
    throw new Problem('unauthorized', {
      detail: notAKey,
      headers: { 'www-authenticate': challenge(context.base, invalidToken) },
    })
  }
  return context.pools[mode].use(work, before?.tenant)
}

/** Null when the caller is not what it was, so that nothing was done or said. */
async function answerRemembered(parts: Attempt, known: CachedCredential): Promise<Answered | null> {
  const guarded = guardConnection(parts.connection, known)
  try {
    return await answerAs(parts, known, guarded, false)
  } catch (failure) {
    if (!guarded.isVerified && (failure instanceof StaleCredential || isFull(failure))) return null
    throw failure
  }
}

async function answerAs(
  { context, connection, operationRequest, asked, mode, progress }: Attempt,
  { credential }: CachedCredential,
  guarded: GuardedConnection,
  isCertain: boolean,
): Promise<Answered> {
  const operation: Operation = table[operationRequest.operation]
  const { id, integration } = credential
  progress.caller = { mode, integration, organization: null, credential: id }
  try {
    if (!progress.counted) {
      progress.allowance = await context.limiter.take(integration, mode, operation.quota)
      progress.counted = true
    }
    const principal = authorize(operation, credential, operationRequest.organization)
    progress.caller = callerOf(principal)
    const call = callOf(principal, context.now(), context.fresh)
    const parts = {
      connection,
      guarded,
      operation,
      operationRequest,
      asked,
      call,
      context,
      recent: context.recent,
    }
    const answer = isWrite(operation)
      ? await performWrite(parts)
      : await performRead(parts, context.auditWriter)
    if (isWrite(operation)) context.wakeUps[mode].notify()
    const body = decryptedAnswer(
      context.webhooks.encryption,
      operationRequest.operation,
      principal,
      answer.body,
    )
    return { ...answer, body }
  } catch (failure) {
    if (!(failure instanceof Problem)) throw failure
    if (failure instanceof Exhausted) progress.allowance = failure.allowance
    const { caller } = progress
    if (isCertain || guarded.isVerified)
      await noteRefusal(context, connection, asked, caller, failure)
    // What is refused to a caller who was only remembered must be true as well.
    else await guarded.query(guard => noting(guard, caller, asked, refusalRow(failure)))
    return { problem: failure }
  }
}

const refusalRow = ({ code }: Problem) => refusedRow(problems[code].status, code)

/** The audit row of a refused call, where its own statement has not written it already. */
async function noteRefusal(
  { auditWriter }: AppContext,
  connection: Connection,
  asked: AuditContext,
  caller: Caller,
  problem: Problem,
) {
  if (problem.noted) return
  const row = connection.run(insertAuditRows(caller, asked, refusalRow(problem)))
  await row.catch((failure: unknown) => {
    if (!isFull(failure)) throw failure
    auditWriter.recordRefusal(asked, problem.code, caller)
  })
}

/** Somebody must make room, so nobody need ask every second. */
const fullSeconds = '30'

/** Turns whatever stopped a call into the refusal that its caller sees. */
async function refusalOf(
  context: AppContext,
  asked: AuditContext,
  progress: Progress,
  failure: unknown,
): Promise<Problem> {
  if (failure instanceof Exhausted) progress.allowance = failure.allowance
  if (failure instanceof Problem) {
    context.auditWriter.recordRefusal(asked, failure.code)
    if (failure.code === 'unauthorized')
      await context.limiter.recordAuthFailure(asked.address ?? 'unknown')
    return failure
  }
  context.onError(failure, asked)
  const isStorage = failure instanceof StorageUnavailable
  const away = isStorage || failure instanceof PoolTimeout || isAway(failure)
  const problem = away
    ? new Problem('service_unavailable', {
        detail: isFull(failure)
          ? 'The database cannot accept writes at the moment.'
          : `The ${isStorage ? 'storage' : 'database'} did not answer in time.`,
        headers: { 'retry-after': isFull(failure) ? fullSeconds : '1' },
      })
    : new Problem('internal_error', { detail: 'The failure was logged under request_id.' })
  context.auditWriter.recordRefusal(asked, problem.code, progress.caller)
  return problem
}
