// The tenant's clock in a writing statement: one row for each tenant, locked last and until the
// commit. It serializes the tenant's writes and gives each its timestamps, which order its events.
// Decided in docs/decisions/0060-keep-the-clock-and-checks-in-the-database.md.

import { momentOf } from '#contract/ids.ts'
import { sql, type Statement } from '#database/sql.ts'
import { type AnyCall, type Minted, tenantOf } from './handler.ts'

/** The time of the tenant that the connection is set to: real time in live, and in test by what the
 *  sandbox is ahead later. For all that is promised in the time of the tenant. */
export const tenantNow: Statement = sql`(select tenant_now())`

/** The half minute, nearly, of a call: all ids in it start with the same seven characters. Within
 *  it the database adds three to them, which costs less than all ten. */
const halfMinuteMs = 32 ** 3
const halfMinuteOf = (now: number) => now - (now % halfMinuteMs)

/** Reserves `count` milliseconds of the clock if `from` has a row; otherwise returns no row. A
 *  function: an update in this statement that waits for the row would set up the whole plan again
 *  while it holds the lock. */
export const clock = (
  call: AnyCall,
  count: number,
  from: Statement,
  tenant: Statement = tenantOf(call),
): Statement => sql`
  clock as materialized (
    select at, (date_part('epoch', at) * 1000)::bigint - ${halfMinuteOf(call.now)}::bigint as ms
      from (select next_timestamp(${tenant}, ${count}::int) as at from ${from}) taken
     where at is not null
  )`

/** The timestamp `at` milliseconds after the first of the write, where `c` is the clock. */
export const momentAt = (at: number): Statement =>
  at === 0 ? sql`c.at` : sql`c.at + ${at}::int * interval '1 ms'`

/** The text of a minted id, where `c` is the clock; equal wherever the same id is used. */
export const idAt = ({ prefix, at, random, now }: Minted): Statement => {
  const head = `${prefix}_${momentOf(halfMinuteOf(now)).slice(0, 7)}`
  const ms = at === 0 ? sql`c.ms` : sql`c.ms + ${at}::int`
  return sql`near_ulid(${head}, ${ms}, ${random}, ${prefix}, ${momentAt(at)})`
}
