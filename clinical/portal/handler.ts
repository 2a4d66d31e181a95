// The type of the portal's read handlers (clinical/pipeline/handler.ts), and the order of their
// lists.

import type { portalReads } from '#contract/portal/reads.ts'
import { limits } from '#contract/limits.ts'
import type { Principal } from '#auth/principal.ts'
import { nothing, sql, type Statement } from '#database/sql.ts'
import { handlersOf } from '../pipeline/handler.ts'

export const { read } = handlersOf<typeof portalReads, Principal>()

type Position = { limit?: number; before?: string; after?: string }

/** The end of a list's select, newest row first; with `after`, rows ascend. */
export const newestFirst = ({ limit = limits.pageDefault, before, after }: Position): Statement => {
  const count = sql`limit ${limit + 1}::int`
  if (after !== undefined) return sql`and id > ${after} order by id ${count}`
  if (before !== undefined) return sql`and id < ${before} order by id desc ${count}`
  return sql`order by id desc ${count}`
}

/** A list shown newest first, as one object, because the pipeline orders lists by ID. `rows`
 *  selects the columns `id` and `item` and ends with its conditions. If another page follows, the
 *  object has one row more than the limit. */
export const newestPage = (position: Position, rows: Statement) => ({
  rows: sql`
    select '' as id, json_build_object('data', coalesce((
      select json_agg(n.item::json order by n.id desc)
        from (${rows} ${newestFirst(position)}) n), '[]'))::text as item`,
})

/** Returns a parameter's condition, if the parameter was given. */
export const when = <T>(value: T | undefined, condition: (value: T) => Statement): Statement =>
  value === undefined ? nothing : condition(value)
