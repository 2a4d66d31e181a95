// The tenant's clock in a writing statement: one row per tenant, locked last and held until the
// commit. The clock serializes the tenant's writes, and gives each write the timestamps that order
// its events. Decided in docs/decisions/0060-keep-the-clock-and-checks-in-the-database.md.

import { momentOf } from '#contract/ids.ts'
import { sql, type Statement } from '#database/sql.ts'
import { type AnyCall, type IdParts, tenantOf } from './handler.ts'

/** The current time in the connection's tenant, used for everything promised in tenant time: real
 *  time in live mode, and real time plus the sandbox's offset in test mode. */
export const tenantNow: Statement = sql`(select tenant_now())`

/** About half a minute, during which all of a call's IDs start with the same seven characters. The
 *  database computes only the last three, which costs less than all ten. */
const halfMinuteMs = 32 ** 3
const halfMinuteOf = (now: number) => now - (now % halfMinuteMs)

/** Reserves `count` milliseconds of the clock if `from` has a row; otherwise returns no row. The
 *  statement calls a database function for this, because an update of its own that waits for the
 *  row would set up the whole plan again while holding the lock. */
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

/** The timestamp `at` milliseconds after the write's first timestamp; `c` is the clock. */
export const momentAt = (at: number): Statement =>
  at === 0 ? sql`c.at` : sql`c.at + ${at}::int * interval '1 ms'`

/** A created ID's text, equal wherever the same ID is used; `c` is the clock. */
export const idAt = ({ prefix, at, random, now }: IdParts): Statement => {
  const head = `${prefix}_${momentOf(halfMinuteOf(now)).slice(0, 7)}`
  const ms = at === 0 ? sql`c.ms` : sql`c.ms + ${at}::int`
  return sql`near_ulid(${head}, ${ms}, ${random}, ${prefix}, ${momentAt(at)})`
}
