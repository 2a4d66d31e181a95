// The type of handlers of the portal's reads (clinical/pipeline/handler.ts), and the order of their
// lists.

import type { portalReads } from '#contract/portal/reads.ts'
import { limits } from '#contract/limits.ts'
import type { Principal } from '#auth/principal.ts'
import { nothing, sql, type Statement } from '#database/sql.ts'
import { handlersOf } from '../pipeline/handler.ts'

export const { read } = handlersOf<typeof portalReads, Principal>()

type Position = { limit?: number; before?: string; after?: string }

/** The end of a list's select that starts with the newest row; after `after` it ascends. */
export const newestFirst = ({ limit = limits.pageDefault, before, after }: Position): Statement => {
  const count = sql`limit ${limit + 1}::int`
  if (after !== undefined) return sql`and id > ${after} order by id ${count}`
  if (before !== undefined) return sql`and id < ${before} order by id desc ${count}`
  return sql`order by id desc ${count}`
}

/**
 * A list that is shown newest first, as one object: the pipeline orders a list by its ids. `rows`
 * selects columns `id` and `item` and ends in its conditions. Where another page follows, there is
 * one row more than the limit.
 */
export const newestPage = (position: Position, rows: Statement) => ({
  rows: sql`
    select '' as id, json_build_object('data', coalesce((
      select json_agg(n.item::json order by n.id desc)
        from (${rows} ${newestFirst(position)}) n), '[]'))::text as item`,
})

/** A condition for a parameter, where it was given. */
export const when = <T>(value: T | undefined, condition: (value: T) => Statement): Statement =>
  value === undefined ? nothing : condition(value)
