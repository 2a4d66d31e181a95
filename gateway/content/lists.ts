// The typed lists: page by page, in the order of the site. A page is put together once a build.
import type { Shelf } from '#mcp/content-tools.ts'
import { listLimits } from '#contract/content.ts'
import { type DoorCall, type Plain, refuse } from '../door.ts'
import { readQuery } from '../door/query.ts'

type Page = { readonly text: string; readonly next: string | null }

/** There are as many pages as ways to cut a list, which a crawler could walk through. */
const rememberedMax = 512

/** Answers `GET` with `limit` and `cursor`; `{ items, next_cursor }`. */
export function listRoute(shelf: Shelf<unknown, unknown>): (call: DoorCall) => Plain {
  const remembered = new Map<string, Page>()
  const pageOf = (limit: number, cursor: string | undefined): Page => {
    const key = cursor === undefined ? `${limit}` : `${limit} ${cursor}`
    const before = remembered.get(key)
    if (before !== undefined) return before
    const page = shelf.page({ limit, cursor })
    if (page === undefined) throw badCursor()
    const made = { text: JSON.stringify(page), next: page.next_cursor }
    const [oldest] = remembered.keys()
    if (oldest !== undefined && remembered.size >= rememberedMax) remembered.delete(oldest)
    remembered.set(key, made)
    return made
  }
  return call => {
    const query = readQuery(call, ['limit', 'cursor'])
    const limit = limitOf(query.limit)
    const { text, next } = pageOf(limit, query.cursor)
    const answer = { type: 'application/json', body: text }
    if (next === null) return answer
    const link = `<${call.url.pathname}?limit=${limit}&cursor=${next}>; rel="next"`
    return { ...answer, headers: { link } }
  }
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return listLimits.default
  const limit = /^[1-9]\d?$/.test(text) ? Number(text) : Number.NaN
  if (limit <= listLimits.max) return limit
  throw refuse('invalid_request', {
    detail: `limit is not a whole number from 1 to ${listLimits.max}.`,
    hint: `Send limit=${listLimits.default}, or leave it out.`,
  })
}

const badCursor = () =>
  refuse('invalid_request', {
    detail: 'cursor is none that this list gave.',
    hint: 'Send next_cursor of the page before as it is, or leave cursor out to begin anew.',
  })
