// The types of handlers. A read returns the select of its rows. A write has three functions: facts
// (one select), decide (pure: refuses, or returns what to write) and write (one statement, which
// also returns the answer).

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

/** An id without its timestamp, which the writing statement adds from the tenant's clock. */
export type Minted = { prefix: string; at: number; random: string }

/** What a handler may use besides the database. */
export type CallServices = {
  /** The public origin. */
  readonly base: string
  readonly files: Files
  readonly webhooks: Webhooks
  readonly realtime: Realtime
}

/** Adds the connection of the call, which is in no transaction. */
type InspectServices = CallServices & { readonly connection: Connection }

export type Call<K extends OperationId> = {
  readonly principal: Principal
  /** Milliseconds since 1970, read once for the whole call. */
  readonly now: number
  /** An id whose timestamp is `at` milliseconds after the write's first timestamp. */
  mint(noun: Noun, at: number): Minted
  /** The compiler accepts only the codes that the operation declares. */
  refuse(code: Refusal<K>, content?: Refused): Problem
}

export type EventOf<K extends OperationId> = EmitsOf<(typeof operations)[K]>

/** A resource, or an item of a list, as the JSON text of the answer. */
export type PublishedItem = { id: string; item: string }

export type ReadSource =
  /** Columns `id` and `item`, ascending by id; a list selects one row more than its page. */
  | {
      rows: Statement
      parent?: Statement
      refusable?: RefusableRead
      /** Opens the file that is sent instead of the item. */
      attachment?(item: string): Promise<Attachment>
    }
  /** Constants, which need no query. */
  | { items: readonly PublishedItem[] }

/** A file and the headers that describe it. */
type Attachment = { bytes: Bytes; headers: Record<string, string> }

/** A read that may be refused because of the row it selects. Its row has a column `refused`: one of
 *  the codes that the operation declares, or null. So the same statement inserts the audit row. */
type RefusableRead = {
  refusal(code: string, item: string): Problem
  /** The JSON text of the answer, made from the selected item. */
  answer(item: string): string
}

export type Read<K extends OperationId> = {
  readonly kind: 'read'
  find(call: Call<K>, input: Input<K>, context: CallServices): ReadSource
}

/** A write with its types: F is the row of facts, S the result of `inspect`, and D the decision on
 *  both. */
type WriteHandler<K extends OperationId, F, S, D> = {
  /** Selects at most one row, which is the input of `decide`. */
  facts?(call: Call<K>, input: Input<K>): Statement
  /** Reads state outside the database, such as bytes in storage, before the write takes locks. Its
   *  side effects must be harmless when the call is refused or retried. */
  inspect?(call: Call<K>, input: Input<K>, facts: F | null, context: InspectServices): Promise<S>
  decide(call: Call<K>, input: Input<K>, facts: F | null, seen: S): D
  /** Common table expressions, the last named `changed (id, answer)`; `id` is empty for a result
   *  without an id. They select from `go`, which is empty unless this call may write, and change
   *  nothing when the facts have changed: the pipeline then decides again on new facts. */
  write(call: Call<K>, decision: D): Statement
  /** The tenant that stores the idempotency record, where it is not the caller's. */
  recordsIn?: Statement
  /** The refusal of a write that violated the named exclusion constraint. */
  excluded?(call: Call<K>, decision: D, constraint: string | null): Problem
}

/** A write as the pipeline calls it: facts and decision are opaque to the pipeline. */
export type Write<K extends OperationId> = WriteHandler<K, unknown, unknown, unknown> & {
  readonly kind: 'write'
}

export const read = <K extends OperationId>(_id: K, find: Read<K>['find']): Read<K> => ({
  kind: 'read',
  find,
})

/** Erases F, S and D. This is sound because `WriteHandler` ties them together: `decide` takes the F
 *  that `facts` selects and returns the D that `write` takes. */
export const write = <K extends OperationId, F, D, S = undefined>(
  _id: K,
  handler: WriteHandler<K, F, S, D>,
): Write<K> => ({ kind: 'write', ...handler }) as unknown as Write<K>

/** The call of one operation. `fresh` returns the sixteen random characters of an id. */
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
