// What a handler is. A read says which rows answer. A write is three small functions: facts (one
// select), decide (pure: refuse, or say what to write) and write (one statement; it answers).

import type { EmitsOf } from '#contract/operation.ts'
import type { Input, operations, OperationId, Refusal } from '#contract/api.ts'
import { type Noun, prefixes } from '#contract/ids.ts'
import { Problem, type ProblemCode, type Refused } from '#contract/problems.ts'
import type { Principal } from '#auth/principal.ts'
import type { Connection } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import type { Realtime } from '../realtime/realtime.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'
import type { Files } from '../files/files.ts'
import type { Bytes } from '../storage/storage.ts'

/** An id before its millisecond is known: the writing statement completes it from the clock. */
export type Minted = { prefix: string; at: number; random: string }

/** What a call stands on besides the database. */
export type CallServices = {
  /** The origin that the public sees. */
  readonly base: string
  readonly files: Files
  readonly webhooks: Webhooks
  readonly realtime: Realtime
}

/** The same beside the connection of the call, which is in no transaction. */
export type InspectServices = CallServices & { readonly connection: Connection }

export type Call<K extends OperationId> = {
  readonly principal: Principal
  /** Milliseconds since 1970, read once for the whole call. */
  readonly now: number
  /** An id whose moment is `at` milliseconds after the first that the write takes. */
  mint(noun: Noun, at: number): Minted
  /** Only the codes that the operation's row declares compile. */
  refuse(code: Refusal<K>, content?: Refused): Problem
}

export type EventOf<K extends OperationId> = EmitsOf<(typeof operations)[K]>

/** One answer, or one item of a list, as the text that is published. */
export type PublishedItem = { id: string; item: string }

export type ReadSource =
  /** Columns `id` and `item`, ascending by id; a list asks for one row more than its page. */
  | {
      rows: Statement
      parent?: Statement
      refusable?: RefusableRead
      /** The bytes that are answered in the place of the item. */
      attachment?(item: string): Promise<Attachment>
    }
  /** Rows that are part of the program and need no query. */
  | { items: readonly PublishedItem[] }

/** An answer that is a file, and what is said of it. */
export type Attachment = { bytes: Bytes; headers: Record<string, string> }

/** A read that may be refused for what it finds. Its row has a column `refused` besides: one of the
 *  codes that the operation declares, or null. So the audit row is right in the same statement. */
export type RefusableRead = {
  refusal(code: string, item: string): Problem
  /** What is published instead of the item as it was found. */
  answer(item: string): string
}

export type Read<K extends OperationId> = {
  readonly kind: 'read'
  find(call: Call<K>, input: Input<K>, context: CallServices): ReadSource
}

/** A write as its author states it: F is the row of facts, S what was seen outside the database,
 *  and D what was decided on both. */
type WriteHandler<K extends OperationId, F, S, D> = {
  /** One select of at most one row, on which `decide` decides. */
  facts?(call: Call<K>, input: Input<K>): Statement
  /** Looks at what is no row, such as bytes in storage, while nothing is locked. What it leaves
   *  behind there must do no harm when the call is refused or made again. */
  inspect?(call: Call<K>, input: Input<K>, facts: F | null, context: InspectServices): Promise<S>
  decide(call: Call<K>, input: Input<K>, facts: F | null, seen: S): D
  /** Common table expressions, the last named `changed (id, answer)`; what has no id of its own
   *  has the empty one. They start from `go`, which is empty unless this call may write, and change
   *  nothing when the facts no longer hold: the pipeline then decides again on new facts. */
  write(call: Call<K>, decision: D): Statement
  /** The tenant that keeps the record of the key, where it is not the caller's. */
  recordsIn?: Statement
  /** The refusal that it is to be kept out by an exclusion constraint, which is named. */
  excluded?(call: Call<K>, decision: D, constraint: string | null): Problem
}

/** A write as the pipeline sees it: it carries facts and decision, and looks into neither. */
export type Write<K extends OperationId> = WriteHandler<K, unknown, unknown, unknown> & {
  readonly kind: 'write'
}

export const read = <K extends OperationId>(_id: K, find: Read<K>['find']): Read<K> => ({
  kind: 'read',
  find,
})

/** Erases F, S and D. Guaranteed by `WriteHandler`: decide makes the D that write takes, and the row
 *  that facts selects is the F that decide reads. */
export const write = <K extends OperationId, F, D, S = undefined>(
  _id: K,
  handler: WriteHandler<K, F, S, D>,
): Write<K> => ({ kind: 'write', ...handler }) as unknown as Write<K>

/** The call of one operation. `fresh` draws sixteen random characters of an id. */
export const callOf = <K extends OperationId>(
  principal: Principal,
  now: number,
  fresh: () => string,
): Call<K> => ({
  principal,
  now,
  mint: (noun, at) => ({ prefix: prefixes[noun], at, random: fresh() }),
  refuse: (code: ProblemCode, content?: Refused) => new Problem(code, content),
})

/** The tenant key of every statement. */
export const tenantOf = (call: { principal: Principal }): Statement =>
  sql`${call.principal.tenant}::bigint`
