// The event clock in a writing statement (contract/05, section 8): one row a tenant, taken last
// and held to the commit, is at once the lock, the timestamp and the sequence of the write.

import { sql, type Statement } from '#database/sql.ts'
import { type Call, type Minted, tenantOf } from './handler.ts'
import type { OperationId } from '#contract/api.ts'

/** Takes `count` milliseconds for the row that `from` holds, or nothing when it holds none. */
export const clock = (
  call: Call<OperationId>,
  count: number,
  from: Statement,
  tenant: Statement = tenantOf(call),
): Statement => sql`
  clock as materialized (
    select at from (select next_timestamp(${tenant}, ${count}::int) as at from ${from}) taken
     where at is not null
  )`

/** The moment `at` milliseconds into the write, where `c` is the clock. */
export const momentAt = (at: number): Statement =>
  at === 0 ? sql`c.at` : sql`c.at + ${at}::int * interval '1 ms'`

/** A minted id, where `c` is the clock. The same minted id is the same text everywhere. */
export const idAt = (minted: Minted): Statement =>
  sql`ulid(${minted.prefix}, ${momentAt(minted.at)}, ${minted.random})`
