// Caches responses that don't change while a build is served, by request.
import { LRUCache } from 'lru-cache'
import type { TextAnswer } from '#http/answer.ts'
import type { HttpRequest } from '#http/http-request.ts'

/** A query longer than people or their programs send is answered, but not cached. */
const lengthMax = 600

/** Responds like `answer`, and to a repeated request from the cache. Errors aren't cached. Beyond
 *  `most` responses, drops the least recently used. */
export function cached<C extends Pick<HttpRequest, 'search'>>(
  most: number,
  answer: (request: C) => TextAnswer,
): (request: C) => TextAnswer {
  const answers = new LRUCache<string, TextAnswer>({ max: most })
  return request => {
    const { search } = request
    const before = answers.get(search)
    if (before !== undefined) return before
    const made = answer(request)
    if (search.length > lengthMax) return made
    answers.set(search, made)
    return made
  }
}
