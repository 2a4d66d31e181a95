// The one pipeline. HTTP is an adapter over it; tools and the portal will be others.
//
//                read  write   what it does                                          trips
//   authenticate   ×     ×     a stranger: credential, grants, stream opened           0–1
//   authorize      ×     ×     mode, organization, agreement, scope                      0
//   check          ×     ×     the row's input: closed, every fault at once              0
//   facts                ×     one select, with the record of the key beside it        0–1
//   decide               ×     a pure function                                           0
//   write                ×     lock, clock, rows, events, outbox, record, audit          1
//   answer         ×     ×     the text that the database made, untouched                0
//
// Who came before is no stranger: the first statement asks about it itself (auth/door.ts).

import { type OperationId, table } from '#contract/clinical.ts'
import { isId, prefixes } from '#contract/ids.ts'
import { isWrite, type Mode, type Operation } from '#contract/operation.ts'
import { Problem, problems } from '#contract/problems.ts'
import { Adrift, type Entrance, openEntrance } from '#auth/door.ts'
import { findCredential, knock, type Known, modeOf, type Remembered } from '#auth/principal.ts'
import { Busy, type Lane } from '#database/lanes.ts'
import { isAway, isFull, isTransient } from '#database/failures.ts'
import { auditing, callerOf, nobody, refusedRow, type Asked, type Caller } from './audit.ts'
import { authorize, challenge } from './authorize.ts'
import type { Anonymous } from './anonymous.ts'
import type { Doorbell } from './doorbell.ts'
import { type Bytes, StorageAway } from './files/storage.ts'
import { callOf, type Standing } from './handler.ts'
import type { RecentKeys } from './idempotency.ts'
import { type Allowance, Exhausted, type Limiter, rateHeaders } from './limiter.ts'
import { couldExist } from './places.ts'
import type { Planes } from './planes.ts'
import { performRead } from './perform-read.ts'
import { performWrite } from './perform-write.ts'
import { noting } from './statements.ts'
import { unsealed } from './sealed.ts'

/** A request as every adapter brings it. */
export type Asking = {
  operation: OperationId
  /** The path as it was asked, ids filled in, and the ids by name. */
  path: string
  names: Readonly<Record<string, string>>
  query: URLSearchParams
  token: string | null
  /** Whether a credential was put into the address, where none is read. */
  tokenInAddress?: boolean
  /** There is an Authorization header, and it is not Bearer and one value. */
  otherScheme?: boolean
  organization: string | null
  version: string | null
  idempotencyKey: string | null
  /** The parsed body, undefined when empty, or the refusal that reading it came to. */
  body: unknown
  refusedBody: Problem | null
  request: string
  address: string | null
  agent: string | null
}

export type Answer = {
  status: number
  body: string
  headers: Record<string, string>
  /** The body of an answer that is a file. */
  bytes?: Bytes
}
export type Outcome = (Answer | { problem: Problem }) & {
  rate: Record<string, string>
  /** Who it was, for the log line. */
  caller: Caller
}

/** What the pipeline stands on. Time and chance are arguments, so that tests can hold them. */
export type House = Standing & {
  planes: Planes
  /** Rung when a write has committed. */
  bells: Readonly<Record<Mode, Doorbell>>
  limiter: Limiter
  recent: RecentKeys
  /** Callers who came before. */
  remembered: Remembered
  anonymous: Anonymous
  pepper: string
  now(): number
  fresh(): string
  pause(milliseconds: number): Promise<void>
  /** Told of every failure that is ours. */
  alarm(failure: unknown, asked?: Asked): void
}

type Progress = { caller: Caller; allowance: Allowance | null; counted: boolean }

export async function perform(house: House, asking: Asking): Promise<Outcome> {
  const asked: Asked = {
    surface: 'rest',
    action: asking.operation,
    // A path may hold anything, a patient's name too; only what could be an id is kept.
    target: couldExist(asking.names) ? (Object.values(asking.names)[0] ?? null) : null,
    request: asking.request,
    address: asking.address,
    agent: asking.agent,
  }
  const progress: Progress = { caller: nobody, allowance: null, counted: false }
  const finish = (result: Answer | { problem: Problem }): Outcome => ({
    ...result,
    rate: progress.allowance ? rateHeaders(progress.allowance) : {},
    caller: progress.caller,
  })
  try {
    const mode = await identify(house, asking)
    return finish(await patiently(house, () => attempt(house, asking, asked, mode, progress)))
  } catch (failure) {
    return finish({ problem: await refusalOf(house, asked, progress, failure) })
  }
}

const pauses = [25, 100, 250, 500, 1000, 1000, 1000, 1000]
const patienceMilliseconds = 6000

/** Makes a call again while the database is away, for as long as a caller would wait. A write may
 *  be made again because its record commits with its effect: what happened is then replayed. */
async function patiently<T>(house: House, work: () => Promise<T>): Promise<T> {
  const until = house.now() + patienceMilliseconds
  for (const wait of pauses) {
    try {
      return await work()
    } catch (failure) {
      if (!isTransient(failure) || house.now() + wait > until) throw failure
      await house.pause(wait)
    }
  }
  return work()
}

/** The mode of a well-formed key. Anything else is refused without asking the database. */
async function identify(house: House, asking: Asking): Promise<Mode> {
  await house.limiter.admit(asking.address ?? 'unknown')
  const mode = modeOf(asking.token)
  if (mode) return mode
  const absent = asking.tokenInAddress
    ? 'The credential is in the URL, where it is never read.'
    : asking.otherScheme
      ? 'The Authorization header is not Bearer, one space and one token.'
      : 'No bearer token was sent.'
  throw new Problem('unauthorized', {
    detail: asking.token === null ? absent : notAKey,
    headers: {
      'www-authenticate': challenge(house.base, asking.token === null ? '' : invalidToken),
    },
  })
}

// Every kind of bad token is answered alike (contract/04, section 4).
const notAKey = 'The token is unknown, revoked or expired.'
const invalidToken = `, error="invalid_token", error_description="${notAKey}"`

type Attempt = {
  house: House
  lane: Lane
  asking: Asking
  asked: Asked
  mode: Mode
  progress: Progress
}

type Answered = Answer | { problem: Problem }

/** Whoever came before is answered as it was found then, if it still is; everybody else is looked
 *  up. */
async function attempt(
  house: House,
  asking: Asking,
  asked: Asked,
  mode: Mode,
  progress: Progress,
): Promise<Answered> {
  const named = asking.organization
  // What is no id of an organization is granted to nobody, and is not put into a statement.
  const organization = named === null || isId(prefixes.organization, named) ? named : ''
  const presented = knock(house.pepper, { token: asking.token ?? '', mode, organization })
  const before = house.remembered.get(presented.name)
  const work = async (lane: Lane): Promise<Answered> => {
    const parts = { house, lane, asking, asked, mode, progress }
    const answered = before && (await answerRemembered(parts, before))
    if (answered) return answered
    const found = await findCredential(lane, presented, house.remembered)
    if (found) return answerAs(parts, found, openEntrance(lane, found), true)
    progress.caller = nobody
    progress.allowance = null
    throw new Problem('unauthorized', {
      detail: notAKey,
      headers: { 'www-authenticate': challenge(house.base, invalidToken) },
    })
  }
  return house.planes[mode].use(work, before?.stream)
}

/** Null when the caller is not what it was, so that nothing was done or said. */
async function answerRemembered(parts: Attempt, known: Known): Promise<Answered | null> {
  const entrance = openEntrance(parts.lane, known)
  try {
    return await answerAs(parts, known, entrance, false)
  } catch (failure) {
    if (!entrance.isPassed && (failure instanceof Adrift || isFull(failure))) return null
    throw failure
  }
}

async function answerAs(
  { house, lane, asking, asked, mode, progress }: Attempt,
  { credential }: Known,
  entrance: Entrance,
  isCertain: boolean,
): Promise<Answered> {
  const operation: Operation = table[asking.operation]
  const { id, integration } = credential
  progress.caller = { mode, integration, organization: null, credential: id }
  try {
    if (!progress.counted) {
      progress.allowance = await house.limiter.take(integration, mode, operation.quota)
      progress.counted = true
    }
    const principal = authorize(operation, credential, asking.organization)
    progress.caller = callerOf(principal)
    const call = callOf(principal, house.now(), house.fresh)
    const parts = { lane, entrance, operation, asking, asked, call, house, recent: house.recent }
    const answer = isWrite(operation)
      ? await performWrite(parts)
      : await performRead(parts, house.anonymous)
    if (isWrite(operation)) house.bells[mode].ring()
    const body = unsealed(house.webhooks.seal, asking.operation, principal, answer.body)
    return { ...answer, body }
  } catch (failure) {
    if (!(failure instanceof Problem)) throw failure
    if (failure instanceof Exhausted) progress.allowance = failure.allowance
    const { caller } = progress
    if (isCertain || entrance.isPassed) await noteRefusal(house, lane, asked, caller, failure)
    // What is refused to a caller who was only remembered must be true as well.
    else await entrance.through(door => noting(door, caller, asked, refusalRow(failure)))
    return { problem: failure }
  }
}

const refusalRow = ({ code }: Problem) => refusedRow(problems[code].status, code)

/** The audit row of a refused call, where its own statement has not written it already. */
async function noteRefusal(
  { anonymous }: House,
  lane: Lane,
  asked: Asked,
  caller: Caller,
  problem: Problem,
) {
  if (problem.noted) return
  const row = lane.run(auditing(caller, asked, refusalRow(problem)))
  await row.catch((failure: unknown) => {
    if (!isFull(failure)) throw failure
    anonymous.note(asked, problem.code, caller)
  })
}

/** Somebody must make room, so nobody need ask every second. */
const fullSeconds = '30'

/** Turns whatever stopped a call into the refusal that its caller sees. */
async function refusalOf(
  house: House,
  asked: Asked,
  progress: Progress,
  failure: unknown,
): Promise<Problem> {
  if (failure instanceof Exhausted) progress.allowance = failure.allowance
  if (failure instanceof Problem) {
    house.anonymous.note(asked, failure.code)
    if (failure.code === 'unauthorized') await house.limiter.blame(asked.address ?? 'unknown')
    return failure
  }
  house.alarm(failure, asked)
  const isStorage = failure instanceof StorageAway
  const away = isStorage || failure instanceof Busy || isAway(failure)
  const problem = away
    ? new Problem('service_unavailable', {
        detail: isFull(failure)
          ? 'The database cannot accept writes at the moment.'
          : `The ${isStorage ? 'storage' : 'database'} did not answer in time.`,
        headers: { 'retry-after': isFull(failure) ? fullSeconds : '1' },
      })
    : new Problem('internal_error', { detail: 'The failure was logged under request_id.' })
  house.anonymous.note(asked, problem.code, progress.caller)
  return problem
}
