// The typed lists, paginated in the site's order. Each page is built once per build.
import type { PagedList } from '#mcp/tools/content-tools.ts'
import { listLimits } from '#contract/content.ts'
import { Problem } from '#contract/problems.ts'
import type { TextAnswer } from '#http/answer.ts'
import type { HttpRequest } from '#http/http-request.ts'
import { readQuery } from '#http/query.ts'
import { cached } from './answer-cache.ts'

/** Limited because a crawler could request every combination of limit and cursor. */
const cachedMax = 512

/** Handles `GET` with `limit` and `cursor`; returns `{ items, next_cursor }`. */
export function listRoute(
  pagedList: PagedList<unknown, unknown>,
): (request: HttpRequest) => TextAnswer {
  return cached(cachedMax, request => {
    const query = readQuery(request, ['limit', 'cursor'])
    const limit = limitOf(query.limit)
    const page = pagedList.page({ limit, cursor: query.cursor })
    if (page === undefined) throw badCursor()
    const answer = { type: 'application/json', body: JSON.stringify(page) }
    const { next_cursor: next } = page
    if (next === null) return answer
    const link = `<${request.url.pathname}?limit=${limit}&cursor=${next}>; rel="next"`
    return { ...answer, headers: { link } }
  })
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return listLimits.default
  const limit = /^[1-9]\d?$/.test(text) ? Number(text) : Number.NaN
  if (limit <= listLimits.max) return limit
  throw new Problem('invalid_request', {
    detail: `limit must be an integer from 1 to ${listLimits.max}.`,
    hint: `Send limit=${listLimits.default}, or omit limit.`,
  })
}

const badCursor = () =>
  new Problem('invalid_request', {
    detail: 'This cursor did not come from this list.',
    hint: 'Send next_cursor from the previous page unchanged, or omit cursor to start at the first page.',
  })
