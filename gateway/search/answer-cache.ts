// Caches responses that stay the same while a build is served, keyed by request.
import { LRUCache } from 'lru-cache'
import type { TextAnswer } from '#http/answer.ts'
import type { HttpRequest } from '#http/http-request.ts'

/** A query longer than people and their programs send gets a response but isn't cached. */
const lengthMax = 600

/** Responds as `answer` does, and from the cache for a repeated request. Errors aren't cached.
 *  Beyond `most` responses, the least recently used is dropped. */
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
