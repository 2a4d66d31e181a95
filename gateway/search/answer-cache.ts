// Answers that don't change while a build is served, cached by what was requested.
import { LRUCache } from 'lru-cache'
import type { TextAnswer } from '#http/answer.ts'
import type { HttpRequest } from '#http/http-request.ts'

/** A longer query than people and their programs send is answered, and not cached. */
const lengthMax = 600

/** Answers a call as `answer` does, and the same call at once the next time. What throws is not
 *  cached. Of more than `most` answers the one that was used least recently is dropped. */
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
