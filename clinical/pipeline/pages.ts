// Cursor pagination for every list, ascending by ID. A cursor is a position and doesn't have to be
// an existing row. Each list selects one row more than its page, which sets `has_more`; the
// database builds the page's text. Decided in docs/decisions/0119-make-a-page-in-the-database.md.

import { dayMilliseconds, hourMilliseconds } from '#contract/moments.ts'
import { firstIdOf, type Prefix } from '#contract/ids.ts'
import { limits } from '#contract/limits.ts'
import { nothing, sql, type Statement } from '#database/sql.ts'
import { hidesOldRows } from '../modes.ts'
import type { AnyCall, PublishedItem } from './handler.ts'
import type { Answer } from './requested-call.ts'

type Paged = { limit?: number; starting_after?: string }

const limitOf = (input: Paged) => input.limit ?? limits.pageDefault

type Place = {
  /** The ID column. */
  id?: Statement
  /** An ID before every visible row. */
  oldest?: string | null
}

/** The end of a list's select, after its conditions. It sets the position, the order and the
 *  limit. */
export function paging(input: Paged, { id = sql`id`, oldest = null }: Place = {}): Statement {
  const { starting_after: after = null } = input
  const from = oldest !== null && (after === null || after < oldest) ? oldest : after
  return sql`
  ${from === null ? nothing : sql`and ${id} > ${from}`}
  order by ${id} limit ${limitOf(input) + 1}::int`
}

/** Row-level security hides rows that are too old by the database's clock, which may differ from
 *  ours. This margin lets a list start after rows that are certainly hidden but not removed yet. */
const marginMilliseconds = hourMilliseconds

/** Returns an ID before every row that's visible for that many days. */
export const oldestId = ({ now }: Pick<AnyCall, 'now'>, prefix: Prefix, days: number): string =>
  firstIdOf(prefix, now - days * dayMilliseconds - marginMilliseconds)

/** Like `oldestId`, for rows that only the sandbox hides; null in live mode. */
export const oldestOf = (call: Pick<AnyCall, 'now' | 'principal'>, prefix: Prefix): string | null =>
  hidesOldRows(call.principal.mode) ? oldestId(call, prefix, limits.sandboxRowDays) : null

/** Returns a page of constants and one row more, like a list's select. */
export const pageOfFixed = (
  all: readonly PublishedItem[],
  input: Paged,
): readonly PublishedItem[] => {
  const after = input.starting_after ?? ''
  return all.filter(({ id }) => id > after).slice(0, limitOf(input) + 1)
}

/** `last` is the last item's ID, if more items follow. */
export const pageAnswer = (body: string, last: string | null): Answer => ({
  status: 200,
  body,
  headers: {},
  ...(last === null ? {} : { lastId: last }),
})

/** Returns a page of constants. */
export function pageOf(rows: readonly PublishedItem[], limit: number): Answer {
  const items = rows.slice(0, limit).map(one => one.item)
  const isMore = rows.length > limit
  const last = isMore ? (rows[limit - 1]?.id ?? null) : null
  return pageAnswer(`{"data":[${items.join(',')}],"has_more":${isMore}}`, last)
}

/** Selects the page's text and, if more items follow, its last ID from the rows in `found (id,
 *  item)`. The database assembles them, so the driver reads two values instead of two per item. */
export const pageIn = (found: Statement, limit: number): Statement => sql`
  select '{"data":[' || coalesce(array_to_string(items[1:${limit}::int], ','), '')
           || '],"has_more":' || is_more::text || '}' as page,
         case when is_more then ids[${limit}::int] end as last
    from (select array_agg(item order by id) as items, array_agg(id order by id) as ids,
                 count(*) > ${limit}::int as is_more
            from ${found}) a`
