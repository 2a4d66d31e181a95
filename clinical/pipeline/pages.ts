// The cursor envelope of every list: ascending by id, a cursor is a position and not a row, and one
// row more than the page says whether another follows (contract/02, section 3).

import { limits } from '#contract/limits.ts'
import { nothing, sql, type Statement } from '#database/sql.ts'
import type { PublishedItem } from './handler.ts'

type Paged = { limit?: number; starting_after?: string }

const limitOf = (input: Paged) => input.limit ?? limits.pageDefault

/**
 * The end of a list's select, where its rows are already narrowed: position, order and one more.
 */
export const paging = (input: Paged, id: Statement = sql`id`): Statement => sql`
  ${input.starting_after === undefined ? nothing : sql`and ${id} > ${input.starting_after}`}
  order by ${id} limit ${limitOf(input) + 1}::int`

/** The same, of rows that are part of the program. */
export const pageOfFixed = (
  all: readonly PublishedItem[],
  input: Paged,
): readonly PublishedItem[] => {
  const after = input.starting_after ?? ''
  return all.filter(held => held.id > after).slice(0, limitOf(input) + 1)
}

/** The envelope as text. The items are published as the database made them. */
export function pageOf(held: readonly PublishedItem[], limit: number): string {
  const items = held.slice(0, limit).map(one => one.item)
  return `{"data":[${items.join(',')}],"has_more":${held.length > limit}}`
}
