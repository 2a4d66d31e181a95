// Every operation's pipeline, whichever surface serves it (surface.ts). HTTP is an adapter for it
// (clinical/rest/http.ts).
//
//                read  write   what it does                                     round trips
//   authenticate   ×     ×     looks up credential and grants, sets the tenant         0–1
//   authorize      ×     ×     checks mode, organization, agreement, scope               0
//   check          ×     ×     validates the input and collects every fault              0
//   facts                ×     one select, together with the idempotency record        0–1
//   decide               ×     a pure function                                           0
//   write                ×     lock, clock, rows, events, record, audit                  1
//   answer         ×     ×     the text built by the database, unchanged                 0
//
// A cached credential costs no round trip: its first statement verifies it (auth/guard.ts).

import { partOf, readScopeOf } from '#contract/derive/read-scopes.ts'
import type { Mode } from '#contract/operation.ts'
import { Problem } from '#contract/problems.ts'
import type { Scope } from '#contract/scopes.ts'
import { StaleCredential, type GuardedConnection } from '#auth/guard.ts'
import type { CredentialCache, FoundCaller, PresentedCredential } from '#auth/principal.ts'
import type { Connection } from '#database/pool.ts'
import { isFull, isTransient } from '#database/failures.ts'
import { type Allowance, RateLimitExceeded } from '#http/limits/rate-limiter.ts'
import {
  type AuditedCall,
  callerOf,
  type Caller,
  type SurfaceName,
  unauthenticated,
} from '#auth/audit.ts'
import type { BackgroundAuditWriter } from '../audit/background-writer.ts'
import type { WakeUp } from '../jobs/wake-up.ts'
import type { ModePools } from '../modes.ts'
import type { AuthenticationServices } from './authentication.ts'
import { bodyShapeOf } from './body-shape.ts'
import { decryptedAnswer } from './encrypted-members.ts'
import { type AnyPrincipal, callOf } from './handler.ts'
import type { RecentKeys } from './idempotency.ts'
import { gateOpen } from '../modes.ts'
import { performRead } from './perform-read.ts'
import { performWrite } from './perform-write.ts'
import { couldExist } from './places.ts'
import type { RateLimits } from './rate-limits.ts'
import { auditRefusal, problemOf, refusalRow, unauthorized } from './refuse.ts'
import type { Answer, RequestedCall, Outcome, RequestBody } from './requested-call.ts'
import type { StorageSlots } from './storage-slots.ts'
import { auditStatement } from './statements.ts'
import type { Surface, SurfaceOperation } from './surface.ts'
import type { CallServices } from '../services.ts'

/** The pipeline's dependencies, including clock and randomness, so tests can fix them. */
export type AppContext = CallServices &
  AuthenticationServices & {
    pools: ModePools
    /** Limits calls that use storage, before they take a connection. */
    storageSlots: StorageSlots
    /** Notified after a write commits, if an endpoint or a realtime client may get its events. */
    wakeUps: Readonly<Record<Mode, WakeUp>>
    limiter: RateLimits
    recent: RecentKeys
    credentialCache: CredentialCache
    auditWriter: BackgroundAuditWriter
    /** The pepper that hashes new credentials. */
    pepper: string
    /** Whether calls in live mode are served. */
    isLiveOpen(): boolean
    now(): number
    fresh(): string
    pause(milliseconds: number): Promise<void>
    /** Called with every failure that isn't the caller's. */
    onError(failure: unknown, audited?: AuditedCall): void
  }

type AnswerOrProblem = Answer | { problem: Problem }

/** One call's state, collected for its response headers, log line and audit row. */
type Progress = {
  readonly context: AppContext
  readonly surface: Surface<never>
  readonly performed: SurfaceOperation
  requested: RequestedCall<string>
  readonly audited: AuditedCall
  caller: Caller
  allowance: Allowance | null
  isCounted: boolean
}

const pauses = [25, 100, 250, 500, 1000, 1000, 1000, 1000]
const patienceMilliseconds = 6000

/** Performs a call to a surface. An adapter passes `readBody` so the body is read only after the
 *  credential passes the first checks, and while no connection is held. */
export async function perform<Id extends string>(
  context: AppContext,
  surface: Surface<Id>,
  requested: RequestedCall<Id>,
  readBody?: () => Promise<RequestBody>,
): Promise<Outcome> {
  const audited = auditedOf(surface.name, requested)
  const progress: Progress = {
    context,
    surface,
    performed: surface.operationOf(requested.operation),
    requested,
    audited,
    caller: unauthenticated,
    allowance: null,
    isCounted: false,
  }
  let answer: AnswerOrProblem
  try {
    const presented = presentedBy(progress)
    await checkLimited(progress, presented)
    if (readBody) progress.requested = { ...requested, ...(await readBody()) }
    answer = await withAttachment(await authenticate(progress, presented))
  } catch (failure) {
    const problem = await problemOf(progress, failure)
    if (problem instanceof RateLimitExceeded) progress.allowance = problem.allowance
    answer = { problem }
  }
  return { ...answer, allowance: progress.allowance, caller: progress.caller }
}

/** Opens the answer's file. */
async function withAttachment(answer: AnswerOrProblem): Promise<AnswerOrProblem> {
  if ('problem' in answer || !answer.attachment) return answer
  const { attachment, ...others } = answer
  return { ...others, ...(await attachment()) }
}

/** Waits before attempt `at` + 1 while the database is unavailable, for at most six seconds, and
 *  throws any other failure. A write may be retried because its idempotency record commits with its
 *  effect: if an attempt committed, the next one replays its response. */
async function waitAfter(
  failure: unknown,
  context: AppContext,
  { at, until }: { at: number; until: number },
): Promise<void> {
  const wait = pauses[at]
  if (wait === undefined || !isTransient(failure) || context.now() + wait > until) throw failure
  await context.pause(wait)
}

const auditedOf = (surface: SurfaceName, requested: RequestedCall<string>): AuditedCall => ({
  surface,
  action: requested.operation,
  // A path may contain anything, such as a patient's name, so only well-formed IDs are audited.
  target:
    requested.target ??
    (couldExist(requested.names) ? (Object.values(requested.names)[0] ?? null) : null),
  request: requested.request,
  address: requested.address,
  agent: requested.agent,
})

/** Returns the credential a call presents. A malformed token is refused without a query. */
function presentedBy({ context, surface, performed, requested }: Progress): PresentedCredential {
  const presented = surface.authentication.present(context, requested)
  if (presented === null) throw unauthorized(surface.challenge, performed.operation, requested)
  return presented
}

/** If an address has too many failed authentications, an uncached key from it must be valid before
 *  its body is read and its credential looked up. */
async function checkLimited(
  { context, surface, performed, requested }: Progress,
  presented: PresentedCredential,
): Promise<void> {
  const { isValid } = surface.authentication
  if (isValid === undefined || context.credentialCache.has(presented.name)) return
  if (!(await context.limiter.hasFailedTooOften(requested.address))) return
  const until = context.now() + patienceMilliseconds
  for (let at = 0; ; at++) {
    try {
      if (await isValid(context, presented)) return
      break
    } catch (failure) {
      await waitAfter(failure, context, { at, until })
    }
  }
  throw unauthorized(surface.challenge, performed.operation, requested)
}

/** Performs the call with the cached credential if it's still valid, and otherwise looks the
 *  credential up. Retries while the database is unavailable. */
async function authenticate(
  progress: Progress,
  presented: PresentedCredential,
): Promise<AnswerOrProblem> {
  const { context, surface, performed, requested } = progress
  const { mode } = presented
  const { find, guard } = surface.authentication
  const { handler } = performed
  const usesStorage = handler.kind === 'write' && handler.usesStorage?.(mode)
  const until = context.now() + patienceMilliseconds
  for (let at = 0; ; at++) {
    const cached = context.credentialCache.get(presented.name)
    const performOn = async (connection: Connection) => {
      if (cached) {
        const guarded = guard(connection, cached)
        try {
          return await performAs(progress, cached, connection, guarded)
        } catch (failure) {
          // The call can be repeated until a statement verifies the credential.
          const isStale = failure instanceof StaleCredential || isFull(failure)
          if (guarded.isVerified || !isStale) throw failure
        }
      }
      const found = await find(connection, presented, context.credentialCache)
      if (found) return performAs(progress, found, connection, guard(connection, found), true)
      progress.caller = unauthenticated
      progress.allowance = null
      throw unauthorized(surface.challenge, performed.operation, requested)
    }
    try {
      return await (usesStorage
        ? context.storageSlots(() => context.pools[mode].use(performOn, cached?.tenant))
        : context.pools[mode].use(performOn, cached?.tenant))
    } catch (failure) {
      await waitAfter(failure, context, { at, until })
    }
  }
}

/** Limits a write's response to what the caller may read. A caller who may not read the resource
 *  gets the ID and the fields it sent. Current scopes apply, even to a replay. */
function readableBody(
  body: string,
  { operation, handler }: SurfaceOperation,
  { scopes }: AnyPrincipal & { readonly scopes?: readonly Scope[] },
  sent: unknown,
): string {
  const readScope = scopes && handler.kind === 'write' ? readScopeOf(operation) : null
  return readScope === null || scopes?.includes(readScope) ? body : partOf(body, sent)
}

/** Performs the call as this caller. `isFound` means the credential was just looked up, so it needs
 *  no verification. */
async function performAs(
  progress: Progress,
  found: FoundCaller,
  connection: Connection,
  guarded: GuardedConnection,
  isFound = false,
): Promise<AnswerOrProblem> {
  const { context, surface, performed, requested, audited } = progress
  const { operation, handler, place } = performed
  const { id, integration, mode } = found.credential
  const organization = found.organization === undefined ? null : { id: found.organization }
  progress.caller = callerOf({ ...found.credential, credential: id, organization })
  try {
    gateOpen(mode, context.isLiveOpen)
    if (!progress.isCounted) {
      const { kind, person } = found.credential
      const member = kind === 'session' ? person : null
      progress.allowance = await context.limiter.take(
        integration ?? '',
        mode,
        operation.quota,
        member,
      )
      progress.isCounted = true
    }
    audited.shape = bodyShapeOf(operation.body, requested.body)
    const principal = surface.gate(operation, found, requested.organization)
    progress.caller = callerOf(principal)
    const { request } = audited
    const occasion = { realNow: context.now(), ahead: found.ahead, request }
    const call = callOf(principal, occasion, context.fresh)
    const { recent } = context
    const parts = {
      connection,
      guarded,
      operation,
      place,
      requested,
      audited,
      call,
      context,
      recent,
    }
    const answer =
      handler.kind === 'write'
        ? await performWrite({ ...parts, handler, wakeUp: context.wakeUps[mode] })
        : await performRead({ ...parts, handler }, context.auditWriter)
    const { encryption } = context.webhooks
    const readable = readableBody(answer.body, performed, principal, requested.body)
    const body = decryptedAnswer(encryption, handler.encrypted, principal, readable)
    return { ...answer, body }
  } catch (failure) {
    if (!(failure instanceof Problem)) throw failure
    if (failure instanceof RateLimitExceeded) progress.allowance = failure.allowance
    const { caller } = progress
    if (isFound || guarded.isVerified) await auditRefusal(progress, connection, failure)
    // The cached credential may be stale, so it's verified before the refusal is sent.
    else await guarded.query(auditStatement(guarded.guard, caller, audited, refusalRow(failure)))
    return { problem: failure }
  }
}
