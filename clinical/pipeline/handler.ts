// Handler types. A read returns a select of its rows. A write has three functions: facts (one
// select), decide (pure: refuses, or returns what to write) and write (one statement, which also
// returns the response).
//
// A handler's type depends on its operation `K`, its table `T` and its callers `P`. `Call`, `Read`
// and `Write` are the clinical API's.

import type { EmitsOf, InputOf, Mode, Operations, RefusalOf } from '#contract/operation.ts'
import type { operations, OperationId } from '#contract/api.ts'
import { type Noun, prefixes } from '#contract/ids.ts'
import { Problem, type ProblemCode, type ProblemContent } from '#contract/problems.ts'
import type { Principal } from '#auth/principal.ts'
import type { Connection } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import type { CallServices } from '../services.ts'
import type { EncryptedMember } from './encrypted-members.ts'
import type { Attachment } from './requested-call.ts'

/** An ID without its timestamp, which the writing statement adds from the tenant's clock. `now` is
 *  the time of the call that created it. */
export type IdParts = { prefix: string; at: number; random: string; now: number }

/** Adds the call's connection, which isn't in a transaction. */
type InspectServices = CallServices & { readonly connection: Connection }

/** What the pipeline needs to know about a caller. A call without an organization acts for the
 *  integration. */
export type AnyPrincipal = Pick<
  Principal,
  'credential' | 'mode' | 'tenant' | 'client' | 'person'
> & {
  readonly integration: string | null
  readonly organization: Pick<Principal['organization'], 'id'> | null
}

export type AnyCall = {
  readonly principal: AnyPrincipal
  /** The tenant's time in milliseconds since 1970, read once for the whole call: real time, or
   *  later in a sandbox whose clock was advanced. */
  readonly now: number
  /** Real time, for values that others compare with their clocks. */
  readonly realNow: number
  /** The request ID, named in events the call causes; null if no request caused it. */
  readonly request: string | null
  /** Returns an ID whose timestamp is `at` milliseconds after the write's first timestamp. */
  mint(noun: Noun, at: number): IdParts
}

// This is an interface because the compiler can't infer K from a type alias of a type alias.
export interface CallIn<
  T extends Operations,
  K extends keyof T,
  P extends AnyPrincipal,
> extends AnyCall {
  readonly principal: P
  /** The compiler accepts only the codes that the operation declares. */
  refuse(code: RefusalOf<T[K]>, content?: ProblemContent): Problem
}

export type Call<K extends OperationId> = CallIn<typeof operations, K, Principal>

export type EventOf<K extends OperationId> = EmitsOf<(typeof operations)[K]>

/** A resource or list item, as the response's JSON text. */
export type PublishedItem = { id: string; item: string }

export type ReadSource =
  /** Columns `id` and `item`, ascending by ID; a list selects one row more than its page. */
  | {
      rows: Statement
      parent?: Statement
      refusable?: RefusableRead
      /** Returns the response's JSON text, made from the selected item. */
      answer?(item: string): string
      /** Opens the file to send instead of the item. */
      attachment?(item: string): Promise<Attachment>
    }
  /** Constants, which need no query. */
  | { items: readonly PublishedItem[] }

/** A read that may be refused because of the row it selects. The row's column `refused` is a code
 *  the operation declares, or null, so the same statement can insert the audit row. */
type RefusableRead = {
  refusal(code: string, item: string): Problem
  /** Returns the response's JSON text, made from the selected item. */
  answer(item: string): string
}

type ReadHandler<C, I> = {
  readonly kind: 'read'
  /** The response field that's stored encrypted. */
  readonly encrypted?: EncryptedMember | undefined
  find(call: C, input: I, context: CallServices): ReadSource
}

export type ReadIn<T extends Operations, K extends keyof T, P extends AnyPrincipal> = ReadHandler<
  CallIn<T, K, P>,
  InputOf<T[K]>
>
/** A read as the pipeline calls it. */
export type AnyRead = ReadHandler<AnyCall, object>

/** A write with its types: F is the row of facts, S is the result of `inspect`, and D is the
 *  decision based on the two. */
export type WriteHandler<C, I, F, S, D> = {
  /** The response field that's stored encrypted. */
  readonly encrypted?: EncryptedMember
  /** Selects at most one row, the input to `decide`. */
  facts?(call: C, input: I): Statement
  /** Reads state outside the database, such as bytes in storage, before the write takes locks. Its
   *  side effects must be harmless if the call is refused or retried. */
  inspect?(call: C, input: I, facts: F | null, context: InspectServices): Promise<S>
  /** Whether `inspect` waits for storage in a mode. Such calls may hold half of the connections. */
  usesStorage?(mode: Mode): boolean
  decide(call: C, input: I, facts: F | null, seen: S): D
  /** Common table expressions, the last named `changed (id, answer)`; `id` is empty for a result
   *  without an ID. They select from `go`, which is empty unless this call may write, and change
   *  nothing if the facts have changed: the pipeline then decides again on new facts. */
  write(call: C, decision: D): Statement
  /** Whether a job that doesn't follow events waits for this write, which then always wakes the
   *  workers. */
  wakesWorkers?: boolean
  /** The tenant that stores the idempotency record, if it isn't the caller's. */
  recordsIn?: Statement
  /** Returns the refusal for a write that violated the named exclusion constraint, or null to
   *  decide again. */
  excluded?(call: C, decision: D, constraint: string | null): Problem | null
}

/** Facts and decision are opaque to the pipeline. */
type OpaqueWrite<C, I> = WriteHandler<C, I, unknown, unknown, unknown> & { readonly kind: 'write' }

export type WriteIn<T extends Operations, K extends keyof T, P extends AnyPrincipal> = OpaqueWrite<
  CallIn<T, K, P>,
  InputOf<T[K]>
>
export type Write<K extends OperationId> = WriteIn<typeof operations, K, Principal>
/** A write as the pipeline calls it. */
export type AnyWrite = OpaqueWrite<AnyCall, object>

/** A handler of the right kind for every operation in a table. */
export type Handlers<T extends Operations, P extends AnyPrincipal> = {
  readonly [K in keyof T]: T[K]['method'] extends 'GET' ? ReadIn<T, K, P> : WriteIn<T, K, P>
}

/** Returns the functions that define a table's handlers, typed by its rows. */
export const handlersOf = <T extends Operations, P extends AnyPrincipal>() => ({
  read: <K extends keyof T>(
    _id: K,
    find: ReadIn<T, K, P>['find'],
    encrypted?: EncryptedMember,
  ): ReadIn<T, K, P> => ({ kind: 'read', find, encrypted }),

  /** Erases F, S and D. This is sound because `WriteHandler` ties them together: `decide` takes the
   *  F that `facts` selects and returns the D that `write` takes. */
  write: <K extends keyof T, F, D, S = undefined>(
    _id: K,
    handler: WriteHandler<CallIn<T, K, P>, InputOf<T[K]>, F, S, D>,
  ): WriteIn<T, K, P> => ({ kind: 'write', ...handler }) as unknown as WriteIn<T, K, P>,
})

export const { read, write } = handlersOf<typeof operations, Principal>()

/** Defines a read of what belongs to an integration, for callers with or without a clinic. */
export const { read: readOfIntegration } = handlersOf<typeof operations, AnyPrincipal>()

/** The time of a call, and the request that caused it, or null if none did. */
type Occasion = {
  /** Real time. */
  readonly realNow: number
  /** How far the tenant's clock is ahead of real time. */
  readonly ahead?: number | undefined
  readonly request?: string
}

/** Builds one operation's call. `fresh` returns an ID's sixteen random characters. */
export const callOf = <K extends OperationId, P extends AnyPrincipal = Principal>(
  principal: P,
  { realNow, ahead = 0, request }: Occasion,
  fresh: () => string,
): CallIn<typeof operations, K, P> => ({
  principal,
  now: realNow + ahead,
  realNow,
  request: request ?? null,
  mint: (noun, at) => ({ prefix: prefixes[noun], at, random: fresh(), now: realNow + ahead }),
  refuse: (code: ProblemCode, content?: ProblemContent) => new Problem(code, content),
})

/** Every statement's tenant key. */
export const tenantOf = (call: { principal: Pick<Principal, 'tenant'> }): Statement =>
  sql`${call.principal.tenant}::bigint`
