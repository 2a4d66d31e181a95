// Cursor pagination of every list, ascending by id. A cursor is a position and need not be an
// existing row. Each list selects one row more than its page, which sets `has_more`.

import { limits } from '#contract/limits.ts'
import { nothing, sql, type Statement } from '#database/sql.ts'
import type { PublishedItem } from './handler.ts'

type Paged = { limit?: number; starting_after?: string }

const limitOf = (input: Paged) => input.limit ?? limits.pageDefault

/** The end of a list's select, after its conditions: position, order and limit. */
export const paging = (input: Paged, id: Statement = sql`id`): Statement => sql`
  ${input.starting_after === undefined ? nothing : sql`and ${id} > ${input.starting_after}`}
  order by ${id} limit ${limitOf(input) + 1}::int`

/** The same for constants. */
export const pageOfFixed = (
  all: readonly PublishedItem[],
  input: Paged,
): readonly PublishedItem[] => {
  const after = input.starting_after ?? ''
  return all.filter(({ id }) => id > after).slice(0, limitOf(input) + 1)
}

/** The envelope as text, with the items as the database wrote them. */
export function pageOf(rows: readonly PublishedItem[], limit: number): string {
  const items = rows.slice(0, limit).map(one => one.item)
  return `{"data":[${items.join(',')}],"has_more":${rows.length > limit}}`
}
